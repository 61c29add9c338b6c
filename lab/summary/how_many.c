/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/how_many.h"

#include "lab/options.h"
#include "lab/summary/step_summary.h"
#include "lab/summary/worker_advice.h"
#include "lib/string.h"


/* ---- numbers -------------------------------------------------------------------------------- */

/* Rule auto is calibrated's where there are CPUs. */
static bool is_own(const struct worker_count *count, enum worker_rule rule)
{
	return count->used == rule || (rule == RULE_AUTO && count->used == RULE_CALIBRATED);
}

/* Marks rules that give a node the same number, in the same runs. */
static void find_same(struct worker_verdict *verdict)
{
	for (int rule = 0; rule < RULE_COUNT; rule++) {
		int first = 0;

		while (verdict->steps[first] != verdict->steps[rule])
			first++;
		verdict->step_same_as[rule] = (enum worker_rule)first;
	}
	for (uint32_t node = 0; node < verdict->node_count; node++)
		for (int rule = 0; rule < RULE_COUNT; rule++) {
			const uint32_t (*workers)[NODE_MAX] = verdict->numbers->workers;
			int first = 0;

			while (workers[first][node] != workers[rule][node] ||
			       verdict->steps[first] != verdict->steps[rule])
				first++;
			verdict->times[node][rule].same_as = (enum worker_rule)first;
		}
}

void worker_verdict_begin(struct worker_verdict *verdict, const struct topology *topology,
			  const struct rule_numbers *numbers)
{
	memset(verdict, 0, sizeof(*verdict));
	verdict->numbers = numbers;
	verdict->node_count = topology->node_count;
	verdict->nodes_share_cpus = worker_nodes_share_cpus(topology);
	for (uint32_t node = 0; node < topology->node_count; node++) {
		for (int rule = 0; rule < RULE_COUNT; rule++)
			verdict->times[node][rule].own = is_own(&numbers->counts[rule][node],
								(enum worker_rule)rule);
		verdict->has_siblings[node] =
			numbers->workers[RULE_ALL][node] > numbers->workers[RULE_CORES][node];
		verdict->any_siblings |= verdict->has_siblings[node];
	}
	find_same(verdict);
	worker_advise(verdict);
}

/* ---- times ---------------------------------------------------------------------------------- */

static void add_times(struct worker_verdict *verdict, const struct compare_results *results,
		      uint32_t node)
{
	for (uint32_t step = 0; step < results->step_count; step++) {
		struct step_summary came = summarise_on_node(results->samples,
							     results->sample_count, step, node);
		struct worker_point *best = &verdict->best[node];

		if (came.cycles.count && (!best->cycles || came.cycles.median < best->cycles))
			*best = (struct worker_point){ came.workers, came.cycles.median };
		for (int rule = 0; rule < RULE_COUNT; rule++) {
			struct worker_time *time = &verdict->times[node][rule];

			if (results->rule_steps[rule] != step ||
			    !verdict->numbers->workers[rule][node])
				continue;
			time->ran = came.workers;
			time->cycles = came.cycles;
		}
	}
}

static void add_all(struct worker_verdict *verdict, const struct compare_results *results)
{
	for (uint32_t step = 0; step < results->step_count; step++) {
		struct summary cycles = summarise_slowest(results->samples, results->sample_count,
							  step).cycles;

		if (cycles.count && (!verdict->all_best_cycles ||
				     cycles.median < verdict->all_best_cycles))
			verdict->all_best_cycles = cycles.median;
		for (int rule = 0; rule < RULE_COUNT; rule++)
			if (results->rule_steps[rule] == step)
				verdict->all[rule] = cycles;
	}
}

void worker_verdict_add(struct worker_verdict *verdict, const struct compare_results *results)
{
	memcpy(verdict->steps, results->rule_steps, sizeof(verdict->steps));
	find_same(verdict);
	add_all(verdict, results);
	if (verdict->steps[RULE_CORES] != verdict->steps[RULE_ALL])
		verdict->all_ratio = sibling_ratio_of(results, NODE_NONE);
	for (uint32_t node = 0; node < verdict->node_count; node++) {
		const struct worker_time *times = verdict->times[node];

		add_times(verdict, results, node);
		if (times[RULE_ALL].ran > times[RULE_CORES].ran)
			verdict->ratios[node] = sibling_ratio_of(results, node);
	}
	worker_advise(verdict);
}
