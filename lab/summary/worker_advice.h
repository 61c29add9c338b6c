/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which rule to follow, and how far to trust that. */
#include "lab/summary/how_many.h"

/* From the times in `verdict`, for every node and for all. */
void worker_advise(struct worker_verdict *verdict);
