/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What was published of the workloads of experiment `pcp`. */
#include "lab/alloc/pcp.h"

/* Cycles per operation, on a machine of 4 cores with 2 threads each. */
struct pcp_published {
	uint16_t key; /* order, or CPUs of one node that work on single pages */
	uint16_t before, after; /* Linux 4.6-rc1; the same with the changes of 2016 to order 0 */
};

/* NULL: nothing was published of such a cell as part of this workload. Cells of PCP_ORDERS may be
 * asked for as part of PCP_PARALLEL: they are its crews of one CPU. */
const struct pcp_published *pcp_published(enum pcp_bench bench, const struct pcp_cell *cell);
