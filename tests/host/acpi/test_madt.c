/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/madt.h"

#include "tests/host/acpi_build.h"
#include "tests/host/acpi_mangle.h"

enum { ENABLED = 1, ONLINE_CAPABLE = 2, FIXED = 44 };

static struct madt_facts facts;
static struct anomaly_log notes;

static void begin(struct build *b)
{
	build_header(b, "APIC", 5);
	build_int(b, 0xfee00000, 4);
	build_int(b, 1, 4);
}

static void add_lapic(struct build *b, uint8_t id, uint32_t flags)
{
	build_int(b, 0, 1);
	build_int(b, 8, 1);
	build_int(b, 77, 1); /* ACPI processor id: must not be taken for the APIC id */
	build_int(b, id, 1);
	build_int(b, flags, 4);
}

static void add_x2apic(struct build *b, uint32_t id, uint32_t flags)
{
	build_int(b, 9, 1);
	build_int(b, 16, 1);
	build_int(b, 0xffff, 2);
	build_int(b, id, 4);
	build_int(b, flags, 4);
	build_int(b, 77, 4);
}

static bool parse(struct build *b)
{
	struct acpi_table table;
	bool usable;

	build_close(b);
	table = build_exact(b);
	notes = (struct anomaly_log){ 0 };
	memset(&facts, 0xa5, sizeof(facts));
	usable = madt_parse(&table, &facts, &notes);
	exact_free(&table);
	return usable;
}

static void assert_ids(const uint32_t *ids, uint32_t count)
{
	assert_int_equal(facts.cpu_count, count);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(facts.apic_ids[i], ids[i]);
}

static void absent_or_short(void **state)
{
	struct acpi_table absent = { 0 };
	struct build b;

	(void)state;
	memset(&facts, 0xa5, sizeof(facts));
	notes = (struct anomaly_log){ 0 };
	assert_false(madt_parse(&absent, &facts, &notes));
	assert_int_equal(facts.cpu_count, 0);
	assert_int_equal(facts.lapic_address, 0);
	assert_int_equal(notes.count, 0); /* absent is legal */

	begin(&b);
	b.length = FIXED - 1;
	assert_false(parse(&b));
	assert_int_equal(facts.cpu_count, 0);
	assert_true(has_anomaly(&notes, "MADT", 4, "table shorter than its fixed part"));

	begin(&b);
	assert_true(parse(&b));
	assert_int_equal(facts.lapic_address, 0xfee00000);
	assert_int_equal(facts.cpu_count, 0);
}

static void both_kinds_in_table_order(void **state)
{
	struct build b;

	(void)state;
	begin(&b);
	add_x2apic(&b, 0x1fd, ENABLED);
	add_lapic(&b, 0x20, ENABLED);
	build_record(&b, 1, 12);
	add_lapic(&b, 0, ENABLED);
	add_x2apic(&b, 0xff, ENABLED); /* a legal id there, unlike in type 0 */
	add_x2apic(&b, 0xfffffffe, ENABLED | ONLINE_CAPABLE);
	assert_true(parse(&b));
	assert_ids((const uint32_t[]){ 0x1fd, 0x20, 0, 0xff, 0xfffffffe }, 5);
	assert_int_equal(facts.lapic_entries, 2);
	assert_int_equal(facts.x2apic_entries, 3);
	assert_int_equal(facts.other_entries, 1);
	assert_int_equal(facts.disabled, 0);
	assert_int_equal(notes.count, 0);
}

/* X299: disabled entries of ids 0xff and 0xffffffff; DL380e Gen8: 56 disabled ones of id 0. */
static void disabled_are_no_processors(void **state)
{
	struct build b;

	(void)state;
	begin(&b);
	add_lapic(&b, 0, 0);
	add_lapic(&b, 0, ENABLED);
	add_lapic(&b, 0, 0);
	add_lapic(&b, 2, ONLINE_CAPABLE);
	add_lapic(&b, 0xff, ENABLED);
	add_x2apic(&b, UINT32_MAX, ENABLED);
	add_x2apic(&b, UINT32_MAX, 0);
	assert_true(parse(&b));
	assert_ids((const uint32_t[]){ 0 }, 1);
	assert_int_equal(facts.disabled, 6);
	assert_int_equal(facts.duplicate, 0);
	assert_int_equal(notes.count, 0);
}

static void duplicates_are_counted_and_noted(void **state)
{
	struct build b;

	(void)state;
	begin(&b);
	add_lapic(&b, 4, ENABLED);
	add_lapic(&b, 2, ENABLED);
	add_x2apic(&b, 4, ENABLED);
	add_lapic(&b, 2, ENABLED);
	assert_true(parse(&b));
	assert_ids((const uint32_t[]){ 4, 2 }, 2);
	assert_int_equal(facts.duplicate, 2);
	assert_int_equal(count_anomalies(&notes, "MADT", "processor listed twice"), 2);
	assert_true(has_anomaly(&notes, "MADT", FIXED + 16, "processor listed twice"));
	assert_int_equal(notes.entries[0].value, 4);
}

/* Types 0x7f and 0xff stand before valid entries on the X299 and the DL380 G5. */
static void unknown_types_are_stepped_over(void **state)
{
	struct build b;

	(void)state;
	begin(&b);
	build_record(&b, 0x7f, 12);
	build_record(&b, 0xff, 255);
	build_record(&b, 0x80, 2);
	add_lapic(&b, 6, ENABLED);
	assert_true(parse(&b));
	assert_ids((const uint32_t[]){ 6 }, 1);
	assert_int_equal(facts.other_entries, 3);
}

