/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The smaller, the larger, and sums and differences that stop at the ends of the type. */
#include <stdint.h>

static inline uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static inline uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The number in [least, most] that is nearest to `value`; least <= most. */
static inline uint64_t clamp_u64(uint64_t value, uint64_t least, uint64_t most)
{
	return min_u64(max_u64(value, least), most);
}

/* a + b, at most UINT64_MAX. */
static inline uint64_t saturating_add_u64(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* a - b, at least 0. */
static inline uint64_t saturating_sub_u64(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* How far a and b lie apart. */
static inline uint64_t abs_diff_u64(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}
