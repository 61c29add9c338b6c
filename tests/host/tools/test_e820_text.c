/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tools/inspect/alloc.c"
#include "tools/inspect/e820_text.c"
#include "tools/inspect/e820_words.c"

static struct boot_memory entries[8];

static bool parse_text(const char *text, uint32_t capacity, uint32_t *count)
{
	char error[100] = "";
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	bool ok = e820_text_parse(in, entries, capacity, count, error, sizeof(error));

	fclose(in);
	assert_int_equal(ok, error[0] == '\0');
	return ok;
}

static void text_lines_become_entries(void **state)
{
	uint32_t count;

	(void)state;
	assert_true(parse_text("# a map\n\n0x0-0xfff usable\r\n 0x1000 - 0x1fff  type 20 # EFI\n"
			       "2000-2fff persistent (type 12)\n0x3000-0xffffffffffffffff 3\n"
			       "0x4000-0x4fff soft reserved\n0x5000-0x5fff ACPI NVS",
			       8, &count));
	assert_int_equal(count, 6);
	assert_int_equal(entries[0].length, 0x1000);
	assert_int_equal(entries[0].type, MEMORY_USABLE);
	assert_int_equal(entries[1].start, 0x1000);
	assert_int_equal(entries[1].type, MEMORY_RESERVED);
	assert_int_equal(entries[2].start, 0x2000);
	assert_int_equal(entries[2].type, MEMORY_PERSISTENT);
	assert_int_equal(entries[3].start + entries[3].length, 0);
	assert_int_equal(entries[3].type, MEMORY_ACPI_DATA);
	assert_int_equal(entries[4].type, MEMORY_SOFT_RESERVED);
	assert_int_equal(entries[5].type, MEMORY_ACPI_NVS);
}

static void text_that_is_no_map_is_refused(void **state)
{
	static const char *const wrong[] = {
		"usable",
		"0x1000 usable",
		"0x1000-",
		"0x1000-0xfff usable",
		"0-0xfff",
		"0-0xfff RAM",
		"0-0xfff type",
		"0-0xfff type x",
		"0-0xfff type 4294967296",
		"0-0xfff persistent (type 7",
		"0x10000000000000000-0x10000000000000001 usable",
		"0-ffffffffffffffff usable",
		"-1-2 usable",
	};
	char line[700];
	uint32_t count;

	(void)state;
	for (uint32_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(parse_text(wrong[i], 8, &count));
	assert_false(parse_text("0-0xfff usable\n0x1000-0x1fff usable\n", 1, &count));
	snprintf(line, sizeof(line), "0-0xfff usable%600s", "x");
	assert_false(parse_text(line, 8, &count));
}

static void bytes_without_end_are_refused(void **state)
{
	FILE *zeroes = fopen("/dev/zero", "r");
	char error[100];
	uint32_t count;

	(void)state;
	assert_non_null(zeroes);
	assert_false(e820_text_parse(zeroes, entries, 8, &count, error, sizeof(error)));
	fclose(zeroes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_lines_become_entries),
		cmocka_unit_test(text_that_is_no_map_is_refused),
		cmocka_unit_test(bytes_without_end_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
