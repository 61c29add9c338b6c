/* SPDX-License-Identifier: GPL-2.0-only */
/* One description, told as a record and as a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/field.h"

enum colour { RED, BLUE, COLOUR_COUNT };

struct row {
	enum colour colour;
	const char *label;
	char word[8];
	uint32_t node;
	uint8_t small;
	bool yes;
	int64_t change;
	uint64_t address, cycles, pages, unknown;
	struct summary spread;
	struct part {
		bool ran;
		uint64_t operations;
	} parts[COLOUR_COUNT];
};

static const char *colour_name(enum colour colour)
{
	return colour == RED ? "red" : "blue";
}

static const struct field fields[] = {
	FIELD_CONSTANT("experiment", "test"),
	FIELD(struct row, colour, AS_WORD, WORDS(colour_name, COLOUR_COUNT), .name = "colour",
	      .title = "colour", .width = -6),
	FIELD(struct row, label, AS_TEXT, .name = "label", .title = "label", .width = -6),
	FIELD(struct row, word, AS_TEXT, .name = "word", .title = "word", .width = 6),
	FIELD(struct row, node, AS_NUMBER, .name = "node", .unless_all_ones = true, .title = "node",
	      .width = 4),
	FIELD(struct row, small, AS_NUMBER, .name = "small"),
	FIELD(struct row, yes, AS_BOOL, .name = "yes", .title = "yes", .width = 3),
	FIELD(struct row, change, AS_NUMBER, .name = "change", .title = "change", .width = 6),
	FIELD(struct row, address, AS_HEX, .name = "address", .title = "address", .width = 7),
	FIELD(struct row, cycles, AS_MS, .name = "cycles", .title = "time", .unit = "ms",
	      .width = 6),
	FIELD(struct row, cycles, AS_NS_PER, PER(struct row, pages), .decimals = 2,
	      .title = "ns/page", .width = 7),
	FIELD(struct row, pages, AS_GB_PER_S, PER(struct row, cycles), .decimals = 2,
	      .title = "GB/s", .width = 5),
	FIELD(struct row, unknown, AS_NUMBER, .name = "unknown", .unless_zero = true,
	      .title = "unknown", .width = 7),
	FIELD(struct row, parts[0].operations, AS_NUMBER, IF(struct row, parts[0].ran),
	      .present_is_copied = true, .name = "%s_operations", .copies = COLOUR_COUNT,
	      .stride = sizeof(struct part), .copy_name = colour_name),
	FIELD(struct row, parts[0].operations, AS_NUMBER, .name = "part%s", .copies = COLOUR_COUNT,
	      .stride = sizeof(struct part)),
};
static const struct record_type type = RECORD_TYPE("test", "in tests", fields);

static const struct field spread_fields[] = { FIELD_SUMMARY(struct row, spread) };
static const struct record_type spread_type = RECORD_TYPE("spread", "in tests", spread_fields);

static char told[4096];
static size_t told_length;

static void keep(void *context, const char *text, size_t length)
{
	(void)context;
	assert_true(told_length + length < sizeof(told));
	memcpy(told + told_length, text, length);
	told_length += length;
	told[told_length] = '\0';
}

static const struct sink sink = { keep, NULL };
static struct report report;

static int open_report(void **state)
{
	(void)state;
	memset(&report, 0, sizeof(report));
	report.sink = &sink;
	report.tsc_hz = 1000000000;
	report.descriptor_bytes = 64;
	record_stream_init(&report.records, &sink, true);
	told_length = 0;
	told[0] = '\0';
	return 0;
}

static const struct row row = {
	.colour = BLUE, .label = "one", .word = "two", .node = 3, .small = 4, .yes = true,
	.change = -5, .address = 0x60, .cycles = 7000000, .pages = 1000000,
	.parts = { { true, 8 }, { false, 9 } },
};

/* The CRC has its own tests. */
static void assert_record(const char *expected)
{
	char *end = strchr(told, '#');

	assert_non_null(end);
	*end = '\0';
	assert_string_equal(told, expected);
}

static void record_has_every_member_under_its_name(void **state)
{
	(void)state;
	field_record(&report.records, &type, &row);
	assert_record("@{\"seq\":0,\"type\":\"test\",\"experiment\":\"test\",\"colour\":\"blue\","
		      "\"label\":\"one\",\"word\":\"two\",\"node\":3,\"small\":4,\"yes\":true,"
		      "\"change\":-5,\"address\":96,\"cycles\":7000000,\"red_operations\":8,"
		      "\"part0\":8,\"part1\":9}");
}

