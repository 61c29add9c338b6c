/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/steps.h"

struct step_summary summarise_samples(struct report *report, const struct step_sample *samples,
				      uint32_t count, uint32_t step, uint32_t node)
{
	struct step_summary summary = { .workers = 0 };
	uint32_t found = 0;

	for (uint32_t i = 0; i < count && found < REPEAT_MAX; i++) {
		const struct step_sample *sample = &samples[i];

		if (sample->step != step || sample->node != node)
			continue;
		report->samples[found++] = sample->cycles;
		summary.workers = sample->workers;
		summary.pages = sample->pages;
	}
	summary.cycles = stats_summary(report->samples, found);
	return summary;
}
