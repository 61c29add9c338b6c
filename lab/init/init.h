/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Experiment `init`: initialise and free the memmap under each policy, `repeat` times, the policies
 * interleaved in an order that changes with the repetition (lib/interleave.h), check everything
 * after every run, and keep every raw number.
 *
 * The baseline, POLICY_NODE, is always one worker per node with that policy's own chunks;
 * options->threads, chunk_mib and split are for the policies that are compared with it.
 *
 * One run: all CPUs poison the memmap and the pageblocks, which leaves caches and TLBs in one
 * state; the boot CPU initialises and frees the early part and takes each node's border; the
 * workers are woken and meet at a barrier; the last to arrive stamps the clock; they work; each
 * stamps the clock when it finds no more; the checks follow. options->inject puts a deliberate
 * fault into the first run, which is then the last.
 *
 * Repetition 0 is the cold one: the baseline alone, on a memmap that nobody has touched since boot,
 * hence not poisoned; it is left out where somebody has. 1 to `repeat` are warm. In the end comes
 * a run that is not timed, in which the nodes are grown before the workers start.
 *
 * Descriptors of less than 64 bytes are only initialised, since the page allocator needs a struct
 * page: no early part, no freeing, and of policy ktask the first pass alone.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/input.h"
#include "lab/run/sample.h"
#include "mm/init/plan.h"

/* All cycles are counted from the barrier's stamp unless said otherwise. */
struct init_node_sample {
	enum policy policy;
	uint32_t repetition;   /* 0: the cold run */
	uint32_t node;
	uint32_t workers;
	uint64_t pages;        /* deferred frames initialised */
	uint64_t cycles;       /* until the node's last chunk was done */
};

struct init_cpu_sample {
	enum policy policy;
	uint32_t repetition;
	uint32_t cpu, node;
	uint32_t chunks;
	uint64_t pages;
	uint64_t cycles;       /* until this worker found no more work */
};

/* The run in which the nodes were grown, by allocating from each until that happened. */
struct init_growth {
	bool done;
	enum policy policy;
	uint64_t allocated_blocks; /* of ORDER_MAX, all given back */
	uint64_t grown_pages;
	bool good;                 /* all checks passed, and as much grown as the borders moved */
};

struct init_results {
	enum policy policies[POLICY_COUNT]; /* ascending, but first POLICY_NODE, the baseline */
	uint32_t policy_count;
	struct init_plan *plans[POLICY_COUNT]; /* per entry of policies */
	enum store stores[POLICY_COUNT];       /* what wrote the struct pages, per entry */
	struct run_sample *runs;
	uint32_t run_count;
	struct init_node_sample *nodes; /* only nodes with deferred pages */
	uint32_t node_count;
	struct init_cpu_sample *cpus;
	uint32_t cpu_count;
	struct verify_totals expected;
	uint32_t page_size;             /* bytes per descriptor */
	bool init_only;                 /* page_size is not 64: no totals, no page allocator */
	struct init_growth growth;
	bool verified;                  /* every run was good, and growth where it was done */
	/* What the runs needed of the memory and the results do not, free for their summaries: at
	 * least INIT_SPARE_BYTES, INIT_SPARE_EACH more per policy and node, and INIT_SPARE_RUN more
	 * per run. */
	void *spare;
	uint64_t spare_bytes;
};
enum { INIT_SPARE_BYTES = 16384, INIT_SPARE_EACH = 96, INIT_SPARE_RUN = 512 };

/* See lab/input.h. */
uint64_t init_bytes(const struct lab_input *input, uint32_t extra_reserved);
bool init_run(const struct lab_input *input, void *memory, uint64_t bytes,
	      struct init_results *results);
