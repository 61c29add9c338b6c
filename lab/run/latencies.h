/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What allocations took. */
#include "lab/run/sample.h"

/* Least, median (the lower of two), 99th percentile (the least that 99 % do not exceed), most, and
 * the histogram. Sorts `cycles`. */
void lab_sum_latencies(uint64_t *cycles, uint64_t count, struct async_sample *sample);
