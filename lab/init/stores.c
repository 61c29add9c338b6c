/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/init/stores.h"

#include <stddef.h>

#include "lab/run/begin.h"
#include "lab/run/memory.h"
#include "lab/run/timed_run.h"
#include "lib/string.h"

struct trial_state {
	struct lab_input input; /* a copy, whose stores change */
	struct lab *lab;
	struct init_plan *two_pass, *fused; /* of the kind of core that is tried */
	struct store_trials *trials;
	uint32_t index, count; /* runs begun, and all */
};

/* Smaller descriptors have a loop of their own: nothing to choose. */
static bool is_chosen(const struct lab_input *input)
{
	return input->options->page_size == sizeof(struct page);
}

/* What store= comes to has to be found. */
static bool must_try_for_all(const struct lab_input *input, const struct store_features *has)
{
	return is_chosen(input) && !store_permitted(input->options->store, has);
}

static bool is_best_wanted(const struct options *options)
{
	bool wanted = false;

	for (int policy = 0; policy < POLICY_COUNT; policy++)
		wanted |= options->policy_chosen[policy] &&
			  policy_rule((enum policy)policy)->best_stores;
	return wanted && options->experiment_chosen[EXPERIMENT_INIT];
}

/* The user's word is for all policies. */
static bool must_try_for_best(const struct lab_input *input)
{
	return is_chosen(input) && is_best_wanted(input->options) && !input->options->store_given;
}

static bool must_try(const struct lab_input *input, const struct store_features *has)
{
	return must_try_for_all(input, has) || must_try_for_best(input);
}

/* ---- memory --------------------------------------------------------------------------------- */

static struct lab *lay_out(struct arena *arena, struct trial_state *s, uint32_t extra_reserved)
{
	const struct lab_needs needs = { .passes = PASSES_MAX };
	struct lab_capacity c;

	lab_capacity(&s->input, extra_reserved, &needs, &c);
	s->two_pass = lab_take_plan(arena, &c);
	s->fused = lab_take_plan(arena, &c);
	return lab_take(arena, &s->input, &c);
}

