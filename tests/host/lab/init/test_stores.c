/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/store_world.h"

/* ---- nothing to try ------------------------------------------------------------------------- */

static void assert_untried(struct world *w, enum store expected, bool refused)
{
	assert_int_equal(store_trial_bytes(&w->input, &poor, 64), 0);
	assert_true(store_trial_run(&w->input, &poor, NULL, 0, &trials));
	assert_false(trials.tried);
	assert_true(trials.verified);
	assert_int_equal(trials.refused, refused);
	assert_int_equal(trials.choice[0].alone, expected);
	assert_int_equal(trials.choice[0].with_free, expected);
	assert_int_equal(trials.best[0].alone, expected);
	assert_int_equal(trials.best[0].with_free, expected);
	assert_int_equal(w->run_calls, 0);
}

static void test_what_is_asked_for_and_there_is_used(void **unused)
{
	(void)unused;
	for (int i = 0; i < POOR; i++) {
		struct world *w = world_with(poor_stores[i]);

		assert_untried(w, poor_stores[i], false);
		world_free(w);
	}
}

/* They are written by a loop of their own. */
static void test_small_descriptors_need_no_trial(void **unused)
{
	struct world *w = world_with(STORE_NT512);

	(void)unused;
	w->options.page_size = 32;
	assert_untried(w, STORE_PLAIN, true);
	w->options.store = STORE_AUTO;
	assert_untried(w, STORE_PLAIN, false);
	world_free(w);
}

/* ---- trials --------------------------------------------------------------------------------- */

static void assert_best_chosen(void)
{
	const struct store_trial *chosen = trials.trials[0];

	for (int store = 0; store < STORE_COUNT; store++) {
		const struct store_trial *trial = &trials.trials[0][store];
		bool permitted = store_permitted((enum store)store, &poor);

		assert_true(!trial->alone_cycles == !permitted);
		assert_true(!trial->with_free_cycles == !permitted);
		if (!permitted)
			continue;
		assert_true(chosen[trials.choice[0].alone].alone_cycles <= trial->alone_cycles);
		assert_true(chosen[trials.choice[0].with_free].with_free_cycles <=
			    trial->with_free_cycles);
	}
}

static void assert_tried(struct world *w, bool refused)
{
	assert_true(trials.tried && trials.verified);
	assert_int_equal(trials.refused, refused);
	assert_best_chosen();
	assert_int_equal(w->progress_count, 2 * STORE_TRIAL_RUNS * POOR);
	for (uint32_t i = 0; i < w->progress_count; i++) {
		const struct lab_progress *progress = &w->progress[i];

		assert_int_equal(progress->index, i);
		assert_int_equal(progress->count, w->progress_count);
		assert_string_equal(progress->trial,
				    store_name(poor_stores[i / 2 % POOR]));
	}
}

static void test_auto_tries_what_all_cpus_have(void **unused)
{
	struct world *w = world_with(STORE_AUTO);

	(void)unused;
	assert_true(try(w, &poor));
	assert_tried(w, false);
	assert_int_equal(trials.wish, STORE_AUTO);
	world_free(w);
}

static void test_refused_store_falls_back_to_auto(void **unused)
{
	struct world *w = world_with(STORE_CLZERO);

	(void)unused;
	assert_true(try(w, &poor));
	assert_tried(w, true);
	assert_int_equal(trials.wish, STORE_CLZERO);
	world_free(w);
}

/* The barrier's stamp is the true time; all but one kernel are seconds later done. */
static uint64_t late_now(void *context)
{
	struct world *w = context;
	const struct lab_progress *at = &w->progress[w->progress_count - 1];
	const char *fast = at->policy == POLICY_KTASK ? "nti" : "template";

	return tsc_ordered() + (strcmp(at->trial, fast) ? 1ull << 33 : 0);
}

static void test_each_of_both_has_its_own_winner(void **unused)
{
	struct world *w = world_with(STORE_AUTO);
	uint64_t (*now)(void *context) = w->machine.now;

	(void)unused;
	note_progress(w, &(struct lab_progress){ .trial = "" });
	w->machine.now = late_now;
	assert_true(try(w, &poor));
	w->machine.now = now;
	assert_int_equal(trials.choice[0].alone, STORE_NTI);
	assert_int_equal(trials.choice[0].with_free, STORE_TEMPLATE);
	world_free(w);
}

/* ---- policies that want the best ------------------------------------------------------------ */

