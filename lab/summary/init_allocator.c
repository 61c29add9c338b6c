/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/init_allocator.h"

struct init_allocator init_allocator(const struct init_results *results,
				     const struct run_verdict *verdicts, enum policy policy)
{
	struct init_allocator found = { .policy = policy };

	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];

		if (run->policy != policy)
			continue;
		found.runs++;
		if (run->timed_out || verdicts[i].allocator_faults.any)
			continue;
		found.good++;
		if (!found.sample || (run->allocator.exercised && !found.sample->exercised))
			found.sample = &run->allocator;
	}
	return found;
}
