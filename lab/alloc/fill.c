/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/fill.h"

#include "lab/alloc/input.h"
#include "lab/run/begin.h"
#include "lab/run/memory.h"
#include "lab/run/timed_run.h"

struct fill_state {
	struct options options; /* the user's, but of whole struct pages */
	struct lab_input input;
	struct init_plan *plan;
	struct lab *lab;
};

static struct fill_state *lay_out(struct arena *arena, const struct lab_input *input,
				  uint32_t extra_reserved)
{
	const struct lab_needs needs = { .passes = 1 };
	struct fill_state *state = arena_take(arena, 1, sizeof(*state));
	struct init_plan *plan;
	struct lab_capacity c;
	struct lab *lab;

	lab_capacity(input, extra_reserved, &needs, &c);
	plan = lab_take_plan(arena, &c);
	lab = lab_take(arena, input, &c);
	if (!arena_fits(arena))
		return NULL;
	state->options = *input->options;
	state->options.page_size = sizeof(struct page);
	state->input = *input;
	state->input.options = &state->options;
	state->plan = plan;
	state->lab = lab;
	state->lab->input = &state->input;
	return state;
}

uint64_t fill_bytes(const struct lab_input *input, uint32_t extra_reserved)
{
	struct arena arena = { 0 };

	lay_out(&arena, input, extra_reserved);
	return arena.used;
}

bool fill_run(const struct lab_input *input, void *memory, uint64_t bytes,
	      struct run_sample *run)
{
	const struct init_rules rules = { .policy = POLICY_ZONE, .cores_first = true };
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct fill_state *state = lay_out(&arena, input, 0);
	struct run_request request = {
		.policy = POLICY_ZONE,
		.inject = input->options->inject,
		.exercise = true,
	};

	if (!state || !lab_begin(state->lab) ||
	    !init_plan_build(state->plan, input->topology, input->memmap, input->reserved,
			     &rules) ||
	    !lab_plan_fits(state->lab, state->plan, POLICY_ZONE))
		return false;
	request.plan = state->plan;
	return lab_run(state->lab, &request, run);
}
