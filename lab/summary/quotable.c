/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/quotable.h"

#include "lab/summary/thresholds.h"

/* part / percent * 100 > whole, however large they are. */
static bool is_above(uint64_t part, uint64_t whole, uint64_t percent)
{
	return mul_div_u64(part, 100, percent) > whole;
}

bool summary_scatters(const struct summary *cycles)
{
	return is_above(cycles->stddev, cycles->mean, THRESHOLD_STDDEV_PERCENT);
}

bool summary_is_vague(const struct summary *cycles, uint64_t offset_cycles)
{
	return cycles->count && is_above(offset_cycles, cycles->median, THRESHOLD_CLOCK_PERCENT);
}
