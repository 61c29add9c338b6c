/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Sums up what one step of the experiment `sweep` or of the comparison of rules gave. */
#include "report/report.h"
#include "lib/stats.h"

struct step_summary {
	struct summary cycles; /* count 0: nothing was measured */
	uint32_t workers;      /* that took part, per node; the most of any node; a small node has
				* no use for more */
	uint64_t pages;        /* of what was timed */
};

/* Of one node, from the `count` samples of all steps. Uses report->samples. */
struct step_summary summarise_samples(struct report *report, const struct step_sample *samples,
				      uint32_t count, uint32_t step, uint32_t node);