static void what_is_not_known_is_left_out_or_minus_one(void **state)
{
	static const struct field adopter[] = {
		FIELD(struct row, node, AS_NUMBER, .name = "adopter", .none_is_minus_one = true),
		FIELD(struct row, node, AS_NUMBER, .name = "node", .unless_all_ones = true),
		FIELD(struct row, label, AS_TEXT, .name = "reason", IF(struct row, label)),
	};
	static const struct record_type none = RECORD_TYPE("none", "in tests", adopter);
	struct row nothing = { .node = UINT32_MAX };

	(void)state;
	field_record(&report.records, &none, &nothing);
	assert_record("@{\"seq\":0,\"type\":\"none\",\"adopter\":-1}");
}

static void table_has_the_titled_members_with_units(void **state)
{
	struct field_table table;

	(void)state;
	field_table_begin(&table, &report, FIELDS(fields));
	field_table_row(&table, &row);
	assert_string_equal(told,
		"colour label    word node yes change address   time ns/page  GB/s unknown\n"
		"                                                 ms\n"
		"blue   one       two    3 yes     -5    0x60  7.000    7.00  9.14       -\n");
}

static void unknown_members_are_dashes(void **state)
{
	struct row nothing = { .node = UINT32_MAX, .label = "x" };
	struct field_table table;

	(void)state;
	field_table_begin(&table, &report, FIELDS(fields));
	told_length = 0;
	field_table_row(&table, &nothing);
	assert_string_equal(told, "red    x                -  no      0     0x0  0.000       -"
				  "     -       -\n");
}

static void shares_and_changes(void **state)
{
	static const struct field shares[] = {
		FIELD(struct row, cycles, AS_PER_1000, PER(struct row, pages), .decimals = 2,
		      .title = "events", .unit = "/ 1000", .width = 7),
		FIELD(struct row, unknown, AS_PER_1000, PER(struct row, pages), .decimals = 2,
		      .plain_zero = true, .title = "others", .unit = "/ 1000", .width = 6),
		FIELD(struct row, change, AS_CHANGE, .decimals = 1, .title = "change",
		      .unit = "%", .width = 6),
	};
	struct row rows[] = {
		{ .cycles = 1, .unknown = 1, .pages = 400000, .change = 2460 },
		{ .cycles = 0, .unknown = 0, .pages = 400000, .change = -7 },
		{ .cycles = 1, .unknown = 0, .pages = 0, .change = 0 },
	};
	struct field_table table;

	(void)state;
	field_table_begin(&table, &report, FIELDS(shares));
	told_length = 0;
	for (int i = 0; i < 3; i++)
		field_table_row(&table, &rows[i]);
	assert_string_equal(told, "   0.00   0.00  +24.6\n"
				  "   0.00      0   -0.1\n"
				  "      -      0   +0.0\n");
}

static void summary_of_nothing_and_of_one_run(void **state)
{
	struct row none = { .node = 0 };
	struct row one = { .spread = { .count = 1, .mean = 1000000, .min = 1000000,
				       .median = 1000000, .max = 1000000 } };
	struct field_table table;

	(void)state;
	field_table_begin(&table, &report, FIELDS(spread_fields));
	told_length = 0;
	field_table_row(&table, &none);
	field_table_row(&table, &one);
	assert_string_equal(told, "       -        -        -        -        -\n"
				  "   1.000    1.000    1.000    1.000        -\n");
	told_length = 0;
	field_record(&report.records, &spread_type, &one);
	assert_record("@{\"seq\":0,\"type\":\"spread\",\"count\":1,\"mean_cycles\":1000000,"
		      "\"min_cycles\":1000000,\"median_cycles\":1000000,\"max_cycles\":1000000,"
		      "\"stddev_cycles\":0}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(record_has_every_member_under_its_name, open_report),
		cmocka_unit_test_setup(what_is_not_known_is_left_out_or_minus_one, open_report),
		cmocka_unit_test_setup(table_has_the_titled_members_with_units, open_report),
		cmocka_unit_test_setup(unknown_members_are_dashes, open_report),
		cmocka_unit_test_setup(shares_and_changes, open_report),
		cmocka_unit_test_setup(summary_of_nothing_and_of_one_run, open_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
