/* SPDX-License-Identifier: GPL-2.0-only */
/* The deterministic generator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/random.h"

/* What results rest on: another generator would give other intervals and orders. */
static void numbers_stay(void **state)
{
	uint64_t seed = 1;

	(void)state;
	assert_int_equal(random_u64(&seed), 0x47e4ce4b896cdd1dull);
	assert_int_equal(seed, 0x2000001ull);
}

static void shuffling_keeps_all(void **state)
{
	uint32_t items[100], again[100], moved = 0;
	uint64_t seed = 1, same_seed = 1, seen[2] = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		items[i] = again[i] = i;
	random_shuffle(items, 100, &seed);
	random_shuffle(again, 100, &same_seed);
	assert_memory_equal(items, again, sizeof(items));
	for (uint32_t i = 0; i < 100; i++) {
		seen[items[i] / 64] |= 1ull << items[i] % 64;
		moved += items[i] != i;
	}
	assert_true(seen[0] == UINT64_MAX && seen[1] == (1ull << 36) - 1);
	assert_true(moved > 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stay),
		cmocka_unit_test(shuffling_keeps_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
