/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Whether a median is certain enough to be passed on. */
#include <stdbool.h>
#include <stdint.h>

#include "lib/stats.h"

/* The standard deviation is above THRESHOLD_STDDEV_PERCENT of the mean. */
bool summary_scatters(const struct summary *cycles);

/* Where the clocks of two CPUs may lie `offset_cycles` apart: that is above THRESHOLD_CLOCK_PERCENT
 * of the median. False where there is no sample. */
bool summary_is_vague(const struct summary *cycles, uint64_t offset_cycles);
