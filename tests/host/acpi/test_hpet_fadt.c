/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/hpet_fadt.h"
#include "acpi/tables.h"
#include "tests/host/acpi_build.h"
#include "tests/host/acpi_mangle.h"

enum { MEMORY_SPACE = 0, IO_SPACE = 1 };
enum { TIMER_32BIT = 1 << 8, RESET_SUPPORTED = 1 << 10, HW_REDUCED = 1 << 20 };

static struct anomaly_log notes;

static void add_address(struct build *b, uint32_t at, uint8_t space, uint64_t address)
{
	build_set(b, at, space, 1);
	build_set(b, at + 4, address, 8);
}

static bool parse_hpet(struct build *b, struct hpet_facts *facts)
{
	struct acpi_table table = build_exact(b);
	bool usable;

	notes = (struct anomaly_log){ 0 };
	memset(facts, 0xa5, sizeof(*facts));
	usable = hpet_parse(&table, facts, &notes);
	exact_free(&table);
	return usable;
}

static void build_hpet(struct build *b, uint8_t space, uint64_t address)
{
	build_header(b, "HPET", 1);
	build_int(b, 0x8086a201, 4);
	build_zeros(b, 16);
	add_address(b, 40, space, address);
	build_close(b);
}

static void hpet(void **state)
{
	struct acpi_table absent = { 0 };
	struct hpet_facts facts;
	struct build b;

	(void)state;
	build_hpet(&b, MEMORY_SPACE, 0x1fed00000);
	assert_true(parse_hpet(&b, &facts));
	assert_int_equal(facts.address, 0x1fed00000);
	assert_int_equal(notes.count, 0);

	build_hpet(&b, MEMORY_SPACE, 0xfed00000);
	b.length--;
	assert_false(parse_hpet(&b, &facts));
	assert_int_equal(facts.address, 0);
	assert_true(has_anomaly(&notes, "HPET", 4, "table shorter than its fixed part"));

	build_hpet(&b, IO_SPACE, 0x400);
	assert_false(parse_hpet(&b, &facts));
	assert_int_equal(facts.address, 0);
	assert_true(has_anomaly(&notes, "HPET", 40, "no address in memory space"));

	build_hpet(&b, MEMORY_SPACE, 0);
	assert_false(parse_hpet(&b, &facts));

	notes = (struct anomaly_log){ 0 };
	assert_false(hpet_parse(&absent, &facts, &notes));
	assert_int_equal(notes.count, 0);
}

/* A FADT of `length` bytes with the timer at 0x408. */
static void build_fadt(struct build *b, uint32_t length, uint32_t flags)
{
	build_header(b, "FACP", 6);
	build_zeros(b, length - ACPI_HEADER_BYTES);
	build_set(b, 76, 0x408, 4);
	build_set(b, 91, 4, 1);
	build_set(b, 112, flags, 4);
	build_close(b);
}

static bool parse_fadt(struct build *b, struct fadt_facts *facts)
{
	struct acpi_table table = build_exact(b);
	bool usable;

	notes = (struct anomaly_log){ 0 };
	memset(facts, 0xa5, sizeof(*facts));
	usable = fadt_parse(&table, facts, &notes);
	exact_free(&table);
	return usable;
}

