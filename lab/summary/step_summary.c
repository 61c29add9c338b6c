/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/step_summary.h"

#include "lab/options.h"
#include "lib/minmax.h"

struct step_summary summarise_on_node(const struct step_sample *samples, uint32_t count,
				      uint32_t step, uint32_t node)
{
	struct step_summary summary = { .workers = 0 };
	uint64_t cycles[REPEAT_MAX];
	uint32_t found = 0;

	for (uint32_t i = 0; i < count && found < REPEAT_MAX; i++) {
		const struct step_sample *sample = &samples[i];

		if (sample->step != step || sample->node != node)
			continue;
		cycles[found++] = sample->cycles;
		summary.workers = sample->workers;
		summary.pages = sample->pages;
	}
	summary.cycles = stats_summary(cycles, found);
	return summary;
}

/* By repetition. One that did not happen has no pages. */
struct slowest_nodes {
	uint64_t cycles[REPEAT_MAX], pages[REPEAT_MAX];
};

static uint64_t pages_near(const struct slowest_nodes *slowest, uint64_t median)
{
	uint64_t pages = 0, nearest = UINT64_MAX;

	for (uint32_t i = 0; i < REPEAT_MAX; i++) {
		uint64_t cycles = slowest->cycles[i];
		uint64_t away = abs_diff_u64(cycles, median);

		if (!slowest->pages[i] || away >= nearest)
			continue;
		nearest = away;
		pages = slowest->pages[i];
	}
	return pages;
}

struct step_summary summarise_slowest(const struct step_sample *samples, uint32_t count,
				      uint32_t step)
{
	struct step_summary summary = { .workers = 0 };
	struct slowest_nodes slowest = { .cycles = { 0 } };
	uint64_t cycles[REPEAT_MAX];
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct step_sample *sample = &samples[i];
		uint32_t repetition = sample->repetition;

		if (sample->step != step)
			continue;
		if (sample->workers > summary.workers)
			summary.workers = sample->workers;
		if (repetition >= REPEAT_MAX || sample->cycles < slowest.cycles[repetition])
			continue;
		slowest.cycles[repetition] = sample->cycles;
		slowest.pages[repetition] = sample->pages;
	}
	for (uint32_t i = 0; i < REPEAT_MAX; i++)
		if (slowest.pages[i])
			cycles[found++] = slowest.cycles[i];
	summary.cycles = stats_summary(cycles, found);
	summary.pages = pages_near(&slowest, summary.cycles.median);
	return summary;
}