static void test_auto_gets_the_best_without_asking(void **unused)
{
	struct world *w = world_with(STORE_PLAIN);

	(void)unused;
	skip_exercise(w);
	w->options.experiment_chosen[EXPERIMENT_INIT] = true;
	assert_untried(w, STORE_PLAIN, false); /* nobody wants it */
	w->options.policy_chosen[POLICY_AUTO] = true;
	w->options.experiment_chosen[EXPERIMENT_INIT] = false;
	assert_untried(w, STORE_PLAIN, false); /* and that policy does not run */
	w->options.experiment_chosen[EXPERIMENT_INIT] = true;
	note_progress(w, &(struct lab_progress){ .trial = "" });
	w->machine.now = late_now;
	assert_true(try(w, &poor));
	w->machine.now = machine_now;
	assert_true(trials.tried && trials.verified && trials.best_wanted && trials.for_best);
	assert_int_equal(trials.choice[0].alone, STORE_PLAIN);
	assert_int_equal(trials.choice[0].with_free, STORE_PLAIN);
	assert_int_equal(trials.best[0].alone, STORE_NTI);
	assert_int_equal(trials.best[0].with_free, STORE_TEMPLATE);
	world_free(w);
}

static void test_the_users_word_is_for_auto_too(void **unused)
{
	struct world *w = world_with(STORE_STOSQ);

	(void)unused;
	w->options.experiment_chosen[EXPERIMENT_INIT] = true;
	w->options.policy_chosen[POLICY_AUTO] = true;
	w->options.store_given = true;
	assert_untried(w, STORE_STOSQ, false);
	assert_true(trials.best_wanted && trials.given && !trials.for_best);
	w->options.store = STORE_AUTO;
	assert_true(try(w, &poor));
	assert_true(trials.tried && !trials.for_best);
	assert_memory_equal(trials.best, trials.choice, sizeof(trials.best));
	w->options.page_size = 16;
	w->options.store = STORE_PLAIN;
	w->options.store_given = false;
	w->run_calls = 0;
	assert_untried(w, STORE_PLAIN, false);
	world_free(w);
}

static void damage(struct world *w)
{
	w->fake.memmap.base[6 * SECTION_PAGES + 3].memcg_data = 1;
}

/* The second run is that of plain under policy zone. */
static void test_wrong_bytes_stop_the_trial(void **unused)
{
	struct world *w = world_with(STORE_AUTO);

	(void)unused;
	w->break_it = damage;
	w->broken_call = CALLS_PER_RUN + CALL_ORACLE;
	assert_true(try(w, &poor));
	assert_false(trials.verified);
	assert_false(trials.last.good);
	assert_int_equal(trials.last.policy, POLICY_ZONE);
	assert_int_equal(trials.last.totals.mismatches, 1);
	assert_int_equal(w->progress_count, 2);
	world_free(w);
}

static void test_memory_too_small(void **unused)
{
	struct world *w = world_with(STORE_AUTO);
	uint64_t bytes = store_trial_bytes(&w->input, &poor, 0);

	(void)unused;
	world_memory(w, bytes);
	assert_false(store_trial_run(&w->input, &poor, w->memory, bytes - 64, &trials));
	assert_false(trials.tried);
	world_free(w);
}

/* ---- what the experiment makes of it -------------------------------------------------------- */

static void test_experiment_uses_the_choice(void **unused)
{
	struct world *w = world_with(STORE_PLAIN);

	(void)unused;
	skip_exercise(w);
	w->options.policy_chosen[POLICY_KTASK] = true;
	w->input.stores = (struct store_choice){ .alone = STORE_NTI, .with_free = STORE_STOSQ };
	w->input.memmap_written = true;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.run_count, w->results.policy_count); /* no cold run */
	assert_int_equal(w->progress[0].count, w->progress_count);
	for (uint32_t i = 0; i < w->results.policy_count; i++)
		assert_int_equal(w->results.stores[i],
				 w->results.policies[i] == POLICY_KTASK ? STORE_NTI : STORE_STOSQ);
	for (uint32_t i = 0; i < w->results.run_count; i++) {
		const struct run_sample *run = &w->results.runs[i];

		assert_false(run->cold);
		assert_int_equal(run->store,
				 run->policy == POLICY_KTASK ? STORE_NTI : STORE_STOSQ);
	}
	w->options.page_size = 40;
	assert_true(world_run(w));
	assert_int_equal(w->results.runs[0].store, STORE_PLAIN);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_asked_for_and_there_is_used),
		cmocka_unit_test(test_small_descriptors_need_no_trial),
		cmocka_unit_test(test_auto_tries_what_all_cpus_have),
		cmocka_unit_test(test_refused_store_falls_back_to_auto),
		cmocka_unit_test(test_each_of_both_has_its_own_winner),
		cmocka_unit_test(test_auto_gets_the_best_without_asking),
		cmocka_unit_test(test_the_users_word_is_for_auto_too),
		cmocka_unit_test(test_wrong_bytes_stop_the_trial),
		cmocka_unit_test(test_memory_too_small),
		cmocka_unit_test(test_experiment_uses_the_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
