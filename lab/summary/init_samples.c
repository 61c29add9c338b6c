/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/init_samples.h"

bool init_is_warm(const struct run_sample *run, enum policy policy)
{
	return run->policy == policy && !run->timed_out && !run->cold;
}

struct summary init_sum_up(const struct init_results *results, enum policy policy, size_t offset)
{
	uint64_t values[REPEAT_MAX];
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count && count < REPEAT_MAX; i++) {
		const struct run_sample *run = &results->runs[i];

		if (init_is_warm(run, policy))
			values[count++] = *(const uint64_t *)((const char *)run + offset);
	}
	return stats_summary(values, count);
}

const struct run_sample *init_first_run(const struct init_results *results, enum policy policy)
{
	for (uint32_t i = 0; i < results->run_count; i++)
		if (results->runs[i].policy == policy && !results->runs[i].timed_out)
			return &results->runs[i];
	return NULL;
}
