/* Gathers what the rules' numbers of workers gave, from one experiment after the other. */
#include "kernel/report_summary.h"
#include "kernel/report_sweep_summary.h"
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

static void take_best(struct worker_verdict *verdict, uint32_t node, uint32_t workers,
		      uint64_t cycles)
{
	struct worker_point *best = &verdict->best[node];

	if (cycles && (!best->cycles || cycles < best->cycles))
		*best = (struct worker_point){ workers, cycles };
}

/* ---- experiment init ------------------------------------------------------------------------ */

/* POLICY_COUNT: none measures this rule alone; ktask has a quarter, but also two passes. */
static enum policy policy_of(enum worker_rule rule)
{
	static const enum policy policies[RULE_COUNT] = {
		[RULE_QUARTER] = POLICY_COUNT, [RULE_ALL] = POLICY_ZONE,
		[RULE_CORES] = POLICY_CORES,   [RULE_HMAT] = POLICY_HMAT,
		[RULE_CALIBRATED] = POLICY_CALIBRATED, [RULE_AUTO] = POLICY_AUTO,
	};

	return policies[rule];
}

static uint64_t node_cycles(const struct init_results *results, enum policy policy, uint32_t node,
			    uint32_t repetition)
{
	for (uint32_t i = 0; i < results->node_count; i++)
		if (results->nodes[i].policy == policy && results->nodes[i].node == node &&
		    results->nodes[i].repetition == repetition)
			return results->nodes[i].cycles;
	return 0;
}

/* False where one of the two did not run: there are no later repetitions either. */
static bool add_ratio(struct worker_verdict *verdict, uint32_t node, uint64_t cores_cycles,
		      uint64_t all_cycles)
{
	if (!cores_cycles || !all_cycles || verdict->ratio_count[node] == REPEAT_MAX)
		return false;
	verdict->ratios[node][verdict->ratio_count[node]++] =
		mul_div_u64(cores_cycles, 1000, all_cycles);
	return true;
}

static bool has_siblings(const struct worker_verdict *verdict, uint32_t node)
{
	return verdict->times[node][RULE_ALL].count.workers >
	       verdict->times[node][RULE_CORES].count.workers;
}

static void add_init_ratios(struct worker_verdict *verdict, const struct init_results *results,
			    uint32_t node)
{
	uint32_t rep = 1;

	while (add_ratio(verdict, node, node_cycles(results, POLICY_CORES, node, rep),
			 node_cycles(results, POLICY_ZONE, node, rep)))
		rep++;
}

void worker_verdict_add_init(struct worker_verdict *verdict, struct report *report,
			     const struct init_results *results, uint32_t node_count)
{
	for (uint32_t node = 0; node < node_count; node++) {
		for (int rule = 0; rule < RULE_COUNT; rule++) {
			enum policy policy = policy_of((enum worker_rule)rule);
			struct worker_time *time = &verdict->times[node][rule];
			struct init_summary summary;

			if (policy == POLICY_COUNT || !summary_has_policy(results, policy))
				continue;
			summary = summarise_node(report, results, policy, node);
			time->ran = summary.workers;
			time->cycles = summary.cycles.median;
			take_best(verdict, node, time->ran, time->cycles);
		}
		if (has_siblings(verdict, node))
			add_init_ratios(verdict, results, node);
	}
}

/* ---- experiment sweep ----------------------------------------------------------------------- */

static uint64_t step_cycles(const struct sweep_results *results, uint32_t node, uint32_t workers,
			    uint32_t repetition)
{
	for (uint32_t i = 0; i < results->sample_count; i++) {
		const struct sweep_sample *sample = &results->samples[i];

		if (results->steps[sample->step].axis == SWEEP_WORKERS && sample->node == node &&
		    sample->workers == workers && sample->repetition == repetition)
			return sample->cycles;
	}
	return 0;
}

static void add_step(struct worker_verdict *verdict, struct report *report,
		     const struct sweep_results *results, uint32_t node, uint32_t step)
{
	struct step_summary summary = summarise_step_node(report, results, step, node);

	if (!summary.cycles.count)
		return;
	take_best(verdict, node, summary.workers, summary.cycles.median);
	for (int rule = 0; rule < RULE_COUNT; rule++) {
		struct worker_time *time = &verdict->times[node][rule];

		if (time->cycles || time->count.workers != summary.workers)
			continue;
		time->ran = summary.workers;
		time->cycles = summary.cycles.median;
	}
}

static void add_sweep_ratios(struct worker_verdict *verdict, const struct sweep_results *results,
			     uint32_t node)
{
	uint32_t cores = verdict->times[node][RULE_CORES].count.workers;
	uint32_t cpus = verdict->times[node][RULE_ALL].count.workers;

	if (verdict->ratio_count[node] || !has_siblings(verdict, node))
		return;
	for (uint32_t rep = 0; add_ratio(verdict, node, step_cycles(results, node, cores, rep),
					 step_cycles(results, node, cpus, rep));)
		rep++;
}

void worker_verdict_add_sweep(struct worker_verdict *verdict, struct report *report,
			      const struct sweep_results *results, uint32_t node_count)
{
	verdict->from_sweep = true;
	memset(verdict->best, 0, sizeof(verdict->best));
	for (uint32_t node = 0; node < node_count; node++) {
		for (uint32_t step = 0; step < results->step_count; step++)
			if (results->steps[step].axis == SWEEP_WORKERS)
				add_step(verdict, report, results, node, step);
		add_sweep_ratios(verdict, results, node);
	}
}
