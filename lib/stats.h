/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Summaries of integer samples, without floating point. */
#include <stdint.h>

struct summary {
	uint32_t count;
	uint64_t mean;   /* rounded half up */
	uint64_t min;
	uint64_t median; /* of an even count: the mean of the middle two, rounded down */
	uint64_t max;
	uint64_t stddev; /* of the sample (n - 1), rounded to nearest; 0 for fewer than two */
};

/* Sorts `values` in place and sums up. count 0 gives all zeros. Correct for any 64-bit values: no
 * intermediate overflow. The standard deviation is exact while count * (max - min) is below 2^64;
 * beyond, each deviation loses one low bit for every bit that the product has above 64. */
struct summary stats_summary(uint64_t *values, uint32_t count);

/* a * b / c without overflow in between, rounded down; UINT64_MAX if the result does not fit.
 * c != 0. */
uint64_t mul_div_u64(uint64_t a, uint64_t b, uint64_t c);
