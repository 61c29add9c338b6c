/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/init.h"

#include "lab/summary/clock_spread.h"
#include "lab/summary/cold_run.h"
#include "lab/summary/init_samples.h"
#include "lab/summary/quotable.h"
#include "lib/assert.h"
#include "lib/string.h"
#include "mm/init/policy.h"

/* ---- one policy ----------------------------------------------------------------------------- */

static struct summary second_pass(const struct init_results *results, enum policy policy)
{
	uint64_t values[REPEAT_MAX];
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count && count < REPEAT_MAX; i++) {
		const struct run_sample *run = &results->runs[i];

		if (init_is_warm(run, policy))
			values[count++] = cycles_between(run->first_pass_cycles, run->cycles);
	}
	return stats_summary(values, count);
}

static void sum_up_parts(const struct init_results *results, enum policy policy,
			 struct init_policy_summary *summary)
{
	const struct run_sample *first = init_first_run(results, policy);
	const struct run_sample *cold = init_cold_run(results);

	if (first) {
		summary->all_workers = first->workers;
		summary->early_pages = first->early_pages;
	}
	summary->was_cold = cold && cold->policy == policy;
	if (summary->was_cold)
		summary->cold_cycles = cold->cycles;
	summary->wake = init_sum_up(results, policy, offsetof(struct run_sample, wake_cycles));
	summary->early = init_sum_up(results, policy, offsetof(struct run_sample, early_cycles));
	if (!results->init_only)
		summary->early_free = init_sum_up(results, policy,
						  offsetof(struct run_sample, early_free_cycles));
	summary->first_pass = init_sum_up(results, policy,
					  offsetof(struct run_sample, first_pass_cycles));
	summary->second_pass = second_pass(results, policy);
}

/* Of the boot CPU alone no other clock is asked. */
static void sum_up_policy(const struct init_results *results, enum policy policy,
			  uint64_t offset_cycles, const struct run_verdict *verdicts,
			  struct init_policy_summary *summary)
{
	summary->time = init_time_of_runs(results, policy);
	summary->scatters = summary_scatters(&summary->time.cycles);
	summary->vague = policy_rule(policy)->workers != WORKERS_BOOT &&
			 summary_is_vague(&summary->time.cycles, offset_cycles);
	sum_up_parts(results, policy, summary);
	summary->first_use = init_first_use(results, policy, &summary->time.cycles);
	summary->disturbed = init_disturbed(results, policy);
	summary->allocator = init_allocator(results, verdicts, policy);
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The baseline comes first among the policies. */
static void sum_up_nodes(const struct init_results *results, struct init_summary *summary)
{
	for (uint32_t node = 0; node < summary->node_count; node++) {
		uint64_t baseline = init_time_of_node(results, POLICY_NODE, node, 0).cycles.median;

		for (uint32_t i = 0; i < results->policy_count; i++)
			summary->node_times[i * summary->node_count + node] =
				init_time_of_node(results, results->policies[i], node, baseline);
	}
}

static void judge_runs(const struct init_results *results, struct init_summary *summary)
{
	for (uint32_t i = 0; i < results->run_count; i++) {
		struct run_verdict *verdict = &summary->verdicts[i];

		*verdict = judge_run(&results->runs[i], &results->expected, results->init_only);
		summary->memmaps_good += verdict->memmap_good;
		summary->allocators_good += verdict->allocator_good;
	}
}

static void sum_up_all(const struct init_results *results, struct init_summary *summary)
{
	for (uint32_t i = 0; i < results->policy_count; i++) {
		const struct init_disturbed *disturbed = &summary->policies[i].disturbed;

		summary->anything_deferred |= results->plans[i]->deferred_pages != 0;
		summary->disturbance_known |= disturbed->smi_known || disturbed->permille.count;
	}
	summary->cold = init_cold_run(results);
	if (summary->cold)
		summary->cold_warm_cycles =
			init_sum_up(results, summary->cold->policy,
				    offsetof(struct run_sample, cycles)).median;
	init_sum_up_async(results, &summary->async);
}

_Static_assert(sizeof(struct init_summary) <= INIT_SPARE_BYTES, "left by the runs");
_Static_assert(sizeof(struct init_time) <= INIT_SPARE_EACH, "left by the runs");
_Static_assert(sizeof(struct run_verdict) <= INIT_SPARE_RUN, "left by the runs");

uint64_t init_summary_bytes(const struct init_results *results, const struct topology *topology)
{
	return sizeof(struct init_summary) + results->run_count * sizeof(struct run_verdict) +
	       (uint64_t)results->policy_count * topology->node_count * sizeof(struct init_time);
}

const struct init_summary *init_summarise(const struct init_results *results,
					  const struct topology *topology)
{
	uint64_t offset_cycles = clock_spread(topology).most_cycles;
	struct init_summary *summary = results->spare;

	lab_assert(init_summary_bytes(results, topology) <= results->spare_bytes);
	memset(summary, 0, sizeof(*summary));
	summary->policy_count = results->policy_count;
	summary->node_count = topology->node_count;
	summary->verdicts = (struct run_verdict *)(summary + 1);
	summary->node_times = (struct init_time *)(summary->verdicts + results->run_count);
	judge_runs(results, summary);
	for (uint32_t i = 0; i < results->policy_count; i++)
		sum_up_policy(results, results->policies[i], offset_cycles, summary->verdicts,
			      &summary->policies[i]);
	sum_up_nodes(results, summary);
	sum_up_all(results, summary);
	return summary;
}

/* ---- questions ------------------------------------------------------------------------------ */

const struct init_time *init_node_time(const struct init_summary *summary, uint32_t which,
				       uint32_t node)
{
	return &summary->node_times[which * summary->node_count + node];
}

const struct init_time *init_best_time(const struct init_summary *summary, uint32_t node)
{
	const struct init_time *best = NULL;

	for (uint32_t i = 0; i < summary->policy_count; i++) {
		const struct init_time *time = init_node_time(summary, i, node);

		if (init_is_comparable(time->policy) && time->cycles.count &&
		    (!best || time->cycles.median < best->cycles.median))
			best = time;
	}
	return best;
}

bool init_has_policy(const struct init_summary *summary, enum policy policy)
{
	for (uint32_t i = 0; i < summary->policy_count; i++)
		if (summary->policies[i].time.policy == policy)
			return true;
	return false;
}
