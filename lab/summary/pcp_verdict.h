/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Experiment `pcp`: which way is best at what, by how much, and how far that is to be trusted. */
#include "lab/alloc/pcp.h"
#include "lib/bootstrap.h"

enum { PCP_JUDGED_MAX = 12, PCP_NO_WAY = UINT32_MAX, PCP_RATIO_ONE = 10000 };

/* How much longer a way takes than the best one, PCP_RATIO_ONE: as long. Of the ratios of all
 * repetitions in which both have a figure. */
struct pcp_ratio {
	bool compared; /* false: no repetition, no such way, or it is the best one itself */
	struct interval times;
};

struct pcp_best {
	uint32_t cell;
	uint32_t best, next;  /* the ways with the least medians; next may be PCP_NO_WAY */
	uint64_t millicycles; /* median of the best */
	struct pcp_ratio next_ratio, order0_ratio;
};

struct pcp_verdict {
	struct pcp_best best[PCP_JUDGED_MAX]; /* none where only one way was measured */
	uint32_t best_count;
	uint32_t figures;   /* of several repetitions each */
	uint32_t scattered; /* of them, by more than THRESHOLD_SCATTER_PERCENT of their mean */
	bool unsteady;      /* too many are: medians are not to be passed on */
};

void pcp_judge(const struct pcp_results *results, struct pcp_verdict *verdict);