static void address_override(void **state)
{
	struct build b;

	(void)state;
	begin(&b);
	build_int(&b, 5, 1);
	build_int(&b, 12, 1);
	build_int(&b, 0, 2);
	build_int(&b, 0x12fee00000, 8);
	build_record(&b, 5, 11); /* too short to be believed */
	assert_true(parse(&b));
	assert_true(facts.lapic_address == 0x12fee00000);
	assert_int_equal(facts.other_entries, 2);
	assert_true(has_anomaly(&notes, "MADT", FIXED + 12, "record shorter than its type"));
}

/* Zero and one in the middle hung Zephyr and ACRN. */
static void damaged_record_ends_the_walk(void **state)
{
	(void)state;
	for (uint32_t length = 0; length < 2; length++) {
		struct build b;

		begin(&b);
		add_lapic(&b, 1, ENABLED);
		build_int(&b, 0, 1);
		build_int(&b, length, 1);
		add_lapic(&b, 3, ENABLED);
		assert_true(parse(&b));
		assert_ids((const uint32_t[]){ 1 }, 1);
		assert_int_equal(notes.count, 1);
		assert_true(has_anomaly(&notes, "MADT", FIXED + 8,
					"record length below its header's"));
		assert_int_equal(notes.entries[0].value, length);
	}
}

static void record_past_the_end_and_short_records(void **state)
{
	struct build b;

	(void)state;
	begin(&b);
	build_record(&b, 0, 7);
	build_record(&b, 9, 15);
	add_lapic(&b, 5, ENABLED);
	build_int(&b, 0, 1);
	build_int(&b, 8, 1);
	build_int(&b, 0, 5); /* one byte missing */
	assert_true(parse(&b));
	assert_ids((const uint32_t[]){ 5 }, 1);
	assert_int_equal(facts.lapic_entries, 2);
	assert_int_equal(facts.x2apic_entries, 1);
	assert_true(has_anomaly(&notes, "MADT", FIXED, "record shorter than its type"));
	assert_true(has_anomaly(&notes, "MADT", FIXED + 7, "record shorter than its type"));
	assert_true(has_anomaly(&notes, "MADT", FIXED + 30, "record runs past the table"));

	begin(&b);
	add_lapic(&b, 5, ENABLED);
	build_int(&b, 0, 1);
	assert_true(parse(&b));
	assert_ids((const uint32_t[]){ 5 }, 1);
	assert_true(has_anomaly(&notes, "MADT", FIXED + 8, "trailing bytes too few for a record"));
}

/* More than 64 KiB: a length cut to 16 bits would see the first entries only. Every id comes twice,
 * in falling order, which is also the worst case of the sorted index. */
static void full_house(void **state)
{
	struct build b;

	(void)state;
	begin(&b);
	for (uint32_t i = 0; i < CPU_MAX; i++)
		add_x2apic(&b, 3 * (CPU_MAX - i), ENABLED);
	for (uint32_t i = 0; i < CPU_MAX; i++)
		add_x2apic(&b, 3 * (CPU_MAX - i), ENABLED);
	add_x2apic(&b, 1, ENABLED);
	add_x2apic(&b, 2, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.cpu_count, CPU_MAX);
	for (uint32_t i = 0; i < CPU_MAX; i++) {
		assert_int_equal(facts.apic_ids[i], 3 * (CPU_MAX - i));
		assert_int_equal(facts.by_id[i], CPU_MAX - 1 - i);
	}
	assert_int_equal(facts.duplicate, CPU_MAX);
	assert_int_equal(facts.x2apic_entries, 2 * CPU_MAX + 2);
	/* Thousands of equal anomalies leave room for others. */
	assert_in_range(count_anomalies(&notes, "MADT", "processor listed twice"), 1, 8);
	assert_int_equal(count_anomalies(&notes, "MADT", "more processors than fit"), 2);
	assert_int_equal(notes.count + notes.dropped, CPU_MAX + 2);
}

static void hostile_bytes(void **state)
{
	struct build b;

	(void)state;
	begin(&b);
	add_lapic(&b, 1, ENABLED);
	build_record(&b, 1, 12);
	add_x2apic(&b, 0x101, ENABLED);
	add_lapic(&b, 1, ENABLED);
	build_record(&b, 5, 12);
	add_x2apic(&b, 3, 0);
	build_close(&b);
	each_truncation(b.bytes, b.length, mangle_madt);
	each_length_byte(b.bytes, b.length, FIXED, 1, mangle_madt);
	random_bytes(b.bytes, b.length, 3000, mangle_madt);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_or_short),
		cmocka_unit_test(both_kinds_in_table_order),
		cmocka_unit_test(disabled_are_no_processors),
		cmocka_unit_test(duplicates_are_counted_and_noted),
		cmocka_unit_test(unknown_types_are_stepped_over),
		cmocka_unit_test(address_override),
		cmocka_unit_test(damaged_record_ends_the_walk),
		cmocka_unit_test(record_past_the_end_and_short_records),
		cmocka_unit_test(full_house),
		cmocka_unit_test(hostile_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
