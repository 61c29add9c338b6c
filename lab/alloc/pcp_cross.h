/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One CPU allocates, another one frees. */
#include "lab/alloc/pcp_bench_state.h"

/* What worker `index` of a struct pcp_bench_state does for a cell in which one CPU allocates and
 * another frees. */
void pcp_cross(void *argument, uint32_t index);
