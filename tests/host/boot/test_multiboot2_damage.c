/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/mbi.h"
#include "tests/host/random.h"

static uint64_t seed = 0x1234567890abcdef;

static void every_truncation_is_survived(void **state)
{
	static uint8_t cut[4096];
	uint32_t whole;

	(void)state;
	add_everything();
	whole = used;
	assert_true(whole < sizeof(cut));
	for (uint32_t length = 0; length < whole; length++) {
		memcpy(cut, mbi, whole);
		assert_int_equal(read_bytes(cut, length), length >= 8); /* says more than it has */
		if (length >= 8) {
			memcpy(cut, &length, 4);
			assert_true(read_bytes(cut, length)); /* has what it says */
			assert_true(notes.count > 0);
		}
	}
}

static void every_tag_size_is_survived(void **state)
{
	(void)state;
	for (uint32_t size = 0; size <= 64; size++) {
		add_everything();
		for (uint32_t i = 0; i < tags; i++) {
			uint32_t right = mbi[tag_at[i] + 4];

			mbi[tag_at[i] + 4] = (uint8_t)size;
			assert_true(read_bytes(mbi, used));
			if (size < 8 && i < tags - 1)
				assert_true(notes.count > 0);
			mbi[tag_at[i] + 4] = (uint8_t)right;
		}
	}
}

static void random_damage_is_survived(void **state)
{
	(void)state;
	for (uint32_t run = 0; run < 10000; run++) {
		add_everything();
		for (uint64_t flips = 1 + random_next(&seed) % 8; flips > 0; flips--)
			mbi[random_next(&seed) % used] ^= (uint8_t)(1u << random_next(&seed) % 8);
		if (run % 2)
			put_u32(0, used);
		assert_true(read_bytes(mbi, used));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(every_tag_size_is_survived),
		cmocka_unit_test(random_damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
