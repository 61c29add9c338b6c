/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The search for the knee: see lab/workers/calibration.h. */
#include "lab/run/memory.h"
#include "lab/workers/calibration_parts.h"

/* Takes what the search needs from `arena`. */
void calibrate_take_search(struct arena *arena, const struct lab_capacity *capacity,
			   struct calibrate_state *c);

void calibrate_search(struct calibrate_state *c);
