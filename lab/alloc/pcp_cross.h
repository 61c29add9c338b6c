/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One CPU allocates, another one frees. */
#include "lab/alloc/pcp_parts.h"

/* What worker `index` of a struct pcp_state does for the cell in hand, where one CPU allocates and
 * another frees. */
void pcp_cross(void *argument, uint32_t index);
