/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What a lab and its plans take of an arena. NULL: there was not enough. */
#include "lab/run/arena.h"
#include "lab/run/capacity.h"
#include "lab/run/state.h"

struct init_plan *lab_take_plan(struct arena *arena, const struct lab_capacity *capacity);
struct lab *lab_take(struct arena *arena, const struct lab_input *input,
		     const struct lab_capacity *capacity);
