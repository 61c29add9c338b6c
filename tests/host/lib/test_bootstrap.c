/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/bootstrap.h"

static void no_spread_no_interval(void **state)
{
	uint64_t values[100];
	struct interval i;

	(void)state;
	for (int n = 0; n < 100; n++)
		values[n] = UINT64_MAX - 5;
	i = bootstrap_median(values, 100);
	assert_true(i.known && i.low == UINT64_MAX - 5 && i.high == i.low && i.median == i.low);
	i = bootstrap_median(values, 0);
	assert_false(i.known);
	assert_int_equal(i.median, 0);
}

static void too_few_values(void **state)
{
	const uint64_t values[] = { 1, 100, 50, 40, 7 };
	struct interval i = bootstrap_median(values, 4);

	(void)state;
	assert_false(i.known);
	assert_int_equal(i.median, 45);
	assert_int_equal(i.low, 45);
	assert_int_equal(i.high, 45);
	assert_true(bootstrap_median(values, 5).known);
}

/*
 * Of 9 different values the median of a resample is below the value of rank r with a probability
 * that can be worked out: it is so when at least 5 of 9 draws fall on the r - 1 lower ones. For
 * r = 2, p = 1/9: sum C(9,k) (1/9)^k (8/9)^(9-k), k >= 5: 0.0014; for r = 3: 0.0265. 2.5 % thus
 * lies at the second or third value, and likewise at the other end.
 */
static void the_known_interval_of_nine(void **state)
{
	const uint64_t values[] = { 10, 20, 30, 40, 50, 60, 70, 80, 90 };
	struct interval i = bootstrap_median(values, 9), again = bootstrap_median(values, 9);

	(void)state;
	assert_int_equal(i.median, 50);
	assert_in_range(i.low, 20, 30);
	assert_in_range(i.high, 70, 80);
	assert_true(i.low == again.low && i.high == again.high);
}

/* A single wild value among many does not move the interval. */
static void outliers(void **state)
{
	uint64_t values[150];
	struct interval i;

	(void)state;
	for (int n = 0; n < 150; n++)
		values[n] = (uint64_t)(n < 100 ? 1000 + n % 3 : 0); /* beyond 100 none counts */
	values[17] = UINT64_MAX;
	i = bootstrap_median(values, 150);
	assert_int_equal(i.median, 1001);
	assert_in_range(i.low, 1000, 1001);
	assert_in_range(i.high, 1001, 1002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_spread_no_interval),
		cmocka_unit_test(too_few_values),
		cmocka_unit_test(the_known_interval_of_nine),
		cmocka_unit_test(outliers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
