/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/search.h"

/* Every length up to 20 and every place where the condition may become true, the end included. */
static void test_finds_every_place(void **unused)
{
	(void)unused;
	for (uint32_t count = 0; count <= 20; count++)
		for (uint32_t place = 0; place <= count; place++)
			assert_int_equal(search_first(i, count, i >= place), place);
}

/* The condition is asked about indices below the count only, and at most once a halving. */
static void test_asks_for_few_and_inside(void **unused)
{
	uint64_t count = 1ull << 40, asked = 0, outside = 0;

	(void)unused;
	assert_int_equal(search_first(i, count, (asked++, outside += i >= count, i > count - 3)),
			 count - 2);
	assert_int_equal(outside, 0);
	assert_in_range(asked, 40, 41);
}

static void test_repeated_keys_give_the_first(void **unused)
{
	static const uint8_t keys[] = { 1, 4, 4, 4, 9 };

	(void)unused;
	assert_int_equal(search_first(at, sizeof(keys), keys[at] >= 4), 1);
	assert_int_equal(search_first(at, sizeof(keys), keys[at] > 4), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_every_place),
		cmocka_unit_test(test_asks_for_few_and_inside),
		cmocka_unit_test(test_repeated_keys_give_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
