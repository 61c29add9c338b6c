#pragma once
/*
 * What the policies hmat, calibrated and auto rest on, measured before the runs with the loop that
 * the runs use, on deferred frames that the runs initialise afresh.
 *
 * The single-core figure, per node: one CPU that serves the node initialises 1 MiB of its memmap at
 * a time, each part once before the clock counts, so that no first touch is in the figure.
 *
 * The search, all nodes at the same time: 1, 2, 3, 4, 6, 8 ... workers, one per core first, each
 * step on as many frames as fit into its share of the time. The time is 5 % of a lower bound of
 * what initialisation takes: what the last step found, scaled ideally to all CPUs. Waking the
 * workers counts. When it is over the search ends where it is.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init_run.h"
#include "lib/stats.h"
#include "mm/worker_rules.h"

enum {
	CALIBRATE_SAMPLES_MAX = 128,
	CALIBRATE_CORE_MS = 40,     /* for the single-core figure of one node */
	CALIBRATE_PERCENT = 5,      /* of the initialisation's time, for the search */
	CALIBRATE_CURVE_PAGES = 1 << 20, /* that the cycles of a curve are for */
};
#define CALIBRATE_SAMPLE_PAGES ((1ull << 20) / STRUCT_PAGE_BYTES)

struct calibrated_node {
	uint32_t cpu;          /* whose figure it is */
	struct summary sample; /* cycles for CALIBRATE_SAMPLE_PAGES; count 0: not measured */
	uint64_t core_cycles;  /* what the figure took */
	uint32_t probes;       /* steps of the search */
	const char *reason;    /* why something was not measured, or NULL */
};

struct calibration {
	struct calibrated_node nodes[NODE_MAX];
	uint32_t core_mbps[NODE_MAX];          /* of descriptors, 10^6 bytes a second; 0: none */
	struct worker_curve curves[NODE_MAX];  /* only nodes with CPUs */
	uint64_t search_cycles, limit_cycles;  /* what the search took, and the time it had */
};

struct calibrate_input {
	const struct init_input *init;
	uint64_t tsc_hz;
	bool search; /* false: only the single-core figures */
};

/* As init_run_bytes and init_run. False when there is no CPU or too little memory; what cannot be
 * measured on a node is told there. */
uint64_t calibrate_bytes(const struct init_input *input, uint32_t extra_reserved);
bool calibrate(const struct calibrate_input *input, void *memory, uint64_t bytes,
	       struct calibration *calibration);
