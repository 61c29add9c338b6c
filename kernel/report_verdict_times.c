/* Gathers what the rules' numbers of workers gave. */
#include "kernel/report_workers.h"
#include "lib/string.h"

void worker_verdict_begin(struct worker_verdict *verdict, const struct worker_facts *facts)
{
	memset(verdict, 0, sizeof(*verdict));
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

		if (came.cycles && (!best->cycles || came.cycles < best->cycles))
			*best = (struct worker_point){ came.workers, came.cycles };
		for (int rule = 0; rule < RULE_COUNT; rule++) {
			struct worker_time *time = &verdict->times[node][rule];

			if (results->rule_steps[rule] != step || !time->count.workers)
				continue;
			time->step = step;
			time->ran = came.workers;
			time->cycles = came.cycles;
		}
	}
}

static void add_all(struct worker_verdict *verdict, struct report *report,
		    const struct compare_results *results)
{
	for (uint32_t step = 0; step < results->step_count; step++) {
		uint64_t cycles = compared_all(report, results, step).cycles;

		if (cycles && (!verdict->all_best_cycles || cycles < verdict->all_best_cycles))
			verdict->all_best_cycles = cycles;
		for (int rule = 0; rule < RULE_COUNT; rule++)
			if (results->rule_steps[rule] == step)
				verdict->all_cycles[rule] = cycles;
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

static void add_ratios(struct worker_verdict *verdict, const struct compare_results *results,
		       uint32_t node)
{
	for (uint32_t i = 0; i < results->repetitions && i < REPEAT_MAX; i++) {
		uint64_t cores = cycles_of(results, results->rule_steps[RULE_CORES], node, i);
		uint64_t all = cycles_of(results, results->rule_steps[RULE_ALL], node, i);

		if (cores && all)
			verdict->ratios[node][verdict->ratio_count[node]++] =
				mul_div_u64(cores, 1000, all);
	}
}

void worker_verdict_add(struct worker_verdict *verdict, struct report *report,
			const struct compare_results *results, uint32_t node_count)
{
	add_all(verdict, report, results);
	for (uint32_t node = 0; node < node_count; node++) {
		const struct worker_time *times = verdict->times[node];

		add_times(verdict, report, results, node);
		if (times[RULE_ALL].ran > times[RULE_CORES].ran)
			add_ratios(verdict, results, node);
	}
}
