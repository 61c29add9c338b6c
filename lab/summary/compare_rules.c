/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/compare_rules.h"

/* The step of the sweep with the fewest workers above `number`; step_count: none. */
static uint32_t next_swept(const struct compare_results *results, uint32_t number)
{
	uint32_t found = results->step_count;

	for (uint32_t i = 0; i < results->step_count; i++)
		if (results->steps[i].swept > number &&
		    (found == results->step_count ||
		     results->steps[i].swept < results->steps[found].swept))
			found = i;
	return found;
}

uint32_t summarise_numbers(const struct compare_results *results, uint32_t node,
			   struct step_summary numbers[COMPARE_STEPS_MAX])
{
	uint32_t number = 0, workers = 0, count = 0, step;

	while ((step = next_swept(results, number)) != results->step_count) {
		struct step_summary came = summarise_on_node(results->samples,
							     results->sample_count, step, node);

		number = results->steps[step].swept;
		if (came.workers > workers)
			numbers[count++] = came;
		workers = came.workers;
	}
	return count;
}
