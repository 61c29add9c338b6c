/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/summary.h"

#include "mm/init/policy.h"

static uint64_t run_cycles(const struct run_sample *run)
{
	return run->cycles;
}

static bool is_warm(const struct run_sample *run, enum policy policy)
{
	return run->policy == policy && !run->timed_out && !run->cold;
}

const struct run_sample *summary_first_run(const struct init_results *results,
						enum policy policy)
{
	for (uint32_t i = 0; i < results->run_count; i++)
		if (results->runs[i].policy == policy && !results->runs[i].timed_out)
			return &results->runs[i];
	return NULL;
}

const struct run_sample *summary_cold_run(const struct init_results *results)
{
	for (uint32_t i = 0; i < results->run_count; i++)
		if (results->runs[i].cold && !results->runs[i].timed_out)
			return &results->runs[i];
	return NULL;
}

bool summary_has_policy(const struct init_results *results, enum policy policy)
{
	for (uint32_t i = 0; i < results->policy_count; i++)
		if (results->policies[i] == policy)
			return true;
	return false;
}

struct summary summarise_field(struct report *report, const struct init_results *results,
			       enum policy policy,
			       uint64_t (*field)(const struct run_sample *run))
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count && count < REPEAT_MAX; i++)
		if (is_warm(&results->runs[i], policy))
			report->samples[count++] = field(&results->runs[i]);
	return stats_summary(report->samples, count);
}

/* Repetition 0 is the cold run. */
static struct init_summary node_alone(struct report *report, const struct init_results *results,
				      enum policy policy, uint32_t node)
{
	struct init_summary summary = { .workers = 0 };
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->node_count && count < REPEAT_MAX; i++) {
		const struct init_node_sample *sample = &results->nodes[i];

		if (sample->policy != policy || sample->node != node || !sample->repetition)
			continue;
		report->samples[count++] = sample->cycles;
		summary.workers = sample->workers;
		summary.pages = sample->pages;
	}
	summary.cycles = stats_summary(report->samples, count);
	return summary;
}

struct init_summary summarise_node(struct report *report, const struct init_results *results,
				   enum policy policy, uint32_t node)
{
	struct init_summary summary = node_alone(report, results, policy, node);

	summary.baseline_cycles = node_alone(report, results, POLICY_NODE, node).cycles.median;
	return summary;
}

/* The warm run of `policy` whose time is nearest to `median`, or NULL. */
static const struct run_sample *typical_run(const struct init_results *results,
						 enum policy policy, uint64_t median)
{
	const struct run_sample *nearest = NULL;
	uint64_t smallest = 0;

	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];
		uint64_t away = run->cycles > median ? run->cycles - median : median - run->cycles;

		if (!is_warm(run, policy) || (nearest && away >= smallest))
			continue;
		nearest = run;
		smallest = away;
	}
	return nearest;
}

/* Under policy serial the slowest node is the last one: its time is that of all nodes. */
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

struct init_summary summarise_runs(struct report *report, const struct init_results *results,
				   enum policy policy)
{
	struct init_summary summary = { .workers = most_workers(results, policy) };
	const struct run_sample *typical;

	summary.cycles = summarise_field(report, results, policy, run_cycles);
	summary.baseline_cycles = summarise_field(report, results, POLICY_NODE, run_cycles).median;
	typical = typical_run(results, policy, summary.cycles.median);
	if (typical)
		summary.pages = timed_pages(results, typical);
	return summary;
}

uint64_t summary_speedup_milli(const struct init_summary *summary)
{
	if (!summary->cycles.median)
		return 0;
	return mul_div_u64(summary->baseline_cycles, 1000, summary->cycles.median);
}
