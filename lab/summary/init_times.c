/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/init_times.h"

#include "lab/summary/init_samples.h"
#include "lib/limits.h"
#include "mm/init/policy.h"

/* What follows from cycles and pages. */
static void complete(const struct init_results *results, struct init_time *time)
{
	bool lazy = policy_rule(time->policy)->passes == PASS_LAZY && !results->init_only;

	time->descriptor_bytes = results->page_size;
	time->stored_pages = lazy ? 0 : time->pages;
	if (time->cycles.median)
		time->speedup_milli = mul_div_u64(time->baseline_cycles, 1000,
						  time->cycles.median);
}

/* Repetition 0 is the cold run. */
struct init_time init_time_of_node(const struct init_results *results, enum policy policy,
				   uint32_t node, uint64_t baseline_cycles)
{
	struct init_time time = { .policy = policy, .node = node,
				  .baseline_cycles = baseline_cycles };
	uint64_t values[REPEAT_MAX];
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->node_count && count < REPEAT_MAX; i++) {
		const struct init_node_sample *sample = &results->nodes[i];

		if (sample->policy != policy || sample->node != node || !sample->repetition)
			continue;
		values[count++] = sample->cycles;
		time.workers = sample->workers;
		time.pages = sample->pages;
	}
	time.cycles = stats_summary(values, count);
	if (policy == POLICY_NODE)
		time.baseline_cycles = time.cycles.median;
	complete(results, &time);
	return time;
}

/* The warm run of `policy` whose time is nearest to `median`, or NULL. */
static const struct run_sample *typical_run(const struct init_results *results, enum policy policy,
					    uint64_t median)
{
	const struct run_sample *nearest = NULL;
	uint64_t smallest = 0;

	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];
		uint64_t away = run->cycles > median ? run->cycles - median : median - run->cycles;

		if (!init_is_warm(run, policy) || (nearest && away >= smallest))
			continue;
		nearest = run;
		smallest = away;
	}
	return nearest;
}

static uint64_t timed_pages(const struct init_results *results, const struct run_sample *run)
{
	uint64_t pages = 0, cycles = 0;

	if (policy_rule(run->policy)->workers == WORKERS_BOOT)
		return run->pages;
	for (uint32_t i = 0; i < results->node_count; i++) {
		const struct init_node_sample *sample = &results->nodes[i];

		if (sample->policy != run->policy || sample->repetition != run->repetition ||
		    sample->cycles < cycles)
			continue;
		cycles = sample->cycles;
		pages = sample->pages;
	}
	return pages;
}

static uint32_t most_workers(const struct init_results *results, enum policy policy)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < results->node_count; i++)
		if (results->nodes[i].policy == policy && results->nodes[i].workers > most)
			most = results->nodes[i].workers;
	return most;
}

struct init_time init_time_of_runs(const struct init_results *results, enum policy policy)
{
	const size_t cycles = offsetof(struct run_sample, cycles);
	struct init_time time = { .policy = policy, .node = NODE_NONE,
				  .workers = most_workers(results, policy) };
	const struct run_sample *typical;

	time.cycles = init_sum_up(results, policy, cycles);
	time.baseline_cycles = init_sum_up(results, POLICY_NODE, cycles).median;
	typical = typical_run(results, policy, time.cycles.median);
	if (typical)
		time.pages = timed_pages(results, typical);
	complete(results, &time);
	return time;
}

bool init_is_comparable(enum policy policy)
{
	const struct policy_rule *rule = policy_rule(policy);

	return rule->workers != WORKERS_BOOT && rule->passes != PASS_LAZY;
}
