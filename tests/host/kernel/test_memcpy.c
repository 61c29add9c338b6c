/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel/memcpy.c is not linked on a host, which has functions of these names; it
 * is compiled here under other names, and compared with the host's.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define memcpy kernel_memcpy
#define memmove kernel_memmove
#define memset kernel_memset
#define memcmp kernel_memcmp
#include "kernel/memcpy.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp

enum { ROOM = 64 };

static uint8_t ours[ROOM], theirs[ROOM];

static void fill(void)
{
	for (int i = 0; i < ROOM; i++)
		ours[i] = theirs[i] = (uint8_t)(i * 37 + 11);
}

/* Every pair of offsets and every length: all ways to overlap. */
static void moves(void **state)
{
	(void)state;
	for (size_t to = 0; to < 24; to++) {
		for (size_t from = 0; from < 24; from++) {
			for (size_t length = 0; length <= ROOM - 24; length++) {
				fill();
				assert_ptr_equal(kernel_memmove(ours + to, ours + from, length),
						 ours + to);
				memmove(theirs + to, theirs + from, length);
				assert_memory_equal(ours, theirs, ROOM);
			}
		}
	}
}

static void copies_and_fills(void **state)
{
	(void)state;
	for (size_t length = 0; length <= 24; length++) {
		fill();
		assert_ptr_equal(kernel_memcpy(ours + 3, ours + 30, length), ours + 3);
		memcpy(theirs + 3, theirs + 30, length);
		assert_memory_equal(ours, theirs, ROOM);
		assert_ptr_equal(kernel_memset(ours + 5, 0x1a5, length), ours + 5);
		memset(theirs + 5, 0x1a5, length);
		assert_memory_equal(ours, theirs, ROOM);
	}
}

static int sign(int value)
{
	return (value > 0) - (value < 0);
}

static void compares(void **state)
{
	(void)state;
	for (size_t at = 0; at < 16; at++) {
		for (int change = 0; change < 256; change++) {
			fill();
			ours[at] = (uint8_t)change;
			assert_int_equal(sign(kernel_memcmp(ours, theirs, 16)),
					 sign(memcmp(ours, theirs, 16)));
			assert_int_equal(kernel_memcmp(ours, theirs, at), 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves),
		cmocka_unit_test(copies_and_fills),
		cmocka_unit_test(compares),
	};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
