/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/compare_rules.h"

#include "lab/run/begin.h"
#include "lab/run/arena.h"
#include "lab/run/state.h"
#include "lab/workers/step_runs.h"
#include "lib/interleave.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/stats.h"
#include "lib/string.h"

#define MIB_PAGES ((1 << 20) / PAGE_BYTES)

struct compare_state {
	const struct compare_input *input;
	struct step_runs runs;
	struct compare_results *results;
};

/* ---- steps ---------------------------------------------------------------------------------- */

/* The step with the same numbers, a new one where there is none. COMPARE_STEPS_MAX: no room. */
static uint32_t find_step(struct compare_results *results, const uint32_t workers[NODE_MAX],
			  bool shared)
{
	struct compare_step *steps = results->steps;
	uint32_t i = 0;

	while (i < results->step_count &&
	       (steps[i].shared != shared ||
		memcmp(steps[i].workers, workers, sizeof(steps[i].workers))))
		i++;
	if (i == results->step_count && i < COMPARE_STEPS_MAX) {
		memcpy(steps[i].workers, workers, sizeof(steps[i].workers));
		steps[i].shared = shared;
		results->step_count++;
	}
	return i;
}

static void add_swept(struct compare_state *s, uint32_t number)
{
	const uint32_t *all = s->input->workers[RULE_ALL];
	uint32_t workers[NODE_MAX], step;

	for (uint32_t node = 0; node < NODE_MAX; node++)
		workers[node] = min_u32(all[node], number);
	step = find_step(s->results, workers, false);
	if (step < COMPARE_STEPS_MAX)
		s->results->steps[step].swept = number;
}

/* The largest number of the sweep below `number`; 0: none. */
static uint32_t number_below(uint32_t number)
{
	uint32_t below = 0;

	for (uint32_t next = 1; next < number; next = worker_count_next(next))
		below = next;
	return below;
}

static void find_steps(struct compare_state *s)
{
	const struct topology *topology = s->input->init->topology;
	uint32_t most = lab_most_online(topology);

	for (int rule = 0; rule < RULE_COUNT; rule++)
		s->results->rule_steps[rule] =
			find_step(s->results, s->input->workers[rule],
				  rule == RULE_AUTO && worker_nodes_share_cpus(topology));
	for (uint32_t number = most; number; number = number_below(number))
		add_swept(s, number);
}

static uint32_t most_asked(const struct compare_step *step)
{
	uint32_t most = 1;

	for (uint32_t node = 0; node < NODE_MAX; node++)
		if (step->workers[node] > most)
			most = step->workers[node];
	return most;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static bool run_step(struct compare_state *s, uint32_t step, uint32_t repetition)
{
	const struct options *options = s->input->init->options;
	const struct compare_step *asked = &s->results->steps[step];
	struct step_run run = {
		.step = step,
		.rules = {
			.policy = asked->shared ? POLICY_AUTO : POLICY_CALIBRATED,
			.chunk_pages = options->chunk_mib * MIB_PAGES,
			.split = options->split,
			.worker_counts = asked->workers,
			.cores_first = true,
		},
		.request = { .policy = POLICY_CALIBRATED, .repetition = repetition },
		.workers = most_asked(asked),
	};

	s->runs.count = s->results->step_count * s->results->wanted;
	return step_runs_add(&s->runs, &run, &s->results->last);
}

static uint64_t spent(const struct compare_state *s)
{
	return lab_now(s->runs.lab) - s->runs.lab->began_tsc;
}

static uint32_t rules_end(const struct compare_results *results)
{
	uint32_t end = 0;

	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (results->rule_steps[rule] >= end)
			end = results->rule_steps[rule] + 1;
	return end;
}

/* In order, with what there is no time for taken away. */
static bool run_first(struct compare_state *s)
{
	struct compare_results *results = s->results;
	uint32_t rules = rules_end(results), wide = results->rule_steps[RULE_ALL];
	uint64_t start, wide_cycles = 0;

	for (uint32_t step = 0; step < results->step_count; step++) {
		uint64_t grown = mul_div_u64(wide_cycles, most_asked(&results->steps[wide]),
					     most_asked(&results->steps[step]));

		start = spent(s);
		if (step >= rules && start + grown > results->limit_cycles) {
			results->left_out = results->step_count - step;
			results->step_count = step;
			break;
		}
		if (!run_step(s, step, 0))
			return false;
		if (step == results->rule_steps[RULE_ALL] || step >= rules) {
			wide_cycles = spent(s) - start;
			wide = step;
		}
	}
	results->repetitions = 1;
	return true;
}

static bool run_all(struct compare_state *s)
{
	struct compare_results *results = s->results;
	uint64_t start = spent(s), last;

	if (!run_first(s))
		return false;
	for (last = spent(s) - start; results->repetitions < results->wanted;
	     last = spent(s) - start) {
		uint32_t repetition = results->repetitions, count = results->step_count;

		start = spent(s);
		if (start + last > results->limit_cycles)
			break;
		for (uint32_t i = 0; i < count; i++)
			if (!run_step(s, interleave(count, repetition, i), repetition))
				return false;
		results->repetitions++;
	}
	return true;
}

/* ---- memory --------------------------------------------------------------------------------- */

static void lay_out(struct arena *arena, const struct lab_input *input, uint32_t extra_reserved,
		    struct step_runs *runs)
{
	step_runs_take(runs, arena, input, extra_reserved, COMPARE_STEPS_MAX,
		       input->options->chunk_mib * MIB_PAGES);
}

uint64_t compare_bytes(const struct lab_input *input, uint32_t extra_reserved)
{
	struct arena arena = { 0 };
	struct step_runs runs;

	lay_out(&arena, input, extra_reserved, &runs);
	return arena.used;
}

bool compare_run(const struct compare_input *input, void *memory, uint64_t bytes,
		 struct compare_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct compare_state s = { .input = input, .results = results };

	memset(results, 0, sizeof(*results));
	lay_out(&arena, input->init, 0, &s.runs);
	if (!s.runs.lab || !lab_begin(s.runs.lab))
		return false;
	results->page_size = input->init->options->page_size;
	results->wanted = input->init->options->repeat;
	results->expected = s.runs.lab->expected;
	results->limit_cycles = input->limit_cycles;
	find_steps(&s);
	results->verified = run_all(&s);
	results->samples = s.runs.samples;
	results->sample_count = s.runs.sample_count;
	results->store = s.runs.lab->store;
	results->cycles = spent(&s);
	return true;
}
