/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/hmat.h"
#include "acpi/hmat_lookup.h"
#include "lib/limits.h"
#include "tests/host/acpi_mangle.h"
#include "tests/host/hmat_parse.h"

static void absent_or_short(void **state)
{
	struct acpi_table absent = { 0 };
	struct hmat_pair pair;
	struct build b;

	(void)state;
	notes = (struct anomaly_log){ 0 };
	memset(&hmat, 0xa5, sizeof(hmat));
	assert_false(hmat_parse(&absent, &hmat, &notes));
	assert_int_equal(notes.count, 0);
	pair = hmat_lookup(&hmat, 0, 0);
	assert_int_equal(pair.read_latency_ns + pair.read_mbps, 0);

	hmat_begin(&b, 2);
	b.length--;
	assert_false(parse_hmat(&b));
	assert_true(has_anomaly(&notes, "HMAT", 4, "table shorter than its fixed part"));

	hmat_begin(&b, 0);
	assert_false(parse_hmat(&b));
	assert_int_equal(hmat.revision, 0);
	assert_true(has_anomaly(&notes, "HMAT", 8, "revision 0 ignored"));

	hmat_begin(&b, 1);
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.revision, 1);

	hmat_begin(&b, 3);
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.revision, 2);
	assert_int_equal(notes.count, 0);
}

static void proximity_records(void **state)
{
	struct build b;

	(void)state;
	for (uint8_t revision = 1; revision <= 2; revision++) {
		hmat_begin(&b, revision);
		add_proximity(&b, 1, 7, 8);
		add_proximity(&b, 3, 1, 0x12345678);
		add_proximity(&b, 2, 9, 2);
		add_proximity(&b, 0, 9, 3);
		assert_true(parse_hmat(&b));
		assert_int_equal(notes.count, 0);
		if (revision == 1) { /* only where the flag says that the domain is valid */
			assert_int_equal(hmat.proximity_count, 2);
			assert_int_equal(hmat.other_entries, 2);
			assert_int_equal(hmat.proximity[0].memory_pxm, 0x12345678);
			assert_int_equal(hmat.proximity[0].initiator_pxm, 1);
			continue;
		}
		assert_int_equal(hmat.proximity_count, 4);
		assert_int_equal(hmat.proximity[0].memory_pxm, 8);
		assert_int_equal(hmat.proximity[0].initiator_pxm, 7);
		assert_int_equal(hmat.proximity[2].initiator_pxm, PXM_NONE);
		assert_int_equal(hmat.proximity[3].memory_pxm, 3);
		assert_int_equal(hmat.proximity[3].initiator_pxm, PXM_NONE);
	}
}

static void proximity_is_40_bytes(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	add_header(&b, 0, 39);
	build_zeros(&b, 31);
	add_header(&b, 0, 41);
	build_zeros(&b, 33);
	add_proximity(&b, 1, 1, 1);
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.proximity_count, 1);
	assert_true(has_anomaly(&notes, "HMAT", FIXED, "proximity record is not 40 bytes"));
	assert_true(has_anomaly(&notes, "HMAT", FIXED + 39, "proximity record is not 40 bytes"));
}

static void side_caches_are_checked_and_not_used(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	add_header(&b, 2, 34);
	build_int(&b, 0x102, 4);
	build_int(&b, 0, 4);
	build_int(&b, 16ull << 30, 8);
	build_int(&b, 0x0040a123, 4); /* line 64, write policy a, direct mapped, level 2 of 3 */
	build_int(&b, 0, 2);
	build_int(&b, 1, 2);
	build_int(&b, 0x4711, 2);
	add_header(&b, 2, 31);
	build_zeros(&b, 23);
	add_header(&b, 3, 8);
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.other_entries, 2);
	assert_true(has_anomaly(&notes, "HMAT", FIXED + 34, "record shorter than its type"));
}

