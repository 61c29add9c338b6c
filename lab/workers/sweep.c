/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/sweep.h"

#include "lab/run/begin.h"
#include "lab/run/arena.h"
#include "lab/run/state.h"
#include "lab/workers/step_runs.h"
#include "lib/interleave.h"
#include "lib/page_units.h"
#include "mm/init/worker_rules.h"

#define CHUNK_PAGES_MIN BLOCK_PAGES
#define CHUNK_PAGES_MAX (2ull << 18)  /* 2 GiB */
/* Chunks so small that all RAM has more of them are left out: each needs a record. */
#define CHUNKS_MAX (1ull << 21)

struct sweep_state {
	const struct lab_input *input;
	struct step_runs runs;
	struct sweep_results *results;
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
	const struct lab_input *input = s->input;
	uint32_t most = lab_most_online(input->topology);
	uint64_t deferred = most_deferred(s->runs.plan);

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

static struct init_rules rules_of(const struct sweep_state *s, const struct sweep_step *step)
{
	return (struct init_rules){
		.policy = POLICY_ZONE,
		.threads = step->workers,
		.chunk_pages = step->chunk_pages,
		.split = s->input->options->split,
		.cores_first = true,
	};
}

static bool run_step(struct sweep_state *s, uint32_t step, uint32_t repetition)
{
	const struct sweep_step *asked = &s->results->steps[step];
	struct step_run run = {
		.step = step,
		.rules = rules_of(s, asked),
		.request = {
			.policy = POLICY_ZONE,
			.repetition = repetition,
			.inject = s->input->options->inject,
			.exercise = !s->runs.index,
		},
		.workers = asked->workers,
		.chunk_pages = asked->chunk_pages,
	};

	s->results->last_step = step;
	return step_runs_add(&s->runs, &run, &s->results->last);
}

static bool run_all(struct sweep_state *s)
{
	uint32_t count = s->results->step_count;

	s->runs.count = count * s->input->options->repeat;
	for (uint32_t repetition = 0; repetition < s->input->options->repeat; repetition++)
		for (uint32_t i = 0; i < count; i++)
			if (!run_step(s, interleave(count, repetition, i), repetition))
				return false;
	return true;
}

/* ---- memory --------------------------------------------------------------------------------- */

static void lay_out(struct arena *arena, const struct lab_input *input, uint32_t extra_reserved,
		    struct step_runs *runs)
{
	step_runs_take(runs, arena, input, extra_reserved, SWEEP_STEPS_MAX,
		       smallest_chunk(input->topology));
}

uint64_t sweep_bytes(const struct lab_input *input, uint32_t extra_reserved)
{
	struct arena arena = { 0 };
	struct step_runs runs;

	lay_out(&arena, input, extra_reserved, &runs);
	return arena.used;
}

bool sweep_run(const struct lab_input *input, void *memory, uint64_t bytes,
	       struct sweep_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct sweep_state s = { .input = input, .results = results };
	const struct sweep_step all = { SWEEP_WORKERS, 0, 0 };
	struct init_rules rules = rules_of(&s, &all);

	*results = (struct sweep_results){ .page_size = input->options->page_size };
	lay_out(&arena, input, 0, &s.runs);
	if (!s.runs.lab || !lab_begin(s.runs.lab) || !step_runs_plan(&s.runs, &rules, POLICY_ZONE))
		return false;
	results->expected = s.runs.lab->expected;
	results->store = s.runs.lab->store;
	find_steps(&s);
	results->verified = run_all(&s);
	results->samples = s.runs.samples;
	results->sample_count = s.runs.sample_count;
	return true;
}
