/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Who initialises which struct pages, when. After Linux's deferred initialisation: only the highest
 * zone of each node is deferred, and of that zone every frame above the first section border that
 * has at least one section's worth of the zone's RAM below it. All reserved frames and holes are
 * early wherever they are, and so are the free frames of a 4 MiB block that holds RAM of two nodes
 * (the worker that frees one part would read struct pages that the other node's worker may not have
 * initialised).
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/range.h"
#include "lib/words.h"
#include "mm/init/policy.h"
#include "mm/machine/memmap.h"
#include "mm/machine/page.h"
#include "mm/machine/topology.h"
#include "smp/dispatch/dispatch.h"

/* Workers take chunk after chunk, or are given one each. */
enum split { SPLIT_DYNAMIC, SPLIT_STATIC };

enum { SPLITS = SPLIT_STATIC + 1 };

extern const struct word_list split_words;

/* The page allocator's largest block: 4 MiB. */
#define INIT_BLOCK_PAGES 1024ull

/* Frames of one kind, one node and one zone; together the spans cover every frame of every
 * populated section exactly once. A hole belongs to the node of the next RAM in its section,
 * else of the previous. Reserved frames that are no RAM are holes. */
struct init_span {
	uint64_t start_pfn, end_pfn;
	uint32_t node;
	enum frame_kind kind;
	bool deferred; /* only FRAME_FREE ever is; spans are cut where it changes */
};

/* A job as padata has it, in frames: its function works on the deferred spans of its node that lie
 * inside [start, start + size); who runs it sets function and argument. JOB_PER_RANGE, as in Linux
 * up to 6.17: one per free range; its window ends on a section border, where the next one may
 * begin. JOB_PER_ZONE, from 6.18: one for all. */
struct init_job {
	struct job job;
	uint32_t node;
};

struct init_node {
	uint64_t first_deferred_pfn; /* UINT64_MAX: nothing deferred */
	enum zone deferred_zone;     /* the node's highest zone with RAM */
	uint64_t early_pages, deferred_pages;
	uint64_t free_pages, reserved_pages, hole_pages; /* of all the node's spans */
	uint32_t first_job, job_count;
	uint32_t worker_count;
};

/* One CPU's duty on one node. A CPU's visits are consecutive, in the order in which it makes
 * them. */
struct init_visit {
	uint32_t cpu;  /* index in topology->cpus */
	uint32_t node;
	/* 0 .. worker_count - 1 among the node's workers; of those from one node first who begin
	 * there */
	uint32_t rank;
};

struct init_plan {
	struct init_span *spans; /* by ascending pfn */
	uint64_t span_count, span_capacity;
	struct init_job *jobs; /* by node, then ascending pfn */
	uint32_t job_count, job_capacity;
	struct init_visit *visits;
	uint32_t visit_count, visit_capacity;
	struct init_node nodes[NODE_MAX];
	uint64_t early_pages, deferred_pages, total_pages;
};

struct init_rules {
	enum policy policy;
	uint32_t threads;         /* limit of the workers per node; 0: the policy's own number */
	uint64_t chunk_pages;     /* exact size, a power of two from 4 MiB; 0: by the rules */
	enum split split;
	const uint32_t *worker_counts; /* WORKERS_GIVEN: per node; NULL, or 0 of a node: cores */
	bool cores_first;         /* ranks go to one CPU of each core before the cores' siblings */
	uint32_t kinds;           /* only CPUs of these kinds work, a bit each; 0: of all */
};

/* Capacities that are always enough for this machine with `reserved` (a bound, not exact). */
void init_plan_bounds(const struct topology *topology, const struct memmap *memmap,
		      const struct range_list *reserved, uint64_t *spans, uint32_t *jobs,
		      uint32_t *visits);

/*
 * Fills `plan`, whose arrays and capacities the caller set. False when a capacity is exceeded.
 *
 * The workers of a node are online CPUs of it. The policy's rule or rules->threads (not for
 * WORKERS_BOOT and WORKERS_ONE) gives their number, at most one for each minimum chunk of the
 * node's largest job. A memory-only node has workers from its adopter; where no CPU is online, they
 * come from the nearest node that has one online. CPUs that serve several nodes begin on different
 * ones in proportion to the deferred pages, so that all nodes run at the same time, and go on to
 * the others; where a node has fewer workers than there are CPUs, nodes share no CPU as long as
 * there are enough. A policy that shares has a memory-only node served by all nodes with the
 * nearest CPUs, as worker_split says (worker_rules_share.h); its workers there begin in proportion
 * to their part of its pages. With at least one online CPU every node with deferred pages has a
 * worker. A background policy leaves the boot CPU out unless it is the only one online.
 */
bool init_plan_build(struct init_plan *plan, const struct topology *topology,
		     const struct memmap *memmap, const struct range_list *reserved,
		     const struct init_rules *rules);

/* The job from `first_pfn` on, where what lies below has been done (UINT64_MAX: all of it). */
struct job init_job_from(const struct init_job *planned, uint64_t first_pfn);
