/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Multiples of a step, which is any number but 0. Exact for every value: nothing wraps. */
#include <stdint.h>

#include "lib/minmax.h"

static inline uint64_t round_down_u64(uint64_t value, uint64_t step)
{
	return value - value % step;
}

/* UINT64_MAX where the multiple does not fit in 64 bits. */
static inline uint64_t round_up_u64(uint64_t value, uint64_t step)
{
	uint64_t rest = value % step;

	return rest ? saturating_add_u64(value, step - rest) : value;
}

/* value / step, rounded up. */
static inline uint64_t div_round_up_u64(uint64_t value, uint64_t step)
{
	return value / step + (value % step != 0);
}
