/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/interleave.h"

enum { MOST = 24 };

static uint32_t after[MOST][MOST]; /* how often [this] ran right after [that] in a round */
static uint32_t stood[MOST][MOST]; /* how often [this] stood at [place] */

static void run_round(uint32_t count, uint32_t round)
{
	uint32_t last = interleave(count, round, 0);

	stood[last][0]++;
	for (uint32_t place = 1; place < count; place++) {
		uint32_t next = interleave(count, round, place);

		assert_true(next < count);
		stood[next][place]++;
		after[next][last]++;
		last = next;
	}
}

static void every_neighbour_and_place_equally_often(void **state)
{
	(void)state;
	for (uint32_t count = 1; count <= MOST; count++) {
		uint32_t times = 1 + count % 2;

		memset(after, 0, sizeof(after));
		memset(stood, 0, sizeof(stood));
		for (uint32_t round = 0; round < times * count; round++)
			run_round(count, round);
		for (uint32_t a = 0; a < count; a++)
			for (uint32_t b = 0; b < count; b++) {
				assert_int_equal(after[a][b], a == b ? 0 : times);
				assert_int_equal(stood[a][b], times);
			}
	}
}

static void the_first_round_as_drawn(void **state)
{
	static const uint32_t six[] = { 0, 1, 5, 2, 4, 3 }, third[] = { 2, 3, 1, 4, 0, 5 };

	(void)state;
	for (uint32_t place = 0; place < 6; place++) {
		assert_int_equal(interleave(6, 0, place), six[place]);
		assert_int_equal(interleave(6, 2, place), third[place]);
		assert_int_equal(interleave(6, 6, place), six[place]);
	}
	for (uint32_t count = 1; count <= MOST; count++)
		assert_int_equal(interleave(count, 0, 0), 0);
	assert_true(interleave(UINT32_MAX, UINT32_MAX, UINT32_MAX - 1) < UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_neighbour_and_place_equally_often),
		cmocka_unit_test(the_first_round_as_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
