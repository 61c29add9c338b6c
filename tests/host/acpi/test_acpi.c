/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/tables.h"

#include "tests/host/acpi_build.h"
#include "tests/host/acpi_phys.h"

enum { RSDT_AT = 0x10000, XSDT_AT = 0x20000 };
#define HIGH_AT 0x1200000000ull /* a table above 4 GiB, where only an XSDT can point */

static struct phys_memory memory;
static struct acpi_tables tables;
static struct anomaly_log notes;

static int setup(void **state)
{
	(void)state;
	memset(&tables, 0, sizeof(tables));
	notes = (struct anomaly_log){ 0 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	phys_free(&memory);
	return 0;
}

static void build_table(struct build *b, const char *signature, uint32_t length)
{
	build_header(b, signature, 3);
	for (uint32_t i = b->length; i < length; i++)
		build_int(b, i * 7, 1);
	build_close(b);
}

static void add_table(uint64_t address, const char *signature, uint32_t length)
{
	struct build b;

	build_table(&b, signature, length);
	phys_add_table(&memory, address, &b);
}

static void add_root(const char *signature, const uint64_t *entries, uint32_t count)
{
	bool is_xsdt = strcmp(signature, "XSDT") == 0;
	struct build b;

	build_header(&b, signature, 1);
	for (uint32_t i = 0; i < count; i++)
		build_int(&b, entries[i], is_xsdt ? 8 : 4);
	build_close(&b);
	phys_add_table(&memory, is_xsdt ? XSDT_AT : RSDT_AT, &b);
}

static bool load_from(uint8_t revision, uint32_t rsdt, uint64_t xsdt)
{
	struct phys_reader reader = phys_reader(&memory);
	uint32_t length = revision < 2 ? 20 : 36;
	struct acpi_table copy;
	uint8_t rsdp[36];
	bool loaded;

	build_rsdp(rsdp, revision, rsdt, xsdt);
	copy = exact_copy(rsdp, length);
	memset(&tables, 0xa5, sizeof(tables));
	notes = (struct anomaly_log){ 0 };
	loaded = acpi_tables_load(&tables, &reader, copy.bytes, length, &notes);
	exact_free(&copy);
	return loaded;
}

static void all_six_through_the_xsdt(void **state)
{
	(void)state;
	add_table(0x30001, "APIC", 44);
	add_table(HIGH_AT, "SRAT", 48);
	add_table(0x32007, "SLIT", 45);
	add_table(0x33000, "HMAT", 40);
	add_table(0x34000, "FACP", 276);
	add_table(0x35000, "HPET", 56);
	add_table(0x36000, "SSDT", 100);
	add_root("XSDT", (const uint64_t[]){ 0x34000, 0x30001, 0x36000, HIGH_AT, 0x32007, 0x33000,
					     0x35000 }, 7);
	add_root("RSDT", NULL, 0);
	assert_true(load_from(2, RSDT_AT, XSDT_AT));
	assert_int_equal(tables.madt.length, 44);
	assert_int_equal(tables.srat.length, 48);
	assert_int_equal(tables.slit.length, 45);
	assert_int_equal(tables.hmat.length, 40);
	assert_int_equal(tables.fadt.length, 276);
	assert_int_equal(tables.hpet.length, 56);
	assert_memory_equal(tables.madt.bytes, "APIC", 4);
	assert_memory_equal(tables.fadt.bytes, "FACP", 4);
	assert_int_equal(notes.count, 0);
}

/* An RSDT has 4-byte entries; the high halves of an XSDT's 8 must count. */
static void entry_sizes(void **state)
{
	(void)state;
	add_table(0x30000, "APIC", 44);
	add_table(0x31000, "SRAT", 48);
	add_table(HIGH_AT, "SLIT", 45);
	add_root("RSDT", (const uint64_t[]){ 0x30000, 0x31000, 0x39000 }, 3);
	add_root("XSDT", (const uint64_t[]){ 0x31000, HIGH_AT }, 2);

	assert_true(load_from(0, RSDT_AT, XSDT_AT)); /* 20 bytes: there is no XSDT field */
	assert_non_null(tables.madt.bytes);
	assert_non_null(tables.srat.bytes);
	assert_null(tables.slit.bytes);
	assert_int_equal(notes.count, 1);
	assert_true(has_anomaly(&notes, "RSDT", 36 + 8, "entry points to nothing readable"));

	assert_true(load_from(2, RSDT_AT, XSDT_AT));
	assert_null(tables.madt.bytes);
	assert_non_null(tables.srat.bytes);
	assert_non_null(tables.slit.bytes);
	assert_int_equal(notes.count, 0);
}

static void rsdt_where_the_xsdt_is_unusable(void **state)
{
	struct build b;

	(void)state;
	add_table(0x30000, "APIC", 44);
	add_root("RSDT", (const uint64_t[]){ 0x30000 }, 1);
	assert_true(load_from(2, RSDT_AT, 0)); /* legal: no XSDT */
	assert_int_equal(notes.count, 0);

	assert_true(load_from(2, RSDT_AT, 0xdead0000));
	assert_true(has_anomaly(&notes, "XSDT", 0, "root table not readable"));

	assert_true(load_from(2, RSDT_AT, UINT64_MAX - 3)); /* would wrap */
	assert_true(has_anomaly(&notes, "XSDT", 0, "root table not readable"));

	assert_true(load_from(2, RSDT_AT, 0x30000));
	assert_true(has_anomaly(&notes, "XSDT", 0, "root table has another signature"));

	build_table(&b, "XSDT", 44);
	b.bytes[40]++;
	phys_add_table(&memory, XSDT_AT, &b);
	assert_true(load_from(2, RSDT_AT, XSDT_AT));
	assert_true(has_anomaly(&notes, "XSDT", 9, "checksum wrong"));
	assert_non_null(tables.madt.bytes);
}

static void no_root(void **state)
{
	(void)state;
	assert_false(load_from(2, RSDT_AT, XSDT_AT));
	assert_int_equal(notes.count, 2);
	assert_null(tables.madt.bytes);
	assert_false(load_from(0, 0, 0));
	assert_int_equal(notes.count, 1);
}

static void bad_entries_do_not_stop_the_rest(void **state)
{
	(void)state;
	add_table(0x30000, "APIC", 44);
	phys_add_zeros(&memory, 0x31000, 35); /* not even a header */
	add_root("XSDT", (const uint64_t[]){ 0, 0xfffffffffffffff0, 0x31000, 0xdead0000,
					     0x30000 }, 5);
	assert_true(load_from(2, 0, XSDT_AT));
	assert_non_null(tables.madt.bytes);
	assert_int_equal(notes.count, 4);
	assert_true(has_anomaly(&notes, "XSDT", 36, "entry is 0"));
	assert_true(has_anomaly(&notes, "XSDT", 44, "entry points to nothing readable"));
	assert_true(has_anomaly(&notes, "XSDT", 52, "entry points to nothing readable"));
	assert_true(has_anomaly(&notes, "XSDT", 60, "entry points to nothing readable"));
	assert_true(notes.entries[3].value == 0xdead0000);
}

/* Five bytes at the end are no entry, in a root that ends where readable memory ends. */
static void trailing_bytes_of_a_root(void **state)
{
	struct build b;

	(void)state;
	add_table(0x30000, "APIC", 44);
	build_header(&b, "XSDT", 1);
	build_int(&b, 0x30000, 8);
	build_int(&b, 0x31, 5);
	build_close(&b);
	phys_add_table(&memory, XSDT_AT, &b);
	assert_true(load_from(2, 0, XSDT_AT));
	assert_int_equal(notes.count, 1);
	assert_true(has_anomaly(&notes, "XSDT", 44, "trailing bytes too few for an entry"));
	assert_int_equal(notes.entries[0].value, 5);
}

/* ArcherCity's SRAT has 30,840 bytes; a MADT of 5,000 x2APIC entries more than 64 KiB. */
static void tables_larger_than_64_kib(void **state)
{
	(void)state;
	add_table(0x30ff3, "SRAT", 30840);
	add_table(0x50000, "APIC", 44 + 5000 * 16);
	add_table(0x100000, "SLIT", ACPI_TABLE_MAX_BYTES);
	add_root("XSDT", (const uint64_t[]){ 0x30ff3, 0x50000, 0x100000 }, 3);
	assert_true(load_from(2, 0, XSDT_AT));
	assert_int_equal(tables.srat.length, 30840);
	assert_int_equal(tables.madt.length, 80044);
	assert_int_equal(tables.slit.length, ACPI_TABLE_MAX_BYTES);
	assert_int_equal(tables.srat.bytes[30839], (uint8_t)(30839 * 7));
	assert_int_equal(notes.count, 0);
}

static void add_with_length(uint64_t address, const char *signature, uint32_t bytes,
			    uint32_t length)
{
	struct build b;

	build_table(&b, signature, bytes);
	build_set(&b, 4, length, 4);
	build_checksum(b.bytes, b.length, 9);
	phys_add_table(&memory, address, &b);
}

static void lengths_that_lie(void **state)
{
	(void)state;
	add_with_length(0x30000, "APIC", 100, 0);
	add_with_length(0x31000, "SRAT", 100, 35);
	add_with_length(0x32000, "SLIT", 100, 101);
	add_with_length(0x33000, "HMAT", 100, ACPI_TABLE_MAX_BYTES + 1);
	add_with_length(0x34000, "FACP", 100, UINT32_MAX);
	add_table(0x35000, "HPET", 56);
	add_root("XSDT", (const uint64_t[]){ 0x30000, 0x31000, 0x32000, 0x33000, 0x34000,
					     0x35000 }, 6);
	assert_true(load_from(2, 0, XSDT_AT));
	assert_true(has_anomaly(&notes, "MADT", 4, "table length below the header's"));
	assert_true(has_anomaly(&notes, "SRAT", 4, "table length below the header's"));
	assert_true(has_anomaly(&notes, "SLIT", 4, "table runs past what can be read"));
	assert_true(has_anomaly(&notes, "HMAT", 4, "table length absurd"));
	assert_true(has_anomaly(&notes, "FADT", 4, "table length absurd"));
	assert_int_equal(notes.count, 5);
	assert_int_equal(notes.entries[2].value, 101);
	assert_null(tables.madt.bytes);
	assert_null(tables.srat.bytes);
	assert_null(tables.slit.bytes);
	assert_null(tables.hmat.bytes);
	assert_null(tables.fadt.bytes);
	assert_non_null(tables.hpet.bytes);
}

static void root_with_too_many_entries(void **state)
{
	static uint64_t entries[3000];

	(void)state;
	for (uint32_t i = 0; i < 3000; i++)
		entries[i] = 0x30000;
	add_table(0x30000, "APIC", 44);
	add_root("XSDT", entries, 3000);
	assert_true(load_from(2, 0, XSDT_AT));
	assert_non_null(tables.madt.bytes);
	assert_true(has_anomaly(&notes, "XSDT", 4, "more tables than are looked at"));
	assert_in_range(count_anomalies(&notes, "MADT", "second table of this signature ignored"),
			1, 8);
	assert_int_equal(notes.count + notes.dropped, 1024);
}

static bool offer(struct build *b)
{
	return acpi_tables_offer(&tables, b->bytes, b->length, &notes);
}

/* A Dell T5810 lists two SRATs, both with good checksums. */
static void the_first_good_one_is_kept(void **state)
{
	struct build bad, first, second;

	(void)state;
	build_table(&bad, "SRAT", 100);
	build_table(&first, "SRAT", 60);
	build_table(&second, "SRAT", 80);
	bad.bytes[50] ^= 1;
	assert_false(offer(&bad));
	assert_null(tables.srat.bytes);
	assert_true(has_anomaly(&notes, "SRAT", 9, "checksum wrong"));
	assert_true(offer(&first));
	assert_false(offer(&second));
	assert_ptr_equal(tables.srat.bytes, first.bytes);
	assert_int_equal(tables.srat.length, 60);
	assert_true(has_anomaly(&notes, "SRAT", 0, "second table of this signature ignored"));
	assert_int_equal(notes.count, 2);
	build_free(&bad);
	build_free(&first);
	build_free(&second);
}

static void other_signatures_are_not_judged(void **state)
{
	struct build b;

	(void)state;
	build_table(&b, "SSDT", 100);
	b.bytes[50]++;
	assert_false(offer(&b));
	assert_int_equal(notes.count, 0);
	build_free(&b);
}

static void every_truncation(void **state)
{
	struct build b;

	(void)state;
	build_table(&b, "APIC", 200);
	for (uint32_t cut = 0; cut < b.length; cut++) {
		struct acpi_table copy = exact_copy(b.bytes, cut);

		assert_false(acpi_tables_offer(&tables, copy.bytes, cut, &notes));
		assert_null(tables.madt.bytes);
		exact_free(&copy);
	}
	assert_int_equal(notes.count + notes.dropped, 200);
	/* More room than the table needs is no fault: files are padded. */
	build_zeros(&b, 40);
	assert_true(offer(&b));
	assert_int_equal(tables.madt.length, 200);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_six_through_the_xsdt, setup, teardown),
		cmocka_unit_test_setup_teardown(entry_sizes, setup, teardown),
		cmocka_unit_test_setup_teardown(rsdt_where_the_xsdt_is_unusable, setup, teardown),
		cmocka_unit_test_setup_teardown(no_root, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_entries_do_not_stop_the_rest, setup, teardown),
		cmocka_unit_test_setup_teardown(trailing_bytes_of_a_root, setup, teardown),
		cmocka_unit_test_setup_teardown(tables_larger_than_64_kib, setup, teardown),
		cmocka_unit_test_setup_teardown(lengths_that_lie, setup, teardown),
		cmocka_unit_test_setup_teardown(root_with_too_many_entries, setup, teardown),
		cmocka_unit_test_setup_teardown(the_first_good_one_is_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(other_signatures_are_not_judged, setup, teardown),
		cmocka_unit_test_setup_teardown(every_truncation, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
