/* SPDX-License-Identifier: GPL-2.0-only */
/* The log of claims, and whether they tile a job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "smp/dispatch/dispatch.h"
#include "tests/host/random.h"

static uint64_t seed = 0x9e3779b97f4a7c15ull;

static void test_full_log_is_noticed(void **unused)
{
	struct claim claims[2] = { { 0, 0, 0 }, { 5, 5, 5 } };
	struct claim_log log;

	(void)unused;
	claim_log_init(&log, claims, 1);
	claim_log_add(&log, 1, 2, 3);
	claim_log_add(&log, 2, 3, 3);
	assert_int_equal(log.count, 2);
	assert_int_equal(claims[0].end, 2);
	assert_int_equal(claims[1].end, 5);
}

/* A map of units against the verdict, with claims left out, repeated, shifted. */
static void test_tiling_against_a_map_of_units(void **unused)
{
	enum { UNITS = 40, START = 10, END = 30 };

	(void)unused;
	for (unsigned round = 0; round < 10000; round++) {
		struct claim claims[24];
		unsigned map[UNITS] = { 0 };
		uint64_t count = 0, bad = UINT64_MAX, expected = UINT64_MAX;

		for (uint64_t at = START; at < END;) {
			uint64_t length = 1 + random_next(&seed) % 6;

			length = at + length > END ? END - at : length;
			if (random_next(&seed) % 24)
				claims[count++] = (struct claim){ at, at + length, 0 };
			if (random_next(&seed) % 24 == 0)
				claims[count++] = (struct claim){ at - random_next(&seed) % 3,
								  at + length, 0 };
			at += length;
			if (count > 20)
				break;
		}
		for (uint64_t i = count; i-- > 1;) {
			uint64_t j = random_next(&seed) % (i + 1);
			struct claim spare = claims[i];

			claims[i] = claims[j];
			claims[j] = spare;
		}
		for (uint64_t i = 0; i < count; i++)
			for (uint64_t u = claims[i].start; u < claims[i].end; u++)
				map[u]++;
		for (uint64_t u = UNITS; u-- > 0;)
			if (map[u] != (u >= START && u < END))
				expected = u;
		assert_int_equal(dispatch_claims_tile(claims, count, START, END, &bad),
				 expected == UINT64_MAX);
		assert_true(bad == expected);
	}
}

static void test_tiling_of_nothing_and_of_empty_claims(void **unused)
{
	struct claim odd[] = { { 5, 5, 0 }, { 5, 6, 0 } };
	uint64_t bad = 0;

	(void)unused;
	assert_true(dispatch_claims_tile(NULL, 0, 5, 5, &bad));
	assert_false(dispatch_claims_tile(NULL, 0, 5, 6, &bad));
	assert_int_equal(bad, 5);
	assert_false(dispatch_claims_tile(odd, 2, 5, 6, &bad));
	assert_int_equal(bad, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_log_is_noticed),
		cmocka_unit_test(test_tiling_against_a_map_of_units),
		cmocka_unit_test(test_tiling_of_nothing_and_of_empty_claims),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
