/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/bootstrap.h"

#include "lib/random.h"
#include "lib/stats.h"
#include "lib/string.h"

enum { TAIL = BOOTSTRAP_ROUNDS * 25 / 1000 }; /* 2.5 % at either end */
#define SEED 0x9e3779b97f4a7c15ull

static uint64_t median_of(const uint64_t *values, uint32_t count)
{
	uint64_t copy[BOOTSTRAP_VALUES_MAX];

	memcpy(copy, values, count * sizeof(copy[0]));
	return stats_summary(copy, count).median;
}

/* Keeps the `TAIL + 1` smallest of what is offered, the largest of them last. */
static void offer(uint64_t *kept, uint32_t *count, uint64_t value)
{
	uint32_t at = *count;

	if (at == TAIL + 1) {
		if (value >= kept[TAIL])
			return;
		at = TAIL;
	} else {
		++*count;
	}
	for (; at && kept[at - 1] > value; at--)
		kept[at] = kept[at - 1];
	kept[at] = value;
}

struct interval bootstrap_median(const uint64_t *values, uint32_t count)
{
	uint64_t drawn[BOOTSTRAP_VALUES_MAX], lowest[TAIL + 1], highest[TAIL + 1], seed = SEED;
	uint32_t low_count = 0, high_count = 0;
	struct interval interval = { 0 };

	if (count > BOOTSTRAP_VALUES_MAX)
		count = BOOTSTRAP_VALUES_MAX;
	if (!count)
		return interval;
	interval.median = interval.low = interval.high = median_of(values, count);
	if (count < BOOTSTRAP_VALUES_MIN)
		return interval;
	for (uint32_t round = 0; round < BOOTSTRAP_ROUNDS; round++) {
		uint64_t median;

		for (uint32_t i = 0; i < count; i++)
			drawn[i] = values[(random_u64(&seed) >> 32) % count];
		median = median_of(drawn, count);
		offer(lowest, &low_count, median);
		offer(highest, &high_count, ~median); /* the largest have the smallest complement */
	}
	interval.low = lowest[TAIL];
	interval.high = ~highest[TAIL];
	interval.known = true;
	return interval;
}
