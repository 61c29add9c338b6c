/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/siblings.h"

#include "lab/summary/thresholds.h"
#include "lib/stats.h"

enum { AS_FAST_MILLI = 1000 };

/* Of the slowest node where `node` is NODE_NONE; 0: no such run. */
static uint64_t cycles_of(const struct compare_results *results, uint32_t step, uint32_t node,
			  uint32_t repetition)
{
	uint64_t slowest = 0;

	for (uint32_t i = 0; i < results->sample_count; i++) {
		const struct step_sample *sample = &results->samples[i];

		if (sample->step == step && sample->repetition == repetition &&
		    (node == NODE_NONE || sample->node == node) && sample->cycles > slowest)
			slowest = sample->cycles;
	}
	return slowest;
}

static enum sibling_effect effect_of(const struct interval *interval)
{
	if (!interval->known)
		return SIBLINGS_TOO_FEW_RUNS;
	if (interval->low > AS_FAST_MILLI)
		return SIBLINGS_HELP;
	return interval->high < AS_FAST_MILLI ? SIBLINGS_HINDER : SIBLINGS_UNDECIDED;
}

struct sibling_ratio sibling_ratio_of(const struct compare_results *results, uint32_t node)
{
	uint32_t cores = results->rule_steps[RULE_CORES], all = results->rule_steps[RULE_ALL];
	struct sibling_ratio ratio = { .count = 0 };
	uint64_t ratios[REPEAT_MAX];

	for (uint32_t i = 0; i < results->repetitions && i < REPEAT_MAX; i++) {
		uint64_t with_cores = cycles_of(results, cores, node, i);
		uint64_t with_all = cycles_of(results, all, node, i);

		if (with_cores && with_all)
			ratios[ratio.count++] = mul_div_u64(with_cores, AS_FAST_MILLI, with_all);
	}
	ratio.interval = bootstrap_median(ratios, ratio.count);
	ratio.effect = effect_of(&ratio.interval);
	return ratio;
}
