/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Sums up one step of the experiment `sweep` or of the comparison of numbers of workers. */
#include <stdint.h>

#include "lab/run/sample.h"
#include "lib/stats.h"

struct step_summary {
	struct summary cycles; /* count 0: nothing was measured */
	uint32_t workers;      /* that took part, per node; the most of any node; a small node has
				* no use for more */
	uint64_t pages;        /* of what was timed */
};

/* Of one node, from the `count` samples of all steps. */
struct step_summary summarise_on_node(const struct step_sample *samples, uint32_t count,
				      uint32_t step, uint32_t node);

/* Of the slowest node of every run of the step. `pages` are those of the slowest node in the run
 * that is nearest to the median. */
struct step_summary summarise_slowest(const struct step_sample *samples, uint32_t count,
				      uint32_t step);
