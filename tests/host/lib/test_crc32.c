/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "lib/crc32.h"

/* The usual check value of CRC-32/ISO-HDLC, and others that zlib gives. */
static void known_vectors(void **state)
{
	static const struct {
		const char *text;
		uint32_t crc;
	} vectors[] = {
		{ "", 0x00000000 },
		{ "a", 0xe8b7be43 },
		{ "abc", 0x352441c2 },
		{ "123456789", 0xcbf43926 },
		{ "The quick brown fox jumps over the lazy dog", 0x414fa339 },
	};
	static const uint8_t zeros[32];

	(void)state;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		assert_int_equal(crc32_update(0, vectors[i].text, strlen(vectors[i].text)),
				 vectors[i].crc);
	assert_int_equal(crc32_update(0, zeros, sizeof(zeros)), 0x190a55ad);
}

/* Every byte value against the bit-wise definition. */
static void all_bytes_match_the_definition(void **state)
{
	uint8_t bytes[256];
	uint32_t expected = 0xffffffff;

	(void)state;
	for (int i = 0; i < 256; i++) {
		bytes[i] = (uint8_t)(i * 7 + 3);
		expected ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			expected = expected >> 1 ^ (expected & 1 ? 0xedb88320 : 0);
	}
	assert_int_equal(crc32_update(0, bytes, sizeof(bytes)), ~expected);
}

static void pieces_give_what_the_whole_gives(void **state)
{
	static const char text[] = "@{\"seq\":17,\"type\":\"sample\"}";
	size_t length = strlen(text);

	(void)state;
	for (size_t cut = 0; cut <= length; cut++) {
		uint32_t crc = crc32_update(0, text, cut);

		assert_int_equal(crc32_update(crc, text + cut, length - cut),
				 crc32_update(0, text, length));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_vectors),
		cmocka_unit_test(all_bytes_match_the_definition),
		cmocka_unit_test(pieces_give_what_the_whole_gives),
	};

	return cmocka_run_group_tests_name("crc32", tests, NULL, NULL);
}
