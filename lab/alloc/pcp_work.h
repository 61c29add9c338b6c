/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* CPUs that allocate and free for themselves. */
#include "lab/alloc/pcp_bench_state.h"

/* What worker `index` of a struct pcp_bench_state does for a cell in which each CPU frees what it
 * has allocated. */
void pcp_work(void *argument, uint32_t index);
