/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/minmax.h"

static const uint64_t MAX = UINT64_MAX;

/* Beyond 32 bits, so that a narrow type in between is seen. */
static void test_smaller_and_larger(void **unused)
{
	(void)unused;
	assert_int_equal(min_u64(1ull << 40, 3), 3);
	assert_int_equal(min_u64(3, 1ull << 40), 3);
	assert_int_equal(max_u64(1ull << 40, 3), 1ull << 40);
	assert_int_equal(max_u64(3, 1ull << 40), 1ull << 40);
	assert_int_equal(min_u32(UINT32_MAX, 7), 7);
	assert_int_equal(max_u32(7, UINT32_MAX), UINT32_MAX);
}

static void test_clamp_keeps_to_both_ends(void **unused)
{
	(void)unused;
	assert_int_equal(clamp_u64(0, 1, 5), 1);
	assert_int_equal(clamp_u64(3, 1, 5), 3);
	assert_int_equal(clamp_u64(MAX, 1, 5), 5);
}

static void test_sums_and_differences_stop_at_the_ends(void **unused)
{
	(void)unused;
	assert_int_equal(saturating_add_u64(MAX - 1, 1), MAX);
	assert_int_equal(saturating_add_u64(MAX - 1, 2), MAX);
	assert_int_equal(saturating_add_u64(MAX, MAX), MAX);
	assert_int_equal(saturating_add_u64(2, 3), 5);
	assert_int_equal(saturating_sub_u64(5, 3), 2);
	assert_int_equal(saturating_sub_u64(3, 5), 0);
	assert_int_equal(saturating_sub_u64(MAX, 0), MAX);
	assert_int_equal(abs_diff_u64(3, 5), 2);
	assert_int_equal(abs_diff_u64(MAX, 1), MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smaller_and_larger),
		cmocka_unit_test(test_clamp_keeps_to_both_ends),
		cmocka_unit_test(test_sums_and_differences_stop_at_the_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
