/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/subtable.h"

#include "tests/host/acpi_build.h"

enum { FIRST = 40 };

static struct anomaly_log notes;

/* Walks all of `b`, then asks once more: the end stays the end. Returns the number of records. */
static uint32_t walk_all(struct build *b, enum subtable_header header, struct subtable_walk *last)
{
	struct acpi_table table = build_exact(b);
	struct subtable_walk walk;
	uint32_t records = 0, noted;

	notes = (struct anomaly_log){ 0 };
	subtable_begin(&walk, &table, "TEST", header, FIRST, &notes);
	while (subtable_next(&walk)) {
		assert_ptr_equal(walk.bytes, table.bytes + walk.offset);
		*last = walk;
		records++;
	}
	noted = notes.count;
	assert_false(subtable_next(&walk));
	assert_int_equal(notes.count, noted);
	assert_in_range(noted, 0, 1);
	exact_free(&table);
	return records;
}

static void begin(struct build *b)
{
	build_header(b, "TEST", 1);
	build_int(b, 0, FIRST - ACPI_HEADER_BYTES);
}

static void short_records(void **state)
{
	struct subtable_walk last;
	struct build b;

	(void)state;
	begin(&b);
	assert_int_equal(walk_all(&b, SUBTABLE_SHORT, &last), 0);
	begin(&b);
	build_int(&b, 0x0207, 2);
	build_int(&b, 0xfff9, 2); /* 255 bytes of type 0xf9 */
	build_zeros(&b, 253);
	assert_int_equal(walk_all(&b, SUBTABLE_SHORT, &last), 2);
	assert_int_equal(last.type, 0xf9);
	assert_int_equal(last.offset, FIRST + 2);
	assert_int_equal(last.length, 255);
	assert_int_equal(notes.count, 0);
}

/* A length of 0x10028 must not be taken for 0x28. */
static void long_records(void **state)
{
	struct subtable_walk last;
	struct build b;

	(void)state;
	begin(&b);
	build_int(&b, 0xeeee0102, 4);
	build_int(&b, 0x10028, 4);
	build_zeros(&b, 0x10020);
	build_int(&b, 0xeeeeff03, 4);
	build_int(&b, 8, 4);
	assert_int_equal(walk_all(&b, SUBTABLE_LONG, &last), 2);
	assert_int_equal(last.type, 0xff03);
	assert_int_equal(last.offset, FIRST + 0x10028);
	assert_int_equal(last.length, 8);
	assert_int_equal(notes.count, 0);
}

static void damage_ends_the_walk(void **state)
{
	static const struct {
		enum subtable_header header;
		uint64_t bytes; /* of the second record */
		uint32_t width;
		const char *reason;
		uint64_t value;
	} cases[] = {
		{ SUBTABLE_SHORT, 0x00, 1, "trailing bytes too few for a record", 1 },
		{ SUBTABLE_SHORT, 0x0000, 2, "record length below its header's", 0 },
		{ SUBTABLE_SHORT, 0x0100, 2, "record length below its header's", 1 },
		{ SUBTABLE_SHORT, 0x0300, 2, "record runs past the table", 3 },
		{ SUBTABLE_LONG, 0x0000000800000000, 7, "trailing bytes too few for a record", 7 },
		{ SUBTABLE_LONG, 0x0000000700000000, 8, "record length below its header's", 7 },
		{ SUBTABLE_LONG, 0x0000000900000000, 8, "record runs past the table", 9 },
		{ SUBTABLE_LONG, 0xffffffff00000000, 8, "record runs past the table", UINT32_MAX },
	};

	(void)state;
	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool is_long = cases[i].header == SUBTABLE_LONG;
		uint32_t header_bytes = is_long ? 8 : 2;
		struct subtable_walk last;
		struct build b;

		begin(&b);
		build_int(&b, is_long ? 0x0000000800000000 : 0x0200, header_bytes);
		build_int(&b, cases[i].bytes, cases[i].width);
		assert_int_equal(walk_all(&b, cases[i].header, &last), 1);
		assert_true(has_anomaly(&notes, "TEST", FIRST + header_bytes, cases[i].reason));
		assert_true(notes.entries[0].value == cases[i].value);
	}
}

/* A table shorter than its own fixed part has no records. */
static void first_behind_the_end(void **state)
{
	struct subtable_walk last;
	struct build b;

	(void)state;
	begin(&b);
	b.length = FIRST - 2;
	assert_int_equal(walk_all(&b, SUBTABLE_SHORT, &last), 0);
	assert_int_equal(notes.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_records),
		cmocka_unit_test(long_records),
		cmocka_unit_test(damage_ends_the_walk),
		cmocka_unit_test(first_behind_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
