/* Gathers what the rules' numbers of workers gave. */
#include "kernel/report_workers.h"
#include "lib/string.h"

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
		struct compared came = compared_node(report, results, step, node);
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
		struct summary cycles = compared_all(report, results, step).cycles;

		if (cycles.count && (!verdict->all_best_cycles ||
				     cycles.median < verdict->all_best_cycles))
			verdict->all_best_cycles = cycles.median;
		for (int rule = 0; rule < RULE_COUNT; rule++)
			if (results->rule_steps[rule] == step)
				verdict->all[rule] = cycles;
	}
}

/* ---- siblings ------------------------------------------------------------------------------- */

static uint64_t cycles_of(const struct compare_results *results, uint32_t step, uint32_t node,
			  uint32_t repetition)
{
	for (uint32_t i = 0; i < results->sample_count; i++) {
		const struct compare_sample *sample = &results->samples[i];

		if (sample->step == step && sample->node == node &&
		    sample->repetition == repetition)
			return sample->cycles;
	}
	return 0;
}

/* Of the slowest node; 0: no such run. */
static uint64_t all_cycles_of(const struct compare_results *results, uint32_t step,
			      uint32_t repetition)
{
	uint64_t slowest = 0;

	for (uint32_t i = 0; i < results->sample_count; i++) {
		const struct compare_sample *sample = &results->samples[i];

		if (sample->step == step && sample->repetition == repetition &&
		    sample->cycles > slowest)
			slowest = sample->cycles;
	}
	return slowest;
}

static void add_ratio(uint64_t ratios[REPEAT_MAX], uint32_t *count, uint64_t cores, uint64_t all)
{
	if (cores && all)
		ratios[(*count)++] = mul_div_u64(cores, 1000, all);
}

static void add_ratios(struct worker_verdict *verdict, const struct compare_results *results,
		       uint32_t node)
{
	uint32_t cores = results->rule_steps[RULE_CORES], all = results->rule_steps[RULE_ALL];

	for (uint32_t i = 0; i < results->repetitions && i < REPEAT_MAX; i++)
		add_ratio(verdict->ratios[node], &verdict->ratio_count[node],
			  cycles_of(results, cores, node, i), cycles_of(results, all, node, i));
}

static void add_all_ratios(struct worker_verdict *verdict, const struct compare_results *results)
{
	uint32_t cores = results->rule_steps[RULE_CORES], all = results->rule_steps[RULE_ALL];

	for (uint32_t i = 0; i < results->repetitions && i < REPEAT_MAX && cores != all; i++)
		add_ratio(verdict->all_ratios, &verdict->all_ratio_count,
			  all_cycles_of(results, cores, i), all_cycles_of(results, all, i));
}

void worker_verdict_add(struct worker_verdict *verdict, struct report *report,
			const struct compare_results *results, uint32_t node_count)
{
	memcpy(verdict->steps, results->rule_steps, sizeof(verdict->steps));
	add_all(verdict, report, results);
	add_all_ratios(verdict, results);
	for (uint32_t node = 0; node < node_count; node++) {
		const struct worker_time *times = verdict->times[node];

		add_times(verdict, report, results, node);
		if (times[RULE_ALL].ran > times[RULE_CORES].ran)
			add_ratios(verdict, results, node);
	}
}
