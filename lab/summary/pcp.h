/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Experiment `pcp`: the samples of a cell summed up. */
#include "lab/alloc/pcp.h"
#include "lib/stats.h"

/* One way in one cell. */
struct pcp_summary {
	struct pcp_cell cell;
	enum pcp way;
	struct summary millicycles; /* per operation, of all repetitions that have a figure */
	uint64_t fastest_worker_millicycles, slowest_worker_millicycles; /* both 0: no figure */
	struct pcp_counters counters;
	uint64_t calls;      /* allocations and frees that they count */
	uint64_t operations; /* that is in the sense of struct pcp_sample, warming up included */
};

struct pcp_summary pcp_summarise(const struct pcp_results *results, uint32_t cell, uint32_t way);

/* The first cell of its kind; and the last one that was measured, with most CPUs and most nodes: if
 * none was, the first. UINT32_MAX: there is none. */
uint32_t pcp_first_cell(const struct pcp_results *results, enum pcp_bench bench, uint32_t order,
			uint32_t batch);
uint32_t pcp_last_cell(const struct pcp_results *results, enum pcp_bench bench, uint32_t order,
		       uint32_t batch);
