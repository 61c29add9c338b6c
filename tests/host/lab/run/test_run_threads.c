/* SPDX-License-Identifier: GPL-2.0-only */
/* All policies on threads, for the thread sanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/fake_machine.h"
#include "tests/host/odd_machine.h"

static struct world *world_busy(void)
{
	struct world *w = world_usual();

	choose_all(w);
	w->options.policy_chosen[POLICY_LAZY] = false; /* allocates on one CPU for long */
	skip_exercise(w);
	return w;
}

/* The smallest chunks, so that workers meet at the zones' locks and in the same blocks' buddies. */
static void test_small_chunks(void **unused)
{
	struct world *w = world_busy();

	(void)unused;
	w->options.chunk_mib = 4;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	world_free(w);
}

static void test_fixed_split(void **unused)
{
	struct world *w = world_busy();

	(void)unused;
	w->options.split = SPLIT_STATIC;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	world_free(w);
}

/* The boot CPU grows what it can while the workers run: nothing, for the borders are theirs. */
static void test_growing_while_workers_run(void **unused)
{
	struct world *w = world_busy();
	const struct run_sample *run;

	(void)unused;
	choose(w, POLICY_ASYNC);
	w->options.chunk_mib = 4;
	w->options.repeat = 3;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	for (uint32_t i = 1; i <= 3; i++) {
		run = run_of(w, POLICY_ASYNC, i);
		assert_int_equal(run->pages, plan_of(w, POLICY_ASYNC)->deferred_pages);
		assert_true(run->async.allocations > 0);
	}
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_chunks),
		cmocka_unit_test(test_fixed_split),
		cmocka_unit_test(test_growing_while_workers_run),
	};

	return cmocka_run_group_tests_name("lab_threads", tests, NULL, NULL);
}
