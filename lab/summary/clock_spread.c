/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/clock_spread.h"

#include "lib/minmax.h"

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

struct clock_spread clock_spread(const struct topology *topology)
{
	struct clock_spread spread = { .cpus = 0 };

	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		const struct cpu *cpu = &topology->cpus[i];
		uint64_t low = magnitude(cpu->tsc_low), high = magnitude(cpu->tsc_high);

		if (!cpu->tsc_bounded || cpu->boot)
			continue;
		spread.cpus++;
		spread.drifting += cpu->tsc_low > cpu->tsc_high;
		spread.most_cycles = max_u64(spread.most_cycles, max_u64(low, high));
	}
	return spread;
}
