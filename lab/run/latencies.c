/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/latencies.h"

#include "lib/sort.h"

static bool cycles_before(const void *a, const void *b)
{
	return *(const uint64_t *)a < *(const uint64_t *)b;
}

static uint32_t log2_floor(uint64_t value)
{
	return value ? 63 - (uint32_t)__builtin_clzll(value) : 0;
}

void lab_sum_latencies(uint64_t *cycles, uint64_t count, struct async_sample *sample)
{
	for (uint64_t i = 0; i < count; i++)
		sample->histogram[log2_floor(cycles[i])]++;
	if (!count)
		return;
	sort(cycles, count, sizeof(cycles[0]), cycles_before);
	sample->min_cycles = cycles[0];
	sample->median_cycles = cycles[(count - 1) / 2];
	sample->p99_cycles = cycles[(count * 99 + 99) / 100 - 1];
	sample->max_cycles = cycles[count - 1];
}