/* Too large by little, then sizes that overflow 32 and 64 bits; the next record is still read. */
static void matrix_must_fit_its_record(void **state)
{
	static const struct {
		uint32_t initiators, targets;
		const char *reason;
	} cases[] = {
		{ 3, 3, "matrix runs past its record" },
		{ 2, 4, "matrix runs past its record" },
		{ NODE_MAX, NODE_MAX, "matrix runs past its record" },
		{ NODE_MAX + 1, 1, "more initiators or targets than fit" },
		{ 1, NODE_MAX + 1, "more initiators or targets than fit" },
		{ 0x10000, 0x10000, "more initiators or targets than fit" },
		{ 0x80000000, 2, "more initiators or targets than fit" },
		{ UINT32_MAX, UINT32_MAX, "more initiators or targets than fit" },
		{ 0, 3, "matrix without content" },
		{ 2, 0, "matrix without content" },
	};
	struct build b;

	(void)state;
	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		hmat_begin(&b, 2);
		add_matrix(&b, 0, HMAT_READ_LATENCY, 1000, (const uint16_t[]){ 1, 2, 3, 4, 5, 6 });
		build_set(&b, FIXED + 12, cases[i].initiators, 4);
		build_set(&b, FIXED + 16, cases[i].targets, 4);
		add_proximity(&b, 1, 1, 1);
		assert_true(parse_hmat(&b));
		assert_int_equal(hmat.matrix_count, 0);
		assert_int_equal(hmat.proximity_count, 1);
		assert_int_equal(notes.count, 1);
		assert_true(has_anomaly(&notes, "HMAT", FIXED, cases[i].reason));
	}

	hmat_begin(&b, 2);
	add_matrix(&b, 0, HMAT_READ_LATENCY, 1000, (const uint16_t[]){ 1, 2, 3, 4, 5, 6 });
	build_set(&b, FIXED + 4, 63, 4);
	b.length--;
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.matrix_count, 0);
	assert_true(has_anomaly(&notes, "HMAT", FIXED, "matrix runs past its record"));
}

static void odd_records(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	add_matrix(&b, 0, 6, 1, (const uint16_t[]){ 1, 2, 3, 4, 5, 6 });
	add_header(&b, 1, 31);
	build_zeros(&b, 23);
	add_header(&b, 0xff00, 300); /* a 16-bit type, and a length above one byte */
	build_zeros(&b, 292);
	add_header(&b, 0, 7);
	add_proximity(&b, 1, 1, 1);
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.matrix_count + hmat.proximity_count, 0);
	assert_int_equal(hmat.other_entries, 1);
	assert_true(has_anomaly(&notes, "HMAT", FIXED, "unknown data type"));
	assert_true(has_anomaly(&notes, "HMAT", FIXED + 64, "record shorter than its type"));
	assert_true(has_anomaly(&notes, "HMAT", FIXED + 64 + 31 + 300,
				"record length below its header's"));

	hmat_begin(&b, 2);
	add_header(&b, 0, UINT32_MAX);
	add_proximity(&b, 1, 1, 1);
	assert_true(parse_hmat(&b));
	assert_true(has_anomaly(&notes, "HMAT", FIXED, "record runs past the table"));
}

static void more_than_fits(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	for (uint32_t i = 0; i < HMAT_MATRIX_MAX + 30; i++)
		add_matrix(&b, 0, HMAT_READ_LATENCY, 1000, (const uint16_t[]){ 1, 2, 3, 4, 5, 6 });
	for (uint32_t i = 0; i < HMAT_PROXIMITY_MAX + 30; i++)
		add_proximity(&b, 1, i, i);
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.matrix_count, HMAT_MATRIX_MAX);
	assert_int_equal(hmat.proximity_count, HMAT_PROXIMITY_MAX);
	assert_int_equal(hmat.proximity[HMAT_PROXIMITY_MAX - 1].memory_pxm, HMAT_PROXIMITY_MAX - 1);
	assert_in_range(notes.count, 2, 16);
	assert_int_equal(notes.count + notes.dropped, 60);
}

static void hostile_bytes(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	add_proximity(&b, 1, 1, 1);
	add_matrix(&b, 0, HMAT_READ_LATENCY, 1000, (const uint16_t[]){ 1, 2, 3, 4, 5, 6 });
	add_header(&b, 2, 32);
	build_zeros(&b, 24);
	add_matrix(&b, 0, HMAT_ACCESS_BANDWIDTH, 1, (const uint16_t[]){ 1, 2, 3, 4, 5, 6 });
	build_close(&b);
	each_truncation(b.bytes, b.length, mangle_hmat);
	each_length_byte(b.bytes, b.length, FIXED, 4, mangle_hmat);
	random_bytes(b.bytes, b.length, 3000, mangle_hmat);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_or_short),
		cmocka_unit_test(proximity_records),
		cmocka_unit_test(proximity_is_40_bytes),
		cmocka_unit_test(side_caches_are_checked_and_not_used),
		cmocka_unit_test(matrix_must_fit_its_record),
		cmocka_unit_test(odd_records),
		cmocka_unit_test(more_than_fits),
		cmocka_unit_test(hostile_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, free_hmat);
}
