/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/patience.h"

/* Looks every `step` cycles from `now` on until the patience is over; returns when that was. */
static uint64_t wait_by(struct patience *patience, uint64_t now, uint64_t step)
{
	for (uint64_t looks = 0; !patience_over(patience, now); looks++) {
		assert_true(looks < 10000);
		now += step;
	}
	return now;
}

static void test_steady_looks_wait_for_the_time_given(void **unused)
{
	struct patience patience;

	(void)unused;
	for (uint64_t step = 1; step <= 60; step++) {
		uint64_t end;

		patience_begin(&patience, 5000, 1000);
		end = wait_by(&patience, 5000, step);
		assert_in_range(end, 6000, 6000 + step);
	}
}

/* However long the machine stood still in the middle, and once more. */
static void test_a_pause_is_one_look(void **unused)
{
	static const uint64_t pauses[] = { 1000, 1001, 600000, 1ull << 40, UINT64_MAX / 2 };
	struct patience patience;

	(void)unused;
	for (uint32_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
		uint64_t now = 77, lived = 0;

		patience_begin(&patience, now, 1000);
		for (; !patience_over(&patience, now); now += 10, lived += 10)
			if (lived == 300 || lived == 500)
				now += pauses[i];
		assert_in_range(lived, 1000 - 3 * (1000 / PATIENCE_LOOKS + 1), 1000);
	}
}

/* A clock that stands on another CPU's value for a moment, or was set back. */
static void test_a_clock_that_goes_back_ends_nothing(void **unused)
{
	struct patience patience;

	(void)unused;
	patience_begin(&patience, 5000, 1000);
	assert_false(patience_over(&patience, 5500 / 10));
	assert_in_range(wait_by(&patience, 550, 10), 550 + 800, 550 + 1000);
}

static void test_rare_looks_are_counted(void **unused)
{
	struct patience patience;
	uint32_t looks = 0;

	(void)unused;
	patience_begin(&patience, 0, 1600);
	for (uint64_t now = 5000; !patience_over(&patience, now); now += 5000)
		looks++;
	assert_in_range(looks, PATIENCE_LOOKS - 2, PATIENCE_LOOKS);
}

static void test_none_at_all(void **unused)
{
	struct patience patience;

	(void)unused;
	patience_begin(&patience, 9, 0);
	assert_true(patience_over(&patience, 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steady_looks_wait_for_the_time_given),
		cmocka_unit_test(test_a_pause_is_one_look),
		cmocka_unit_test(test_a_clock_that_goes_back_ends_nothing),
		cmocka_unit_test(test_rare_looks_are_counted),
		cmocka_unit_test(test_none_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
