/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Sums up the samples of the experiment `sweep`. */
#include "report/workers/steps.h"

/* Of the slowest node of every run of `step`. `pages` are those of the slowest node in the run that
 * is nearest to the median. */
struct step_summary summarise_step(struct report *report, const struct sweep_results *results,
				   uint32_t step);

/* The same with one worker, from the other axis: what speed-ups are against. 0: unknown. */
uint64_t one_worker_cycles(struct report *report, const struct sweep_results *results);

/* Where more workers stop to pay, on one node. */
struct knee {
	struct step_summary one, best,
		knee; /* one worker; the fastest; the fewest within 5 % of it */
};

/* False when nothing was measured on this node. */
bool find_knee(struct report *report, const struct sweep_results *results, uint32_t node,
	       struct knee *knee);
