/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/lazy_first_use.h"

#include "lab/summary/init_samples.h"
#include "lib/minmax.h"

struct init_first_use init_first_use(const struct init_results *results, enum policy policy,
				     const struct summary *runs)
{
	struct init_first_use use = { .pages = 0 };
	uint64_t cycles[REPEAT_MAX], fill[REPEAT_MAX];
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count && count < REPEAT_MAX; i++) {
		const struct run_sample *run = &results->runs[i];

		if (!init_is_warm(run, policy) || !run->lazy.first_use_pages)
			continue;
		cycles[count] = run->lazy.first_use_cycles;
		fill[count++] = run->lazy.fill_cycles;
		use.pages = run->lazy.first_use_pages;
		use.filled_blocks = run->lazy.filled_blocks;
	}
	use.cycles = stats_summary(cycles, count);
	use.fill = stats_summary(fill, count);
	use.filled_pages = mul_div_u64(use.filled_blocks, BLOCK_PAGES - 1, 1);
	use.both_known = runs->count && count;
	use.both_cycles = saturating_add_u64(runs->median, use.cycles.median);
	return use;
}
