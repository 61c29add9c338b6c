/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/sweep.h"

#include "lab/run/begin.h"
#include "lab/run/memory.h"
#include "lab/run/timed_run.h"
#include "lab/run/times.h"
#include "lib/interleave.h"
#include "lib/page_units.h"
#include "mm/init/worker_rules.h"

#define CHUNK_PAGES_MIN BLOCK_PAGES
#define CHUNK_PAGES_MAX (2ull << 18)  /* 2 GiB */
/* Chunks so small that all RAM has more of them are left out: each needs a record. */
#define CHUNKS_MAX (1ull << 21)

struct sweep_state {
	struct lab *lab;
	struct init_plan *plan;
	struct sweep_results *results;
	uint32_t index; /* runs begun */
};

/* ---- steps ---------------------------------------------------------------------------------- */

static void add_step(struct sweep_results *results, enum sweep_axis axis, uint32_t workers,
		     uint64_t chunk_pages)
{
	if (results->step_count < SWEEP_STEPS_MAX)
		results->steps[results->step_count++] = (struct sweep_step){ axis, workers,
									      chunk_pages };
}

static uint64_t smallest_chunk(const struct topology *topology)
{
	uint64_t chunk_pages = CHUNK_PAGES_MIN;

	while (topology->ram_pages / chunk_pages > CHUNKS_MAX)
		chunk_pages *= 2;
	return chunk_pages;
}

static uint64_t most_deferred(const struct init_plan *plan)
{
	uint64_t most = 0;

	for (uint32_t node = 0; node < NODE_MAX; node++)
		if (plan->nodes[node].deferred_pages > most)
			most = plan->nodes[node].deferred_pages;
	return most;
}

/* With a fixed split the number of workers says how large a chunk is. */
static void find_steps(struct sweep_state *s)
{
	const struct lab_input *input = s->lab->input;
	uint32_t most = lab_most_online(input->topology);
	uint64_t deferred = most_deferred(s->plan);

	for (uint32_t workers = 1; workers < most; workers = worker_count_next(workers))
		add_step(s->results, SWEEP_WORKERS, workers, 0);
	add_step(s->results, SWEEP_WORKERS, most, 0);
	if (input->options->split == SPLIT_STATIC)
		return;
	for (uint64_t pages = smallest_chunk(input->topology);
	     pages <= CHUNK_PAGES_MAX && pages <= deferred; pages *= 2)
		add_step(s->results, SWEEP_CHUNK, most, pages);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static bool build_plan(struct sweep_state *s, const struct sweep_step *step)
{
	const struct lab_input *input = s->lab->input;
	struct init_rules rules = {
		.policy = POLICY_ZONE,
		.threads = step->workers,
		.chunk_pages = step->chunk_pages,
		.split = input->options->split,
		.cores_first = true,
	};

	return init_plan_build(s->plan, input->topology, input->memmap, input->reserved, &rules) &&
	       lab_plan_fits(s->lab, s->plan, POLICY_ZONE);
}

static void show_progress(struct sweep_state *s, const struct sweep_step *step,
			  uint32_t repetition)
{
	const struct lab_input *input = s->lab->input;
	struct lab_progress progress = {
		.experiment = EXPERIMENT_SWEEP,
		.policy = POLICY_ZONE,
		.repetition = repetition,
		.workers = step->workers,
		.chunk_pages = step->chunk_pages,
		.index = s->index++,
		.count = s->results->step_count * input->options->repeat,
		.elapsed_cycles = lab_now(s->lab) - s->lab->began_tsc,
	};

	if (input->progress)
		input->progress(input->progress_context, &progress);
}

static bool run_step(struct sweep_state *s, uint32_t step, uint32_t repetition)
{
	struct run_sample *run = &s->results->last;
	struct run_request request = {
		.plan = s->plan,
		.policy = POLICY_ZONE,
		.repetition = repetition,
		.inject = s->lab->input->options->inject,
		.exercise = !s->index,
	};

	show_progress(s, &s->results->steps[step], repetition);
	s->results->last_step = step;
	*run = (struct run_sample){ .policy = POLICY_ZONE, .repetition = repetition };
	if (!build_plan(s, &s->results->steps[step]))
		return false;
	lab_run(s->lab, &request, run);
	if (!run->timed_out)
		s->results->sample_count += lab_step_samples(
			s->lab, step, repetition, s->results->samples + s->results->sample_count);
	return run->good;
}

static bool run_all(struct sweep_state *s)
{
	uint32_t count = s->results->step_count;

	for (uint32_t repetition = 0; repetition < s->lab->input->options->repeat; repetition++)
		for (uint32_t i = 0; i < count; i++)
			if (!run_step(s, interleave(count, repetition, i), repetition))
				return false;
	return true;
}

/* ---- memory --------------------------------------------------------------------------------- */

static struct lab *lay_out(struct arena *arena, const struct lab_input *input,
			   uint32_t extra_reserved, struct sweep_state *s)
{
	struct lab_needs needs = { smallest_chunk(input->topology), 1, false };
	struct lab_capacity c;

	lab_capacity(input, extra_reserved, &needs, &c);
	*s->results = (struct sweep_results){ .page_size = input->options->page_size };
	s->plan = lab_take_plan(arena, &c);
	s->results->samples = arena_take(arena, (uint64_t)SWEEP_STEPS_MAX * c.nodes *
						input->options->repeat,
					 sizeof(*s->results->samples));
	return lab_take(arena, input, &c);
}

uint64_t sweep_run_bytes(const struct lab_input *input, uint32_t extra_reserved)
{
	struct arena arena = { 0 };
	struct sweep_results results;
	struct sweep_state s = { .results = &results };

	lay_out(&arena, input, extra_reserved, &s);
	return arena.used;
}

bool sweep_run(const struct lab_input *input, void *memory, uint64_t bytes,
	       struct sweep_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct sweep_state s = { .results = results };
	const struct sweep_step all = { SWEEP_WORKERS, 0, 0 };

	s.lab = lay_out(&arena, input, 0, &s);
	if (!s.lab || !lab_begin(s.lab) || !build_plan(&s, &all))
		return false;
	results->expected = s.lab->expected;
	results->store = s.lab->store;
	find_steps(&s);
	results->verified = run_all(&s);
	return true;
}
