/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/text.h"
#include "tests/host/random.h"

static void pieces_become_one_text(void **state)
{
	char to[32];
	struct text text = text_in(to, sizeof(to));

	(void)state;
	assert_string_equal(to, "");
	text_add(&text, "%u of %s", 3u, "five");
	text_add(&text, "!");
	assert_string_equal(to, "3 of five!");
	assert_int_equal(text.length, 10);
	assert_false(text.cut);
}

static void items_have_commas(void **state)
{
	char to[32];
	struct text text = text_in(to, sizeof(to));

	(void)state;
	text_add_item(&text, "%s", "node");
	text_add_item(&text, "zone%u", 1u);
	assert_string_equal(to, "node, zone1");
}

/* Of any size, and with whatever is added after the cut: the address sanitizer watches the end. */
static void nothing_leaves_the_buffer(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t size = 1 + random_next(&seed) % 40, full = 0;
		char *to = malloc(size);
		struct text text = text_in(to, size);

		for (int piece = 0; piece < 6; piece++) {
			int width = (int)(random_next(&seed) % 20);

			text_add(&text, "%*s", width, "");
			full += (size_t)width;
		}
		assert_int_equal(text.cut, full >= size);
		assert_int_equal(text.length, full >= size ? size - 1 : full);
		assert_int_equal(strlen(to), text.length);
		if (text.cut && size > 3)
			assert_string_equal(to + size - 4, "...");
		free(to);
	}
}

static bool in_list(const void *context, uint32_t number)
{
	return strchr(context, (char)('a' + number)) != NULL;
}

static void numbers_are_ranges(void **state)
{
	static const struct {
		const char *numbers, *text;
	} cases[] = { { "", "" }, { "a", "0" }, { "ab", "0, 1" }, { "abc", "0-2" },
		      { "abcdfhi", "0-3, 5, 7, 8" }, { "hijz", "7-9, 25" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char to[32];
		struct text text = text_in(to, sizeof(to));

		text_add_numbers(&text, 26, in_list, cases[i].numbers);
		assert_string_equal(to, cases[i].text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_become_one_text),
		cmocka_unit_test(items_have_commas),
		cmocka_unit_test(nothing_leaves_the_buffer),
		cmocka_unit_test(numbers_are_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
