/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/sweep_summary.h"

#include "lib/string.h"

enum { KNEE_PERCENT = 105 };

static uint32_t step_workers(const struct sweep_results *results, uint32_t step)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < results->sample_count; i++)
		if (results->samples[i].step == step && results->samples[i].workers > most)
			most = results->samples[i].workers;
	return most;
}

/* The slowest node of each run into report->samples and its pages beside it, by repetition. A
 * repetition that did not happen has no pages. */
static void slowest_nodes(struct report *report, const struct sweep_results *results, uint32_t step)
{
	memset(report->samples, 0, sizeof(report->samples));
	memset(report->sample_pages, 0, sizeof(report->sample_pages));
	for (uint32_t i = 0; i < results->sample_count; i++) {
		const struct step_sample *sample = &results->samples[i];

		if (sample->step != step || sample->repetition >= REPEAT_MAX ||
		    sample->cycles < report->samples[sample->repetition])
			continue;
		report->samples[sample->repetition] = sample->cycles;
		report->sample_pages[sample->repetition] = sample->pages;
	}
}

static uint64_t pages_near(const struct report *report, uint64_t median)
{
	uint64_t pages = 0, nearest = UINT64_MAX;

	for (uint32_t i = 0; i < REPEAT_MAX; i++) {
		uint64_t cycles = report->samples[i];
		uint64_t away = cycles > median ? cycles - median : median - cycles;

		if (!report->sample_pages[i] || away >= nearest)
			continue;
		nearest = away;
		pages = report->sample_pages[i];
	}
	return pages;
}

struct step_summary summarise_step(struct report *report, const struct sweep_results *results,
				   uint32_t step)
{
	struct step_summary summary = { .workers = step_workers(results, step) };
	uint32_t count = 0;

	slowest_nodes(report, results, step);
	for (uint32_t i = 0; i < REPEAT_MAX; i++)
		if (report->sample_pages[i])
			report->samples[count++] = report->samples[i];
	summary.cycles = stats_summary(report->samples, count);
	slowest_nodes(report, results, step);
	summary.pages = pages_near(report, summary.cycles.median);
	return summary;
}

uint64_t one_worker_cycles(struct report *report, const struct sweep_results *results)
{
	for (uint32_t i = 0; i < results->step_count; i++)
		if (results->steps[i].axis == SWEEP_WORKERS && results->steps[i].workers == 1)
			return summarise_step(report, results, i).cycles.median;
	return 0;
}

/* The steps of the worker axis on one node, without those that had no more workers than the one
 * before: a node smaller than the largest takes part in them with all its CPUs. */
static uint32_t node_steps(struct report *report, const struct sweep_results *results,
			   uint32_t node, struct step_summary steps[SWEEP_STEPS_MAX])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->step_count; i++) {
		struct step_summary summary;

		if (results->steps[i].axis != SWEEP_WORKERS)
			continue;
		summary = summarise_samples(report, results->samples, results->sample_count, i,
					    node);
		if (summary.cycles.count && (!count || summary.workers > steps[count - 1].workers))
			steps[count++] = summary;
	}
	return count;
}

bool find_knee(struct report *report, const struct sweep_results *results, uint32_t node,
	       struct knee *knee)
{
	struct step_summary steps[SWEEP_STEPS_MAX];
	uint32_t count = node_steps(report, results, node, steps), at = 0;
	uint64_t limit;

	if (!count)
		return false;
	knee->one = knee->best = steps[0];
	for (uint32_t i = 1; i < count; i++)
		if (steps[i].cycles.median < knee->best.cycles.median)
			knee->best = steps[i];
	limit = mul_div_u64(knee->best.cycles.median, KNEE_PERCENT, 100);
	while (steps[at].cycles.median > limit)
		at++;
	knee->knee = steps[at];
	return true;
}
