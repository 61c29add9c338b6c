/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Sums up the experiment `sweep`: every step, and the knee of every node. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/summary/step_summary.h"
#include "lab/workers/sweep.h"
#include "lib/limits.h"

/* Where more workers stop to pay, on one node. Cycles are medians. */
struct knee {
	uint32_t node;
	uint32_t workers;           /* the fewest that are near to the best; 0: nothing was
				     * measured, and so is all else */
	uint64_t pages, cycles;
	uint32_t best_workers;
	uint64_t best_cycles;
	uint64_t one_worker_cycles; /* 0: there was no such step */
};

/* Large: its owner is static. */
struct sweep_summary {
	bool has_axis[SWEEP_AXES];
	struct step_summary steps[SWEEP_STEPS_MAX]; /* of the slowest node of every run */
	uint64_t one_worker_cycles; /* with one worker: what speed-ups are against; 0: unknown */
	struct knee knees[NODE_MAX];
};

void summarise_sweep(struct sweep_summary *summary, const struct sweep_results *results,
		     uint32_t node_count);