uint64_t store_trial_bytes(const struct lab_input *input, const struct store_features *has,
			   uint32_t extra_reserved)
{
	struct arena arena = { 0 };
	struct trial_state s = { .input = *input };

	if (!must_try(input, has))
		return 0;
	lay_out(&arena, &s, extra_reserved);
	return arena.used;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static bool build(struct trial_state *s, struct init_plan *plan, enum policy policy, uint32_t kind)
{
	const struct init_rules rules = { .policy = policy, .cores_first = true,
					  .kinds = 1u << kind };

	return init_plan_build(plan, s->input.topology, s->input.memmap, s->input.reserved,
			       &rules) &&
	       lab_plan_fits(s->lab, plan, policy);
}

static void show_progress(struct trial_state *s, enum policy policy, uint32_t repetition)
{
	struct lab_progress progress = {
		.experiment = EXPERIMENT_INIT,
		.policy = policy,
		.repetition = repetition,
		.index = s->index++,
		.count = s->count,
		.elapsed_cycles = lab_now(s->lab) - s->lab->began_tsc,
		.trial = store_name(s->input.stores.alone),
	};

	if (s->input.progress)
		s->input.progress(s->input.progress_context, &progress);
}

static void keep_shortest(uint64_t *shortest, uint64_t cycles)
{
	if (!*shortest || cycles < *shortest)
		*shortest = cycles;
}

/* One run each way. */
static bool try_once(struct trial_state *s, uint32_t kind, enum store store, uint32_t repetition)
{
	struct store_trial *trial = &s->trials->trials[kind][store];
	struct run_sample *run = &s->trials->last;
	struct run_request two_pass = { .plan = s->two_pass, .policy = POLICY_KTASK,
					.repetition = repetition };
	struct run_request fused = { .plan = s->fused, .policy = POLICY_ZONE,
				     .repetition = repetition };

	s->input.stores = (struct store_choice){ store, store };
	show_progress(s, POLICY_KTASK, repetition);
	if (!lab_run(s->lab, &two_pass, run))
		return false;
	keep_shortest(&trial->alone_cycles, run->first_pass_cycles);
	show_progress(s, POLICY_ZONE, repetition);
	if (!lab_run(s->lab, &fused, run))
		return false;
	keep_shortest(&trial->with_free_cycles, run->cycles);
	return true;
}

/* False: a run was not good. The plans have been built once before: they fit. */
static bool try_kind(struct trial_state *s, uint32_t kind)
{
	if (!build(s, s->two_pass, POLICY_KTASK, kind) || !build(s, s->fused, POLICY_ZONE, kind))
		return false;
	for (uint32_t repetition = 0; repetition < STORE_TRIAL_RUNS; repetition++)
		for (int store = 0; store < STORE_COUNT; store++)
			if (store_permitted((enum store)store, &s->trials->has) &&
			    !try_once(s, kind, (enum store)store, repetition))
				return false;
	return true;
}

static bool try_all(struct trial_state *s)
{
	for (uint32_t kind = 0; kind < s->trials->kind_count; kind++)
		if (!try_kind(s, kind))
			return false;
	return true;
}

/* Of equals the simpler one. Where nothing is deferred, nothing was timed: plain. */
static struct store_choice fastest(const struct store_trial *trials)
{
	struct store_choice found = { STORE_PLAIN, STORE_PLAIN };

	for (int store = 0; store < STORE_COUNT; store++) {
		const struct store_trial *trial = &trials[store];

		if (trial->alone_cycles && trial->alone_cycles < trials[found.alone].alone_cycles)
			found.alone = (enum store)store;
		if (trial->with_free_cycles &&
		    trial->with_free_cycles < trials[found.with_free].with_free_cycles)
			found.with_free = (enum store)store;
	}
	return found;
}

static void choose(struct store_trials *trials)
{
	for (uint32_t kind = 0; kind < trials->kind_count; kind++) {
		trials->best[kind] = fastest(trials->trials[kind]);
		if (!trials->for_best)
			trials->choice[kind] = trials->best[kind];
	}
}

/* What store= asks for, where all CPUs have it. */
static void take_wish(struct store_trials *trials)
{
	if (trials->wish == STORE_AUTO || trials->refused)
		return;
	for (uint32_t kind = 0; kind < trials->kind_count; kind++)
		trials->choice[kind] = trials->best[kind] =
			(struct store_choice){ trials->wish, trials->wish };
}

static uint32_t count_runs(const struct store_trials *trials)
{
	uint32_t permitted = 0;

	for (int store = 0; store < STORE_COUNT; store++)
		permitted += store_permitted((enum store)store, &trials->has);
	return 2 * STORE_TRIAL_RUNS * permitted * trials->kind_count;
}

bool store_trial_run(const struct lab_input *input, const struct store_features *has,
		     void *memory, uint64_t bytes, struct store_trials *trials)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct trial_state s = { .input = *input, .trials = trials };
	enum store wish = input->options->store;

	memset(trials, 0, sizeof(*trials));
	trials->wish = wish;
	trials->given = input->options->store_given;
	trials->refused = wish != STORE_AUTO && !store_permitted(wish, has);
	trials->has = *has;
	trials->verified = true;
	trials->best_wanted = is_best_wanted(input->options);
	trials->for_best = must_try_for_best(input) && !must_try_for_all(input, has);
	trials->kind_count = input->topology->kind_count ? input->topology->kind_count : 1;
	take_wish(trials);
	if (!must_try(input, has))
		return true;
	s.input.kind_stores = NULL;
	s.input.best_stores = NULL;
	s.count = count_runs(trials);
	s.lab = lay_out(&arena, &s, 0);
	if (!s.lab || !lab_begin(s.lab) || !build(&s, s.two_pass, POLICY_KTASK, 0) ||
	    !build(&s, s.fused, POLICY_ZONE, 0))
		return false;
	trials->tried = true;
	trials->verified = try_all(&s);
	choose(trials);
	return true;
}
