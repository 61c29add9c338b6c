/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How sure is a median? The percentile bootstrap, with integers and a fixed seed. */
#include <stdbool.h>
#include <stdint.h>

enum { BOOTSTRAP_VALUES_MAX = 100, BOOTSTRAP_ROUNDS = 1000, BOOTSTRAP_VALUES_MIN = 5 };

struct interval {
	uint64_t low, median, high; /* 95 % of the resampled medians lie in [low, high] */
	bool known;                 /* false: too few values, low = high = median */
};

/* Of `count` values; those beyond BOOTSTRAP_VALUES_MAX are not looked at. The same values give the
 * same interval. count 0 gives all zeros. */
struct interval bootstrap_median(const uint64_t *values, uint32_t count);
