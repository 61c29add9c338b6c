#include "lab/store_trial.h"

#include "lab/timed_run.h"

struct trial_state {
	struct init_input input; /* a copy, whose stores change */
	struct lab *lab;
	struct init_plan *two_pass, *fused;
	struct store_trials *trials;
	uint32_t index, count; /* runs begun, and all */
};

/* Smaller descriptors have a loop of their own: nothing to choose. */
static bool must_try(const struct init_input *input, const struct store_features *has)
{
	const struct options *options = input->options;

	return options->page_size == sizeof(struct page) &&
	       !store_permitted(options->store, has);
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

uint64_t store_trial_bytes(const struct init_input *input, const struct store_features *has,
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

static bool build(struct trial_state *s, struct init_plan *plan, enum policy policy)
{
	const struct init_rules rules = { .policy = policy, .cores_first = true };

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
		.trial = store_kernel(s->input.stores.alone)->name,
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
static bool try_once(struct trial_state *s, enum store store, uint32_t repetition)
{
	struct store_trial *trial = &s->trials->trials[store];
	struct init_run_sample *run = &s->trials->last;
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

static bool try_all(struct trial_state *s)
{
	for (uint32_t repetition = 0; repetition < STORE_TRIAL_RUNS; repetition++)
		for (int store = 0; store < STORE_COUNT; store++)
			if (store_permitted((enum store)store, &s->trials->has) &&
			    !try_once(s, (enum store)store, repetition))
				return false;
	return true;
}

/* Of equals the simpler one. Where nothing is deferred, nothing was timed: plain. */
static void choose(struct store_trials *trials)
{
	for (int store = 0; store < STORE_COUNT; store++) {
		const struct store_trial *trial = &trials->trials[store];
		const struct store_trial *alone = &trials->trials[trials->choice.alone];
		const struct store_trial *freed = &trials->trials[trials->choice.with_free];

		if (trial->alone_cycles && trial->alone_cycles < alone->alone_cycles)
			trials->choice.alone = (enum store)store;
		if (trial->with_free_cycles && trial->with_free_cycles < freed->with_free_cycles)
			trials->choice.with_free = (enum store)store;
	}
}

static uint32_t count_runs(const struct store_features *has)
{
	uint32_t permitted = 0;

	for (int store = 0; store < STORE_COUNT; store++)
		permitted += store_permitted((enum store)store, has);
	return 2 * STORE_TRIAL_RUNS * permitted;
}

bool store_trial_run(const struct init_input *input, const struct store_features *has,
		     void *memory, uint64_t bytes, struct store_trials *trials)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct trial_state s = { .input = *input, .trials = trials, .count = count_runs(has) };
	enum store wish = input->options->store;

	*trials = (struct store_trials){ .wish = wish, .has = *has, .verified = true };
	trials->refused = wish != STORE_AUTO && !store_permitted(wish, has);
	if (!must_try(input, has)) {
		if (store_permitted(wish, has))
			trials->choice = (struct store_choice){ wish, wish };
		return true;
	}
	s.lab = lay_out(&arena, &s, 0);
	if (!s.lab || !lab_begin(s.lab) || !build(&s, s.two_pass, POLICY_KTASK) ||
	    !build(&s, s.fused, POLICY_ZONE))
		return false;
	trials->tried = true;
	trials->verified = try_all(&s);
	choose(trials);
	return true;
}
