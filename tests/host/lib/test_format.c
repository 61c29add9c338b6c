/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/format.h"
#include "lib/sink.h"
#include "lib/string.h"
#include "tests/host/random.h"

static uint64_t seed = 0x9e3779b97f4a7c15;

/* Small, large and border values alike. */
static uint64_t random_value(void)
{
	static const uint64_t borders[] = { 0, 1, 9, 10, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
					    0x7fffffff, 0x80000000, 0xffffffff, INT64_MAX,
					    (uint64_t)INT64_MIN, UINT64_MAX };

	if (random_next(&seed) % 4 == 0)
		return borders[random_next(&seed) % (sizeof(borders) / sizeof(borders[0]))];
	return random_any(&seed);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* The length of the whole text. No printf to the compiler, which would refuse odd patterns. */
static size_t unchecked(char *to, size_t size, const char *pattern, ...)
{
	va_list list;
	size_t length;

	va_start(list, pattern);
	length = format_list(to, size, pattern, list);
	va_end(list);
	return length;
}

/* Same text, same length, nothing beyond the buffer (the address sanitizer watches its end). */
#define SAME_AS_LIBC(pattern, ...)                                                               \
	do {                                                                                     \
		size_t room = random_next(&seed) % 80;                                           \
		char *ours = malloc(room), *theirs = malloc(room);                               \
		size_t written = unchecked(ours, room, pattern, __VA_ARGS__);                     \
		int expected = snprintf(theirs, room, pattern, __VA_ARGS__);                     \
		assert_int_equal(written, expected);                                             \
		if (room)                                                                        \
			assert_string_equal(ours, theirs);                                       \
		free(ours);                                                                      \
		free(theirs);                                                                    \
	} while (0)

static void numbers_are_as_in_libc(void **state)
{
	static const char *const flags[] = { "", "-", "0", "-0", "0-" };
	static const char letters[] = "diuxX";
	static const char *const lengths[] = { "", "hh", "h", "l", "ll", "z" };
	char pattern[64];

	(void)state;
	for (int i = 0; i < 60000; i++) {
		unsigned length = (unsigned)(random_next(&seed) % 6);
		int width = (int)(random_next(&seed) % 40);
		bool star = random_next(&seed) % 2;
		uint64_t value = random_value();
		char digits[8] = "*";

		if (!star)
			snprintf(digits, sizeof(digits), width ? "%d" : "", width);
		snprintf(pattern, sizeof(pattern), "<%%%s%s%s%c>", flags[random_next(&seed) % 5],
			 digits, lengths[length], letters[random_next(&seed) % 5]);
		if (star && length >= 3)
			SAME_AS_LIBC(pattern, width - 20, value);
		else if (star)
			SAME_AS_LIBC(pattern, width - 20, (int)value);
		else if (length >= 3)
			SAME_AS_LIBC(pattern, value);
		else
			SAME_AS_LIBC(pattern, (int)value);
	}
}

static void strings_are_as_in_libc(void **state)
{
	static const char *const patterns[] = { "%*.*s|", "%-*.*s|" };
	char text[32];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t length = random_next(&seed) % sizeof(text);
		const char *pattern = patterns[random_next(&seed) % 2];
		int width = (int)(random_next(&seed) % 80) - 40;
		int precision = (int)(random_next(&seed) % 40) - 5;

		memset(text, 'a' + (int)(random_next(&seed) % 26), sizeof(text));
		text[length] = '\0';
		SAME_AS_LIBC(pattern, width, precision, text);
		SAME_AS_LIBC("%12s%-7s%s%%%c%3c%-3c.", text, text, text, text[0] | 1, 'x', 'y');
		SAME_AS_LIBC("%.5s %.0s %.s", text, text, text);
	}
}

/* A precision must bound the read too: the text need not be terminated. */
static void precision_bounds_the_read(void **state)
{
	char *text = malloc(3), out[16];

	(void)state;
	memcpy(text, "abc", 3);
	assert_int_equal(unchecked(out, sizeof(out), "%.3s", text), 3);
	assert_string_equal(out, "abc");
	free(text);
}

static void odd_patterns_are_shown_as_they_stand(void **state)
{
	char out[64];

	(void)state;
	assert_int_equal(unchecked(out, sizeof(out), "100%"), 4);
	assert_string_equal(out, "100%");
	unchecked(out, sizeof(out), "%k %5");
	assert_string_equal(out, "%k %5");
	format(out, sizeof(out), "%p", (void *)0x1000);
	assert_string_equal(out, "0x1000");
	unchecked(out, sizeof(out), "%s", (char *)NULL);
	assert_string_equal(out, "(null)");
}

