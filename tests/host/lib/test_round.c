/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/round.h"

/* Every value below 40 and as far from the end, with every step below 20: against counting. */
static void test_multiples_of_any_step(void **unused)
{
	(void)unused;
	for (uint64_t step = 1; step < 20; step++) {
		for (uint64_t value = 0; value < 40; value++) {
			uint64_t below = 0, count = 0;

			while (below + step <= value)
				below += step, count++;
			assert_int_equal(round_down_u64(value, step), below);
			assert_int_equal(round_up_u64(value, step),
					 below == value ? value : below + step);
			assert_int_equal(div_round_up_u64(value, step), count + (below < value));
		}
	}
}

static void test_nothing_wraps(void **unused)
{
	uint64_t top = 1ull << 63;

	(void)unused;
	assert_int_equal(round_up_u64(top - 1, top), top);
	assert_int_equal(round_up_u64(top, top), top);
	assert_int_equal(round_up_u64(top + 1, top), UINT64_MAX);
	assert_int_equal(round_up_u64(UINT64_MAX, 4096), UINT64_MAX);
	assert_int_equal(round_down_u64(UINT64_MAX, 4096), UINT64_MAX - 4095);
	assert_int_equal(div_round_up_u64(UINT64_MAX, 4096), 1ull << 52);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_multiples_of_any_step),
		cmocka_unit_test(test_nothing_wraps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
