/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Why the figures are as they are: what was taken without the zone's lock, and what it cost. */
#include "report/alloc/pcp.h"

/* Operations of all repetitions, in the sense of struct pcp_sample, by what the allocator counted:
 * warming up included. */
uint64_t report_pcp_operations(const struct pcp_results *results, uint32_t cell, uint32_t way);

const char *report_pcp_cell(char *name, const struct pcp_cell *cell);

/* The first cell of its kind; and the last one that was measured, with most CPUs and most nodes: if
 * none was, the first. UINT32_MAX: there is none. */
uint32_t report_pcp_first(const struct pcp_results *results, enum pcp_bench bench, uint32_t order,
			  uint32_t batch);
uint32_t report_pcp_last(const struct pcp_results *results, enum pcp_bench bench, uint32_t order,
			 uint32_t batch);

/* How often each way was served by its lists, refilled and drained them. */
void report_pcp_counters(const struct report *report, const struct pcp_results *results);
