/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/sweep.h"

#include "lib/string.h"
#include "mm/init/worker_rules.h"

static void summarise_steps(struct sweep_summary *summary, const struct sweep_results *results)
{
	for (uint32_t i = 0; i < results->step_count; i++) {
		const struct sweep_step *step = &results->steps[i];

		summary->has_axis[step->axis] = true;
		summary->steps[i] = summarise_slowest(results->samples, results->sample_count, i);
		if (step->axis == SWEEP_WORKERS && step->workers == 1)
			summary->one_worker_cycles = summary->steps[i].cycles.median;
	}
}

/* The steps of the worker axis on one node, without those that had no more workers than the one
 * before: a node smaller than the largest takes part in them with all its CPUs. */
static uint32_t node_steps(const struct sweep_results *results, uint32_t node,
			   struct step_summary steps[SWEEP_STEPS_MAX])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->step_count; i++) {
		struct step_summary summary;

		if (results->steps[i].axis != SWEEP_WORKERS)
			continue;
		summary = summarise_on_node(results->samples, results->sample_count, i, node);
		if (summary.cycles.count && (!count || summary.workers > steps[count - 1].workers))
			steps[count++] = summary;
	}
	return count;
}

static struct knee find_knee(const struct sweep_results *results, uint32_t node)
{
	struct step_summary steps[SWEEP_STEPS_MAX];
	uint32_t count = node_steps(results, node, steps), best = 0, at = 0;
	struct knee knee = { .node = node };

	if (!count)
		return knee;
	for (uint32_t i = 1; i < count; i++)
		if (steps[i].cycles.median < steps[best].cycles.median)
			best = i;
	while (!worker_time_is_near(steps[at].cycles.median, steps[best].cycles.median))
		at++;
	knee.workers = steps[at].workers;
	knee.pages = steps[at].pages;
	knee.cycles = steps[at].cycles.median;
	knee.best_workers = steps[best].workers;
	knee.best_cycles = steps[best].cycles.median;
	if (steps[0].workers == 1)
		knee.one_worker_cycles = steps[0].cycles.median;
	return knee;
}

void summarise_sweep(struct sweep_summary *summary, const struct sweep_results *results,
		     uint32_t node_count)
{
	memset(summary, 0, sizeof(*summary));
	summarise_steps(summary, results);
	for (uint32_t node = 0; node < node_count; node++)
		summary->knees[node] = find_knee(results, node);
}
