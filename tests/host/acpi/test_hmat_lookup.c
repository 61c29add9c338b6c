/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/hmat.h"
#include "acpi/hmat_lookup.h"
#include "tests/host/hmat_parse.h"

static void assert_pair(uint32_t initiator, uint32_t target, struct hmat_pair want)
{
	struct hmat_pair got = hmat_lookup(&hmat, initiator, target);

	assert_int_equal(got.read_latency_ns, want.read_latency_ns);
	assert_int_equal(got.write_latency_ns, want.write_latency_ns);
	assert_int_equal(got.read_mbps, want.read_mbps);
	assert_int_equal(got.write_mbps, want.write_mbps);
}

static void rows_are_initiators(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	add_matrix(&b, 0, HMAT_READ_LATENCY, 1000, (const uint16_t[]){ 11, 12, 13, 21, 22, 23 });
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.matrix_count, 1);
	assert_pair(4, 1, (struct hmat_pair){ .read_latency_ns = 11 });
	assert_pair(4, 0x10000, (struct hmat_pair){ .read_latency_ns = 12 });
	assert_pair(4, 4, (struct hmat_pair){ .read_latency_ns = 13 });
	assert_pair(1, 1, (struct hmat_pair){ .read_latency_ns = 21 });
	assert_pair(1, 4, (struct hmat_pair){ .read_latency_ns = 23 });
	assert_pair(0x10000, 1, (struct hmat_pair){ 0 }); /* a target, no initiator */
	assert_pair(4, 0, (struct hmat_pair){ 0 });
	assert_int_equal(notes.count, 0);
}

static void access_fills_what_is_missing(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	add_matrix(&b, 0, HMAT_ACCESS_LATENCY, 1000, (const uint16_t[]){ 90, 91, 92, 93, 94, 95 });
	add_matrix(&b, 0, HMAT_WRITE_LATENCY, 1000, (const uint16_t[]){ 70, 0, 0xffff, 73, 0, 75 });
	add_matrix(&b, 0, HMAT_ACCESS_BANDWIDTH, 100, (const uint16_t[]){ 1, 2, 3, 4, 5, 6 });
	add_matrix(&b, 0, HMAT_READ_BANDWIDTH, 1, (const uint16_t[]){ 7, 8, 9, 10, 11, 12 });
	add_matrix(&b, 1, HMAT_WRITE_BANDWIDTH, 1, (const uint16_t[]){ 1, 1, 1, 1, 1, 1 });
	assert_true(parse_hmat(&b));
	assert_int_equal(hmat.matrix_count, 4);
	assert_int_equal(hmat.other_entries, 1);
	assert_pair(4, 1, (struct hmat_pair){ 90, 70, 7, 100 });
	assert_pair(4, 0x10000, (struct hmat_pair){ 91, 91, 8, 200 });
	assert_pair(4, 4, (struct hmat_pair){ 92, 92, 9, 300 });
	assert_pair(1, 4, (struct hmat_pair){ 95, 75, 12, 600 });
}

static void structures_of_one_kind_add_up(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	add_matrix(&b, 0, HMAT_READ_BANDWIDTH, 10, (const uint16_t[]){ 0, 2, 3, 4, 5, 6 });
	add_matrix(&b, 0, HMAT_READ_BANDWIDTH, 100, (const uint16_t[]){ 7, 8, 9, 10, 11, 12 });
	assert_true(parse_hmat(&b));
	assert_pair(4, 1, (struct hmat_pair){ .read_mbps = 700 });
	assert_pair(4, 0x10000, (struct hmat_pair){ .read_mbps = 20 });
}

static struct hmat_pair one_entry(uint8_t revision, enum hmat_data data, uint64_t base,
				  uint16_t entry)
{
	struct build b;

	hmat_begin(&b, revision);
	add_locality(&b, 0, (uint8_t)data, base, 1, 1);
	build_int(&b, 0, 4);
	build_int(&b, 0, 4);
	build_int(&b, entry, 2);
	assert_true(parse_hmat(&b));
	return hmat_lookup(&hmat, 0, 0);
}

static void units_of_revision_2(void **state)
{
	(void)state;
	assert_int_equal(one_entry(2, HMAT_READ_LATENCY, 100, 0x38b).read_latency_ns, 91);
	assert_int_equal(one_entry(2, HMAT_READ_LATENCY, 1000, 91).read_latency_ns, 91);
	assert_int_equal(one_entry(2, HMAT_READ_LATENCY, 1, 1).read_latency_ns, 1);
	assert_int_equal(one_entry(2, HMAT_READ_LATENCY, 1, 1001).read_latency_ns, 2);
	assert_int_equal(one_entry(2, HMAT_WRITE_BANDWIDTH, 1, 9).write_mbps, 9);
	assert_int_equal(one_entry(2, HMAT_WRITE_BANDWIDTH, 100, 2621).write_mbps, 262100);
}

/* 7600 ns, 1790 and 1910 MB/s are what an Ice Lake's revision 1 table reads as. */
static void units_of_revision_1(void **state)
{
	(void)state;
	assert_int_equal(one_entry(1, HMAT_READ_LATENCY, 100, 760).read_latency_ns, 7600);
	assert_int_equal(one_entry(1, HMAT_READ_BANDWIDTH, 1, 17900).read_mbps, 1790);
	assert_int_equal(one_entry(1, HMAT_READ_BANDWIDTH, 1, 19091).read_mbps, 1910);
	assert_int_equal(one_entry(1, HMAT_READ_BANDWIDTH, 1, 10).read_mbps, 1);
	assert_int_equal(one_entry(1, HMAT_READ_BANDWIDTH, 1, 9).read_mbps, 0);
	assert_int_equal(one_entry(1, HMAT_WRITE_LATENCY, 3, 3).write_latency_ns, 0);
	assert_int_equal(one_entry(1, HMAT_WRITE_LATENCY, 11, 1).write_latency_ns, 2);
}

static void no_data_and_overflow(void **state)
{
	static const struct {
		uint64_t base;
		uint16_t entry;
	} none[] = { { 1000, 0 }, { 1000, 0xffff }, { 1ull << 31, 2 }, { 1ull << 63, 2 },
		     { UINT64_MAX, 1 } };

	(void)state;
	for (uint8_t revision = 1; revision <= 2; revision++) {
		for (uint32_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
			struct hmat_pair pair = one_entry(revision, HMAT_READ_BANDWIDTH,
							  none[i].base, none[i].entry);

			assert_int_equal(pair.read_mbps, 0);
		}
	}
	assert_int_equal(one_entry(2, HMAT_READ_BANDWIDTH, UINT32_MAX, 1).read_mbps, UINT32_MAX);
	assert_int_equal(one_entry(1, HMAT_READ_BANDWIDTH, UINT32_MAX, 1).read_mbps, 429496730);
	assert_int_equal(one_entry(2, HMAT_READ_LATENCY, UINT32_MAX, 1).read_latency_ns, 4294968);
	assert_int_equal(one_entry(2, HMAT_READ_BANDWIDTH, 0, 5).read_mbps, 0);
	assert_int_equal(hmat.matrix_count, 0);
	assert_true(has_anomaly(&notes, "HMAT", FIXED, "matrix without content"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_initiators),
		cmocka_unit_test(access_fills_what_is_missing),
		cmocka_unit_test(structures_of_one_kind_add_up),
		cmocka_unit_test(units_of_revision_2),
		cmocka_unit_test(units_of_revision_1),
		cmocka_unit_test(no_data_and_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, free_hmat);
}
