/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/slit.h"

#include "tests/host/acpi_build.h"
#include "tests/host/acpi_mangle.h"

enum { FIXED = 44 };

static struct anomaly_log notes;
static struct acpi_table table; /* of the last parse; the facts point into it */

static void build_slit(struct build *b, uint64_t localities, const uint8_t *entries, uint32_t count)
{
	build_header(b, "SLIT", 1);
	build_int(b, localities, 8);
	build_bytes(b, entries, count);
	build_close(b);
}

static bool parse_slit(struct slit_facts *facts, uint64_t localities, const uint8_t *entries,
		       uint32_t count)
{
	struct build b;

	build_slit(&b, localities, entries, count);
	exact_free(&table);
	table = build_exact(&b);
	notes = (struct anomaly_log){ 0 };
	memset(facts, 0xa5, sizeof(*facts));
	return slit_parse(&table, facts, &notes);
}

static void distances(void **state)
{
	/* Not symmetric, which is legal: rows and columns must not be swapped. */
	static const uint8_t entries[] = { 10, 21, 255, 22, 10, 17, 30, 18, 10 };
	struct slit_facts facts;

	(void)state;
	assert_true(parse_slit(&facts, 3, entries, 9));
	assert_int_equal(facts.localities, 3);
	assert_int_equal(slit_distance(&facts, 0, 1), 21);
	assert_int_equal(slit_distance(&facts, 1, 0), 22);
	assert_int_equal(slit_distance(&facts, 0, 2), 255);
	assert_int_equal(slit_distance(&facts, 2, 2), 10);
	assert_int_equal(slit_distance(&facts, 0, 3), 0);
	assert_int_equal(slit_distance(&facts, 3, 0), 0);
	assert_int_equal(slit_distance(&facts, UINT32_MAX, UINT32_MAX), 0);
	assert_int_equal(notes.count, 0);
}

static void absent_or_short(void **state)
{
	struct acpi_table absent = { 0 };
	struct slit_facts facts;
	struct build b;

	(void)state;
	notes = (struct anomaly_log){ 0 };
	memset(&facts, 0xa5, sizeof(facts));
	assert_false(slit_parse(&absent, &facts, &notes));
	assert_int_equal(slit_distance(&facts, 0, 0), 0);
	assert_int_equal(notes.count, 0);

	build_slit(&b, 1, (const uint8_t[]){ 10 }, 1);
	exact_free(&table);
	table = exact_copy(b.bytes, FIXED - 1);
	build_free(&b);
	assert_false(slit_parse(&table, &facts, &notes));
	assert_int_equal(facts.localities, 0);
	assert_true(has_anomaly(&notes, "SLIT", 4, "table shorter than its fixed part"));

	assert_false(parse_slit(&facts, 0, NULL, 0));
	assert_true(has_anomaly(&notes, "SLIT", 36, "no localities"));
}

/* osv read past the end; 2^32 squared is 0 in 64 bits. */
static void absurd_counts(void **state)
{
	static const uint64_t counts[] = { 3, 48, 1ull << 16, 1ull << 32, (1ull << 32) + 1,
					   1ull << 63, UINT64_MAX };
	static const uint8_t entries[8] = { 10, 10, 10, 10, 10, 10, 10, 10 };
	struct slit_facts facts;

	(void)state;
	for (uint32_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		assert_false(parse_slit(&facts, counts[i], entries, 8));
		assert_null(facts.entries);
		assert_int_equal(facts.localities, 0);
		assert_int_equal(notes.count, 1);
		assert_true(has_anomaly(&notes, "SLIT", 36, "matrix runs past the table"));
		assert_true(notes.entries[0].value == counts[i]);
	}
}

/* The X299's table has room for 8 x 8 and one locality. */
static void slack_is_legal(void **state)
{
	static const uint8_t entries[64] = { 10 };
	struct slit_facts facts;

	(void)state;
	assert_true(parse_slit(&facts, 1, entries, 64));
	assert_int_equal(slit_distance(&facts, 0, 0), 10);
	assert_int_equal(slit_distance(&facts, 0, 1), 0);
	assert_int_equal(notes.count, 0);
}

/* Odd, but not below what is legal: two domains as near as one. */
static void all_equal_rows(void **state)
{
	static const uint8_t entries[] = { 10, 10, 10, 10 };
	struct slit_facts facts;

	(void)state;
	assert_true(parse_slit(&facts, 2, entries, 4));
	assert_int_equal(slit_distance(&facts, 0, 1), 10);
	assert_int_equal(notes.count, 0);
}

/* An all-zero 16 x 16 matrix: two entries in the log, not hundreds. */
static void one_anomaly_of_each_kind(void **state)
{
	uint8_t entries[256] = { 0 };
	struct slit_facts facts;

	(void)state;
	entries[2] = 20;
	assert_true(parse_slit(&facts, 16, entries, 256));
	assert_int_equal(notes.count, 2);
	assert_int_equal(notes.dropped, 0);
	assert_true(has_anomaly(&notes, "SLIT", FIXED, "diagonal is not 10"));
	assert_true(has_anomaly(&notes, "SLIT", FIXED + 1, "distance below 10"));
	assert_int_equal(slit_distance(&facts, 0, 2), 20);
}

static void hostile_bytes(void **state)
{
	static const uint8_t entries[] = { 10, 21, 21, 10 };
	struct build b;

	(void)state;
	build_slit(&b, 2, entries, 4);
	each_truncation(b.bytes, b.length, mangle_slit);
	random_bytes(b.bytes, b.length, 3000, mangle_slit);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances),
		cmocka_unit_test(absent_or_short),
		cmocka_unit_test(absurd_counts),
		cmocka_unit_test(slack_is_legal),
		cmocka_unit_test(all_equal_rows),
		cmocka_unit_test(one_anomaly_of_each_kind),
		cmocka_unit_test(hostile_bytes),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	exact_free(&table);
	return failed;
}
