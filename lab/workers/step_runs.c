/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/step_runs.h"

#include "lab/run/capacity.h"
#include "lab/run/memory.h"
#include "lab/run/timed_run.h"
#include "lab/run/times.h"

void step_runs_take(struct step_runs *runs, struct arena *arena, const struct lab_input *input,
		    uint32_t extra_reserved, uint32_t steps, uint64_t chunk_pages)
{
	struct lab_needs needs = { chunk_pages, 1, false };
	struct lab_capacity c;

	lab_capacity(input, extra_reserved, &needs, &c);
	*runs = (struct step_runs){ .plan = lab_take_plan(arena, &c) };
	runs->samples = arena_take(arena, (uint64_t)steps * c.nodes * input->options->repeat,
				   sizeof(*runs->samples));
	runs->lab = lab_take(arena, input, &c);
}

bool step_runs_plan(struct step_runs *runs, const struct init_rules *rules, enum policy policy)
{
	const struct lab_input *input = runs->lab->input;

	return init_plan_build(runs->plan, input->topology, input->memmap, input->reserved,
			       rules) &&
	       lab_plan_fits(runs->lab, runs->plan, policy);
}

static void show_progress(struct step_runs *runs, const struct step_run *run)
{
	const struct lab_input *input = runs->lab->input;
	struct lab_progress progress = {
		.experiment = EXPERIMENT_SWEEP,
		.policy = run->request.policy,
		.repetition = run->request.repetition,
		.workers = run->workers,
		.chunk_pages = run->chunk_pages,
		.index = runs->index++,
		.count = runs->count,
		.elapsed_cycles = lab_now(runs->lab) - runs->lab->began_tsc,
	};

	if (input->progress)
		input->progress(input->progress_context, &progress);
}

bool step_runs_add(struct step_runs *runs, const struct step_run *run, struct run_sample *last)
{
	struct run_request request = run->request;

	show_progress(runs, run);
	*last = (struct run_sample){ .policy = request.policy, .repetition = request.repetition };
	if (!step_runs_plan(runs, &run->rules, request.policy))
		return false;
	request.plan = runs->plan;
	lab_run(runs->lab, &request, last);
	if (!last->timed_out)
		runs->sample_count += lab_step_samples(runs->lab, run->step, request.repetition,
						       runs->samples + runs->sample_count);
	return last->good;
}
