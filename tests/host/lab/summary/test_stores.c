/* SPDX-License-Identifier: GPL-2.0-only */
/* What the trials of store kernels came to, on one and on several kinds of core. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "lab/summary/stores.h"

static struct store_trials trials;

static void two_kinds(void)
{
	trials = (struct store_trials){ .tried = true, .verified = true, .kind_count = 2,
					.best = { { STORE_NTI, STORE_PLAIN },
						  { STORE_STOSQ, STORE_STOSQ } } };
	trials.trials[0][STORE_PLAIN] = (struct store_trial){ 300, 400 };
	trials.trials[0][STORE_NTI] = (struct store_trial){ 150, 600 };
	trials.trials[1][STORE_STOSQ] = (struct store_trial){ 70, 80 };
}

static void each_stands_beside_the_best_of_its_kind(void **state)
{
	struct store_row of;

	(void)state;
	two_kinds();
	assert_true(store_row(&trials, 0, STORE_NTI, &of));
	assert_int_equal(of.kind, 0);
	assert_int_equal(of.store, STORE_NTI);
	assert_int_equal(of.trial.alone_cycles, 150);
	assert_int_equal(of.trial.with_free_cycles, 600);
	assert_int_equal(of.best_alone_cycles, 150);
	assert_int_equal(of.best_with_free_cycles, 400);
	assert_true(store_row(&trials, 1, STORE_STOSQ, &of));
	assert_int_equal(of.kind, 1);
	assert_int_equal(of.best_alone_cycles, 70);
	assert_int_equal(of.best_with_free_cycles, 80);
	assert_false(store_row(&trials, 1, STORE_PLAIN, &of));
	assert_false(store_row(&trials, 0, STORE_CLZERO, &of));
}

static void no_times_mean_nothing_deferred_only_after_good_runs(void **state)
{
	(void)state;
	two_kinds();
	assert_false(store_nothing_deferred(&trials));
	trials.trials[0][STORE_PLAIN] = trials.trials[0][STORE_NTI] = (struct store_trial){ 0, 0 };
	assert_false(store_nothing_deferred(&trials));
	trials.trials[1][STORE_STOSQ] = (struct store_trial){ 0, 0 };
	assert_true(store_nothing_deferred(&trials));
	trials.verified = false;
	assert_false(store_nothing_deferred(&trials));
	trials.verified = true;
	trials.tried = false;
	assert_false(store_nothing_deferred(&trials));
}

static void choices_agree_where_both_ways_do(void **state)
{
	struct store_choice choices[3] = { { STORE_NTI, STORE_PLAIN },
					   { STORE_NTI, STORE_PLAIN },
					   { STORE_NTI, STORE_STOSQ } };

	(void)state;
	assert_true(store_same_on_all_kinds(choices, 1));
	assert_true(store_same_on_all_kinds(choices, 2));
	assert_false(store_same_on_all_kinds(choices, 3));
	choices[2] = (struct store_choice){ STORE_PLAIN, STORE_PLAIN };
	assert_false(store_same_on_all_kinds(choices, 3));
}

static void advice_goes_by_what_was_tried_and_for_whom(void **state)
{
	(void)state;
	two_kinds();
	assert_int_equal(store_advice(&trials, 64), STORES_BEST);
	assert_int_equal(store_advice(&trials, 16), STORES_HAVE_NO_CHOICE);
	trials.for_best = true;
	assert_int_equal(store_advice(&trials, 64), STORES_BEST_APART);
	memset(trials.trials, 0, sizeof(trials.trials));
	assert_int_equal(store_advice(&trials, 64), STORES_WITHOUT_TIMES);
	trials.tried = false;
	assert_int_equal(store_advice(&trials, 64), STORES_UNTRIED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_stands_beside_the_best_of_its_kind),
		cmocka_unit_test(no_times_mean_nothing_deferred_only_after_good_runs),
		cmocka_unit_test(choices_agree_where_both_ways_do),
		cmocka_unit_test(advice_goes_by_what_was_tried_and_for_whom),
	};

	return cmocka_run_group_tests_name("store_summary", tests, NULL, NULL);
}
