/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* CPUs that allocate and free for themselves. */
#include "lab/alloc/pcp_parts.h"

/* What worker `index` of a struct pcp_state does for the cell in hand, on its own CPU alone. */
void pcp_work(void *argument, uint32_t index);
