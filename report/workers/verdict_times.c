/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/verdict_times.h"

#include "lib/string.h"
#include "report/workers/compare.h"
#include "report/workers/steps.h"
#include "report/workers/workers.h"

void worker_verdict_begin(struct worker_verdict *verdict, const struct worker_facts *facts)
{
	memset(verdict, 0, sizeof(*verdict));
	verdict->nodes_share_cpus = worker_nodes_share_cpus(facts->topology);
	for (uint32_t node = 0; node < facts->topology->node_count; node++)
		for (int rule = 0; rule < RULE_COUNT; rule++)
			verdict->times[node][rule].count =
				worker_rules_count(facts, (enum worker_rule)rule, node);
}

static void add_times(struct worker_verdict *verdict, struct report *report,
		      const struct compare_results *results, uint32_t node)
{
	for (uint32_t step = 0; step < results->step_count; step++) {
		struct step_summary came = summarise_samples(report, results->samples,
							     results->sample_count, step, node);
		struct worker_point *best = &verdict->best[node];

		if (came.cycles.count && (!best->cycles || came.cycles.median < best->cycles))
			*best = (struct worker_point){ came.workers, came.cycles.median };
		for (int rule = 0; rule < RULE_COUNT; rule++) {
			struct worker_time *time = &verdict->times[node][rule];

			if (results->rule_steps[rule] != step || !time->count.workers)
				continue;
			time->ran = came.workers;
			time->cycles = came.cycles;
		}
	}
}

static void add_all(struct worker_verdict *verdict, struct report *report,
		    const struct compare_results *results)
{
	for (uint32_t step = 0; step < results->step_count; step++) {
		struct summary cycles = compared_all(report, results, step);

		if (cycles.count && (!verdict->all_best_cycles ||
				     cycles.median < verdict->all_best_cycles))
			verdict->all_best_cycles = cycles.median;
		for (int rule = 0; rule < RULE_COUNT; rule++)
			if (results->rule_steps[rule] == step)
				verdict->all[rule] = cycles;
	}
}

/* ---- siblings ------------------------------------------------------------------------------- */

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

static struct sibling_ratio ratio_of(const struct compare_results *results, uint32_t node)
{
	uint32_t cores = results->rule_steps[RULE_CORES], all = results->rule_steps[RULE_ALL];
	struct sibling_ratio ratio = { .count = 0 };
	uint64_t ratios[REPEAT_MAX];

	for (uint32_t i = 0; i < results->repetitions && i < REPEAT_MAX; i++) {
		uint64_t with_cores = cycles_of(results, cores, node, i);
		uint64_t with_all = cycles_of(results, all, node, i);

		if (with_cores && with_all)
			ratios[ratio.count++] = mul_div_u64(with_cores, 1000, with_all);
	}
	ratio.interval = bootstrap_median(ratios, ratio.count);
	return ratio;
}

void worker_verdict_add(struct worker_verdict *verdict, struct report *report,
			const struct compare_results *results, uint32_t node_count)
{
	memcpy(verdict->steps, results->rule_steps, sizeof(verdict->steps));
	add_all(verdict, report, results);
	if (verdict->steps[RULE_CORES] != verdict->steps[RULE_ALL])
		verdict->all_ratio = ratio_of(results, NODE_NONE);
	for (uint32_t node = 0; node < node_count; node++) {
		const struct worker_time *times = verdict->times[node];

		add_times(verdict, report, results, node);
		if (times[RULE_ALL].ran > times[RULE_CORES].ran)
			verdict->ratios[node] = ratio_of(results, node);
	}
}