/* Long widths count in full without being written, and without a loop of that length. */
static void absurd_width(void **state)
{
	char out[8];

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(unchecked(out, sizeof(out), "%2000000000d", 7), 2000000000 / 10);
	assert_string_equal(out, "       ");
}

/* Against schoolbook arithmetic in 128 bits and long division on the host. */
static void ratio_is_exact(void **state)
{
	__extension__ typedef unsigned __int128 u128;
	char out[32], expected[64];

	(void)state;
	for (int i = 0; i < 50000; i++) {
		uint64_t a = random_value(), b = random_value();
		unsigned decimals = (unsigned)(random_next(&seed) % 10);
		uint64_t scale = 1, whole, fraction;
		u128 rounded;

		if (!b)
			continue;
		for (unsigned d = 0; d < decimals; d++)
			scale *= 10;
		rounded = ((u128)a * scale * 2 + b) / ((u128)b * 2);
		whole = (uint64_t)(rounded / scale);
		fraction = (uint64_t)(rounded % scale);
		if (decimals)
			snprintf(expected, sizeof(expected), "%lu.%0*lu", whole, (int)decimals,
				 fraction);
		else
			snprintf(expected, sizeof(expected), "%lu", whole);
		assert_ptr_equal(format_ratio(out, a, b, decimals), out);
		assert_string_equal(out, expected);
	}
}

static void ratio_at_the_borders(void **state)
{
	char out[32];

	(void)state;
	assert_string_equal(format_ratio(out, 7, 0, 2), "-");
	assert_string_equal(format_ratio(out, 5, 2, 0), "3");
	assert_string_equal(format_ratio(out, 999999, 1000000, 2), "1.00");
	assert_string_equal(format_ratio(out, 1, 200, 2), "0.01");
	assert_string_equal(format_ratio(out, 1, 201, 2), "0.00");
	assert_string_equal(format_ratio(out, UINT64_MAX, 1, 9), "18446744073709551615.000000000");
	assert_string_equal(format_ratio(out, UINT64_MAX, UINT64_MAX, 9), "1.000000000");
	assert_string_equal(format_ratio(out, UINT64_MAX - 1, UINT64_MAX, 9), "1.000000000");
	assert_string_equal(format_ratio(out, 1, 3, 77), "0.333333333");
}

static char sink_text[2048];
static unsigned writes;

static void write_text(void *context, const char *text, size_t length)
{
	(void)context;
	memcpy(sink_text, text, length);
	sink_text[length] = '\0';
	writes++;
}

static void sink_writes_once_and_cuts(void **state)
{
	struct sink sink = { .write = write_text };
	char text[1500];

	(void)state;
	sink_print(&sink, "%s %u\n", "pages", 5u);
	assert_string_equal(sink_text, "pages 5\n");
	assert_int_equal(writes, 1);
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	sink_print(&sink, "%s", text);
	assert_int_equal(strlen(sink_text), 1023);
	assert_int_equal(writes, 2);
}

static void string_helpers(void **state)
{
	char to[5] = "zzzz", *unterminated = malloc(4);

	(void)state;
	memcpy(unterminated, "four", 4);
	assert_int_equal(string_length(unterminated, 4), 4);
	assert_int_equal(string_length("abc", 2), 2);
	assert_int_equal(string_length("abc", 99), 3);
	assert_int_equal(string_length("", 0), 0);
	string_copy(to, "abcdefgh", sizeof(to));
	assert_string_equal(to, "abcd");
	string_copy(to, "x", 1);
	assert_string_equal(to, "");
	assert_true(string_equal("", ""));
	assert_true(string_equal("node", "node"));
	assert_false(string_equal("node", "nodes"));
	assert_false(string_equal("nodes", "node"));
	assert_false(string_equal("", "a"));
	free(unterminated);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_as_in_libc),
		cmocka_unit_test(strings_are_as_in_libc),
		cmocka_unit_test(precision_bounds_the_read),
		cmocka_unit_test(odd_patterns_are_shown_as_they_stand),
		cmocka_unit_test(absurd_width),
		cmocka_unit_test(ratio_is_exact),
		cmocka_unit_test(ratio_at_the_borders),
		cmocka_unit_test(sink_writes_once_and_cuts),
		cmocka_unit_test(string_helpers),
	};

	return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
