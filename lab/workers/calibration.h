/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * What the policies hmat, calibrated and auto rest on, measured before the runs with the loop that
 * the runs use, on deferred frames that the runs initialise afresh.
 *
 * The single-core figure, per node: one CPU that serves the node initialises 1 MiB of its memmap at
 * a time, each part once before the clock counts, so that no first touch is in the figure. A part
 * is begun only if one that takes as long as the longest so far still fits; where 1 MiB takes too
 * much of the time, parts are of 64 KiB.
 *
 * The search, all nodes at the same time: 1, 2, 3, 4, 6, 8 ... workers, one per core first, each
 * step on as many frames as fit into its share of the time. The time is 5 % of a lower bound of
 * what initialisation takes: what the last step found, scaled ideally to all CPUs. Waking the
 * workers counts. What a step costs is predicted: waking as measured so far, by the number of CPUs,
 * and its frames as if the further workers were no help. A step that is not predicted to fit is not
 * begun; so the time is exceeded only by what a single step takes longer than predicted.
 *
 * Where first touches are found to be expensive, as under a hypervisor, the frames of the search
 * are touched before it. That is not in its time: it is not spent again by the runs.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"
#include "lib/stats.h"
#include "mm/init/worker_rules.h"

enum {
	CALIBRATE_SAMPLES_MAX = 128,
	CALIBRATE_CORE_MS = 36,     /* for the single-core figure of one node; a quarter of it
				     * more to find out how large a sample may be: 45 */
	CALIBRATE_PERCENT = 5,      /* of the initialisation's time, for the search */
	CALIBRATE_CURVE_PAGES = 1 << 20, /* that the cycles of a curve are for */
	CALIBRATE_SLOW_PAGES = 1024,     /* a sample on a slow machine */
};
#define CALIBRATE_SAMPLE_PAGES ((1ull << 20) / STRUCT_PAGE_BYTES)

struct calibrated_node {
	uint32_t cpu;          /* whose figure it is */
	struct summary sample; /* cycles for sample_pages; count 0: not measured */
	uint64_t sample_pages; /* CALIBRATE_SAMPLE_PAGES or CALIBRATE_SLOW_PAGES */
	uint64_t core_cycles;  /* what the figure took */
	bool touch_first;      /* first touches take much longer than the stores */
	uint32_t probes;       /* steps of the search */
	const char *reason;    /* why something was not measured, or NULL */
};

/* Of the search: waking the workers, their work, everything. */
struct calibrate_step {
	uint32_t cpus;             /* on all nodes */
	uint64_t left_cycles;      /* of the search's time when it began */
	uint64_t predicted_cycles; /* at most left_cycles */
	uint64_t cycles;           /* 0: the CPUs did not all meet */
};

struct calibration {
	struct calibrated_node nodes[NODE_MAX];
	uint32_t core_mbps[NODE_MAX];          /* of descriptors, 10^6 bytes a second; 0: none */
	struct worker_curve curves[NODE_MAX];  /* only nodes with CPUs */
	uint64_t estimate_cycles;              /* what initialisation takes at least */
	uint64_t search_cycles, limit_cycles;  /* what the search took, and the time it had */
	uint64_t touch_cycles;                 /* first touches, before the search */
	struct calibrate_step steps[WORKER_POINTS_MAX];
	uint32_t step_count;
};

struct calibrate_input {
	const struct lab_input *init;
	uint64_t tsc_hz;
	bool search; /* false: only the single-core figures */
};

/* See lab/input.h. What cannot be measured on a node is told there. */
uint64_t calibrate_bytes(const struct lab_input *input, uint32_t extra_reserved);
bool calibrate_run(const struct calibrate_input *input, void *memory, uint64_t bytes,
	       struct calibration *calibration);

struct calibrate_state; /* lab/workers/calibration_parts.h */

/* What a chunk's function is told: to write the node's descriptors with `store`. */
struct chunk_args calibrate_args(const struct calibrate_state *c, uint32_t node, enum store store);