static void fadt_timer(void **state)
{
	struct fadt_facts facts;
	struct build b;

	(void)state;
	build_fadt(&b, 116, TIMER_32BIT);
	assert_true(parse_fadt(&b, &facts));
	assert_int_equal(facts.pm_timer_port, 0x408);
	assert_true(facts.pm_timer_32bit);
	assert_int_equal(facts.reset_port, 0);

	build_fadt(&b, 276, 0);
	add_address(&b, 208, IO_SPACE, 0x1808);
	assert_true(parse_fadt(&b, &facts));
	assert_int_equal(facts.pm_timer_port, 0x1808);
	assert_false(facts.pm_timer_32bit);

	build_fadt(&b, 276, 0);
	add_address(&b, 208, MEMORY_SPACE, 0xfed80808); /* not usable here: the old field counts */
	assert_true(parse_fadt(&b, &facts));
	assert_int_equal(facts.pm_timer_port, 0x408);

	build_fadt(&b, 276, TIMER_32BIT | HW_REDUCED);
	add_address(&b, 208, IO_SPACE, 0x1808);
	assert_true(parse_fadt(&b, &facts));
	assert_int_equal(facts.pm_timer_port, 0);
	assert_false(facts.pm_timer_32bit);

	build_fadt(&b, 276, 0);
	build_set(&b, 91, 0, 1); /* no timer block */
	assert_true(parse_fadt(&b, &facts));
	assert_int_equal(facts.pm_timer_port, 0);
	assert_int_equal(notes.count, 0);

	build_fadt(&b, 276, 0);
	build_set(&b, 76, 0x10408, 4);
	add_address(&b, 208, IO_SPACE, 0x100000408);
	assert_true(parse_fadt(&b, &facts));
	assert_int_equal(facts.pm_timer_port, 0);
	assert_true(has_anomaly(&notes, "FADT", 76, "I/O port above 0xffff"));
	assert_true(has_anomaly(&notes, "FADT", 208, "I/O port above 0xffff"));
}

static void fadt_reset(void **state)
{
	struct fadt_facts facts;
	struct build b;

	(void)state;
	for (uint32_t length = 128; length <= 129; length++) {
		build_fadt(&b, 129, RESET_SUPPORTED);
		add_address(&b, 116, IO_SPACE, 0xcf9);
		build_set(&b, 128, 6, 1);
		b.length = length;
		assert_true(parse_fadt(&b, &facts));
		assert_int_equal(facts.reset_port, length == 129 ? 0xcf9 : 0);
		assert_int_equal(facts.reset_value, length == 129 ? 6 : 0);
	}

	build_fadt(&b, 244, 0); /* register there, flag not: HP DL165 G7 */
	add_address(&b, 116, IO_SPACE, 0xcf9);
	build_set(&b, 128, 0xe, 1);
	assert_true(parse_fadt(&b, &facts));
	assert_int_equal(facts.reset_port, 0);
	assert_int_equal(facts.reset_value, 0);

	build_fadt(&b, 244, RESET_SUPPORTED);
	add_address(&b, 116, MEMORY_SPACE, 0xcf9); /* HP tx2 */
	build_set(&b, 128, 6, 1);
	assert_true(parse_fadt(&b, &facts));
	assert_int_equal(facts.reset_port, 0);
	assert_int_equal(facts.reset_value, 0);
}

static void fadt_absent_or_short(void **state)
{
	struct acpi_table absent = { 0 };
	struct fadt_facts facts;
	struct build b;

	(void)state;
	build_fadt(&b, 116, TIMER_32BIT);
	b.length--;
	assert_false(parse_fadt(&b, &facts));
	assert_int_equal(facts.pm_timer_port, 0);
	assert_true(has_anomaly(&notes, "FADT", 4, "table shorter than its fixed part"));
	notes = (struct anomaly_log){ 0 };
	assert_false(fadt_parse(&absent, &facts, &notes));
	assert_int_equal(notes.count, 0);
}

static void check_both(const struct acpi_table *table)
{
	struct hpet_facts hpet_facts;
	struct fadt_facts facts;
	struct anomaly_log log = { 0 };

	hpet_parse(table, &hpet_facts, &log);
	fadt_parse(table, &facts, &log);
	assert_in_range(facts.pm_timer_port, 0, 0xffff);
	assert_in_range(facts.reset_port, 0, 0xffff);
}

static void hostile_bytes(void **state)
{
	struct build b;

	(void)state;
	build_fadt(&b, 276, TIMER_32BIT | RESET_SUPPORTED);
	add_address(&b, 116, IO_SPACE, 0xcf9);
	add_address(&b, 208, IO_SPACE, 0x1808);
	each_truncation(b.bytes, b.length, check_both);
	random_bytes(b.bytes, b.length, 3000, check_both);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hpet),
		cmocka_unit_test(fadt_timer),
		cmocka_unit_test(fadt_reset),
		cmocka_unit_test(fadt_absent_or_short),
		cmocka_unit_test(hostile_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
