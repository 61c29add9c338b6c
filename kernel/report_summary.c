#include "kernel/report_summary.h"

static uint64_t run_cycles(const struct init_run_sample *run)
{
	return run->cycles;
}

static uint64_t wake_cycles(const struct init_run_sample *run)
{
	return run->wake_cycles;
}

static uint64_t early_cycles(const struct init_run_sample *run)
{
	return run->early_cycles;
}

static struct summary summarise_field(struct report *report, const struct init_results *results,
				      enum policy policy,
				      uint64_t (*field)(const struct init_run_sample *run))
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count && count < REPEAT_MAX; i++)
		if (results->runs[i].policy == policy && !results->runs[i].timed_out)
			report->samples[count++] = field(&results->runs[i]);
	return stats_summary(report->samples, count);
}

struct summary summarise_wake(struct report *report, const struct init_results *results,
			      enum policy policy)
{
	return summarise_field(report, results, policy, wake_cycles);
}

struct summary summarise_early(struct report *report, const struct init_results *results,
			       enum policy policy)
{
	return summarise_field(report, results, policy, early_cycles);
}

static struct init_summary node_alone(struct report *report, const struct init_results *results,
				      enum policy policy, uint32_t node)
{
	struct init_summary summary = { .workers = 0 };
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->node_count && count < REPEAT_MAX; i++) {
		const struct init_node_sample *sample = &results->nodes[i];

		if (sample->policy != policy || sample->node != node)
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

/* The run of `policy` whose time is nearest to `median`, or NULL. */
static const struct init_run_sample *typical_run(const struct init_results *results,
						 enum policy policy, uint64_t median)
{
	const struct init_run_sample *nearest = NULL;
	uint64_t smallest = 0;

	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct init_run_sample *run = &results->runs[i];
		uint64_t away = run->cycles > median ? run->cycles - median : median - run->cycles;

		if (run->policy != policy || (nearest && away >= smallest))
			continue;
		nearest = run;
		smallest = away;
	}
	return nearest;
}

static uint64_t slowest_pages(const struct init_results *results, const struct init_run_sample *run)
{
	uint64_t pages = 0, cycles = 0;

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
	const struct init_run_sample *typical;

	summary.cycles = summarise_field(report, results, policy, run_cycles);
	summary.baseline_cycles = summarise_field(report, results, POLICY_NODE, run_cycles).median;
	typical = typical_run(results, policy, summary.cycles.median);
	if (typical)
		summary.pages = slowest_pages(results, typical);
	return summary;
}
