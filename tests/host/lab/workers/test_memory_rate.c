/* SPDX-License-Identifier: GPL-2.0-only */
/* The streams write what they say and nothing beside it; the chain goes through every line once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/workers/memory_rate.h"

enum { BYTES = 4096 };

static void reads_add_up(void **state)
{
	uint64_t *words = aligned_alloc(64, BYTES), sum = 0;

	(void)state;
	for (uint64_t i = 0; i < BYTES / 8; i++) {
		words[i] = 1ull << (i % 64) | i << 20;
		sum += words[i];
	}
	assert_true(memory_read(words, BYTES) == sum);
	assert_true(memory_read(words, 64) == memory_read(words, 128) - memory_read(words + 8, 64));
	assert_true(memory_read(words, 0) == 0);
	free(words);
}

static void writes_fill_exactly(void **state)
{
	void (*const writes[])(void *, uint64_t, uint64_t) = { memory_write, memory_write_nt };
	uint64_t *words = aligned_alloc(64, BYTES);

	(void)state;
	for (int w = 0; w < 2; w++) {
		memset(words, 0x5a, BYTES);
		writes[w](words + 8, BYTES - 128, 0x1122334455667788);
		for (uint64_t i = 0; i < BYTES / 8; i++)
			assert_true(words[i] == (i < 8 || i >= BYTES / 8 - 8 ?
							 0x5a5a5a5a5a5a5a5a : 0x1122334455667788));
		writes[w](words, 0, 1);
		assert_true(words[0] == 0x5a5a5a5a5a5a5a5a);
	}
	free(words);
}

/* From every length the same: one cycle through all lines of all pieces. */
static void the_chain_is_one_cycle(void **state)
{
	static const uint32_t lengths[][2] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 3, 64 }, { 5, 7 } };
	uint8_t *pieces[5];

	(void)state;
	for (uint32_t n = 0; n < 5; n++) {
		uint32_t count = lengths[n][0], lines = lengths[n][1], total = count * lines;
		void *first, *at;

		for (uint32_t i = 0; i < count; i++)
			pieces[i] = aligned_alloc(64, lines * 64);
		first = at = memory_chain(pieces, count, lines * 64, 42);
		for (uint32_t i = 1; i < total; i++) {
			at = memory_chase(at, 1);
			assert_true(at != first);
		}
		assert_ptr_equal(memory_chase(at, 1), first);
		assert_ptr_equal(memory_chase(first, total), first);
		for (uint32_t i = 0; i < count; i++)
			free(pieces[i]);
	}
	assert_null(memory_chain(pieces, 0, 64, 1));
}

static void the_chain_is_not_in_order(void **state)
{
	enum { LINES = 1024 };
	uint8_t *piece = aligned_alloc(64, LINES * 64);
	uint8_t *at = memory_chain(&piece, 1, LINES * 64, 7);
	uint32_t neighbours = 0;

	(void)state;
	for (uint32_t i = 0; i < LINES; i++) {
		uint8_t *next = memory_chase(at, 1);

		neighbours += next == at + 64;
		at = next;
	}
	assert_true(neighbours < 10);
	free(piece);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_add_up),
		cmocka_unit_test(writes_fill_exactly),
		cmocka_unit_test(the_chain_is_one_cycle),
		cmocka_unit_test(the_chain_is_not_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
