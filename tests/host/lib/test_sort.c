/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/sort.h"
#include "tests/host/random.h"

static uint64_t seed = 88172645463325252ull;

static bool smaller(const void *a, const void *b)
{
	return *(const uint64_t *)a < *(const uint64_t *)b;
}

static void test_sort_orders_and_keeps_everything(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct { uint64_t key, payload; } items[70];
		uint64_t count = random_next(&seed) % 70, sum = 0, after = 0;

		for (uint64_t i = 0; i < count; i++) {
			items[i].key = random_next(&seed) % 20;
			items[i].payload = items[i].key * 1000003;
			sum += items[i].key * items[i].key;
		}
		sort(items, count, sizeof(items[0]), smaller);
		for (uint64_t i = 0; i < count; i++) {
			assert_true(!i || items[i - 1].key <= items[i].key);
			assert_int_equal(items[i].payload, items[i].key * 1000003);
			after += items[i].key * items[i].key;
		}
		assert_int_equal(sum, after);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sort_orders_and_keeps_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
