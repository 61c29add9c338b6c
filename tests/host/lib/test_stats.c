/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/stats.h"
#include "tests/host/random.h"

typedef unsigned __int128 u128;

static uint64_t seed = 88172645463325252ull;

/* The deviation of two numbers is their distance over the root of 2: brackets the root for
 * arguments up to 124 bits. */
static void test_deviation_of_two_brackets_the_root(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t distance = random_any(&seed) >> 2, values[] = { 0, distance };
		u128 square = (u128)distance * distance;
		u128 two = 2 * (u128)stats_summary(values, 2).stddev;

		assert_true(2 * square < (two + 1) * (two + 1));
		assert_true(!two || 2 * square >= (two - 1) * (two - 1));
	}
}

static void test_mul_div_equals_long_division(void **state)
{
	(void)state;
	assert_int_equal(mul_div_u64(UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
	assert_int_equal(mul_div_u64(UINT64_MAX, UINT64_MAX, UINT64_MAX - 1), UINT64_MAX);
	assert_int_equal(mul_div_u64(UINT64_MAX, 2, 2), UINT64_MAX);
	assert_int_equal(mul_div_u64(UINT64_MAX, 2, 3), UINT64_MAX / 3 * 2);
	assert_int_equal(mul_div_u64(1ull << 63, 2, 1), UINT64_MAX);
	assert_int_equal(mul_div_u64(0, 5, 7), 0);
	for (unsigned i = 0; i < 50000; i++) {
		uint64_t a = random_any(&seed), b = random_any(&seed), c = random_any(&seed) | 1;
		u128 exact = (u128)a * b / c;

		exact = exact > UINT64_MAX ? UINT64_MAX : exact;
		assert_true(mul_div_u64(a, b, c) == exact);
	}
}

static void test_summary_of_none_and_of_one(void **state)
{
	uint64_t one = UINT64_MAX;
	struct summary s = stats_summary(NULL, 0);

	(void)state;
	assert_true(!s.count && !s.mean && !s.min && !s.median && !s.max && !s.stddev);
	s = stats_summary(&one, 1);
	assert_true(s.count == 1 && s.mean == one && s.median == one);
	assert_true(s.min == one && s.max == one);
	assert_int_equal(s.stddev, 0);
}

static void test_summary_worked_by_hand(void **state)
{
	uint64_t odd[] = { 9, 2, 5, 4, 12, 7, 8, 11, 9, 3, 7, 4, 12, 5, 4, 10, 9, 6, 9, 4 };
	uint64_t halves[] = { 1, 2 };
	struct summary s = stats_summary(odd, 20);

	(void)state;
	assert_int_equal(s.mean, 7);
	assert_int_equal(s.median, 7);
	assert_int_equal(s.min, 2);
	assert_int_equal(s.max, 12);
	assert_int_equal(s.stddev, 3); /* sqrt(178 / 19) = 3.06 */
	s = stats_summary(halves, 2);
	assert_int_equal(s.mean, 2);   /* 1.5, half up */
	assert_int_equal(s.median, 1); /* 1.5, down */
	assert_int_equal(s.stddev, 1); /* 0.707 */
}

/* Clock stamps are large numbers close together: nothing of the small spread may be lost. */
static void test_small_spread_of_huge_values(void **state)
{
	uint64_t values[] = { UINT64_MAX, UINT64_MAX - 10, UINT64_MAX - 20, UINT64_MAX - 30 };
	struct summary s = stats_summary(values, 4);

	(void)state;
	assert_true(s.mean == UINT64_MAX - 15);
	assert_true(s.median == UINT64_MAX - 15);
	assert_int_equal(s.stddev, 13); /* sqrt(500 / 3) = 12.9 */
}

static void test_full_range_does_not_overflow(void **state)
{
	uint64_t values[1000];
	struct summary s;

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		values[i] = i % 2 ? UINT64_MAX : 0;
	s = stats_summary(values, 1000);
	assert_true(s.mean == 1ull << 63);
	assert_true(s.median == UINT64_MAX / 2);
	/* 2^63 * sqrt(1000 / 999) */
	assert_true(s.stddev > 9227987000000000000ull && s.stddev < 9227988000000000000ull);
	values[0] = 0;
	values[1] = UINT64_MAX;
	s = stats_summary(values, 2);
	/* 2^64 / sqrt 2, short of its low bits only */
	assert_true(s.stddev > 13043817825332782208ull - 16 &&
		    s.stddev <= 13043817825332782212ull);
}

/* Against whole-number deviations times n, which leave no room for rounding. */
static void test_random_summaries_against_a_naive_model(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		uint64_t values[40], base = random_any(&seed) / 2;
		uint64_t spread = 1 + random_next(&seed) % 1000000;
		uint32_t count = 2 + (uint32_t)(random_next(&seed) % 39);
		u128 sum = 0, deviations = 0, n = count;
		struct summary s;

		for (uint32_t i = 0; i < count; i++) {
			values[i] = base + random_next(&seed) % spread;
			sum += values[i];
		}
		/* each deviation times n is a whole number */
		for (uint32_t i = 0; i < count; i++) {
			u128 scaled = values[i] * n, d = scaled > sum ? scaled - sum : sum - scaled;

			deviations += d * d;
		}
		s = stats_summary(values, count);
		assert_true(s.mean == (uint64_t)((2 * sum + n) / (2 * n)));
		/* (2s - 1)^2 <= 4 * variance < (2s + 1)^2 */
		u128 four = 4 * deviations / (n * n * (n - 1)), two = 2 * (u128)s.stddev;

		assert_true(four < (two + 1) * (two + 1));
		assert_true(!s.stddev || four >= (two - 1) * (two - 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deviation_of_two_brackets_the_root),
		cmocka_unit_test(test_mul_div_equals_long_division),
		cmocka_unit_test(test_summary_of_none_and_of_one),
		cmocka_unit_test(test_summary_worked_by_hand),
		cmocka_unit_test(test_small_spread_of_huge_values),
		cmocka_unit_test(test_full_range_does_not_overflow),
		cmocka_unit_test(test_random_summaries_against_a_naive_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
