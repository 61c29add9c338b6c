/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/random.h"

/* Each bit is set in about half of the numbers, and the same seed gives the same numbers. */
static void every_bit_is_random(void **state)
{
	uint64_t seed = 1, same_seed = 1;
	uint32_t set[64] = { 0 };

	(void)state;
	for (uint32_t n = 0; n < 4000; n++) {
		uint64_t number = random_u64(&seed);

		assert_int_equal(random_u64(&same_seed), number);
		assert_int_not_equal(number, 0);
		for (uint32_t bit = 0; bit < 64; bit++)
			set[bit] += number >> bit & 1;
	}
	for (uint32_t bit = 0; bit < 64; bit++)
		assert_in_range(set[bit], 1800, 2200); /* six deviations of a fair coin */
}

/* What results rest on: another generator would give other intervals and orders. */
static void numbers_stay(void **state)
{
	uint64_t seed = 1;

	(void)state;
	assert_int_equal(random_u64(&seed), 0x47e4ce4b896cdd1dull);
	assert_int_equal(seed, 0x2000001ull);
}

/* One bit of the number changes about half of the bits of what it is mixed to. */
static void mixing_spreads_each_bit(void **state)
{
	(void)state;
	for (uint32_t bit = 0; bit < 64; bit++) {
		uint32_t changed = 0;

		for (uint64_t number = 1; number <= 100; number++) {
			uint64_t difference = random_mix(number) ^ random_mix(number ^ 1ull << bit);

			assert_int_not_equal(difference, 0);
			changed += (uint32_t)__builtin_popcountll(difference);
		}
		assert_in_range(changed / 100, 28, 36);
	}
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
		cmocka_unit_test(every_bit_is_random),
		cmocka_unit_test(numbers_stay),
		cmocka_unit_test(mixing_spreads_each_bit),
		cmocka_unit_test(shuffling_keeps_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
