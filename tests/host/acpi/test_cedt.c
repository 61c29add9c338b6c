/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/cedt.h"

#include "tests/host/acpi_build.h"

enum { FIXED = 36 };

static struct cedt_facts facts;
static struct anomaly_log notes;

static void add_window(struct build *b, uint64_t base, uint64_t size, uint32_t restrictions)
{
	build_int(b, 1, 1);
	build_int(b, 0, 1);
	build_int(b, 40, 2);
	build_int(b, 0, 4);
	build_int(b, base, 8);
	build_int(b, size, 8);
	build_int(b, 0, 8);
	build_int(b, restrictions, 2);
	build_int(b, 0, 2);
	build_int(b, 7, 4);
}

static void parse(struct build *b)
{
	struct acpi_table table;

	build_close(b);
	table = build_exact(b);
	notes = (struct anomaly_log){ 0 };
	assert_true(cedt_parse(&table, &facts, &notes));
	exact_free(&table);
}

static void windows_in_table_order(void **state)
{
	struct build b;

	(void)state;
	build_header(&b, "CEDT", 1);
	add_window(&b, 0x100000000, 0x10000000, 0x6);
	build_int(&b, 0, 1); /* a host bridge: 32 bytes, its length in 16 bits */
	build_int(&b, 0, 1);
	build_int(&b, 32, 2);
	for (int i = 0; i < 7; i++)
		build_int(&b, 0xeeeeeeee, 4);
	add_window(&b, 0x90000000, 0x1000, 0x8);
	parse(&b);
	assert_int_equal(facts.window_count, 2);
	assert_int_equal(facts.windows[0].start, 0x100000000);
	assert_int_equal(facts.windows[0].end, 0x110000000);
	assert_false(facts.windows[0].nonvolatile);
	assert_int_equal(facts.windows[1].start, 0x90000000);
	assert_true(facts.windows[1].nonvolatile);
	assert_int_equal(facts.windows[1].offset, FIXED + 40 + 32);
	assert_int_equal(notes.count, 0);
}

static void what_is_wrong_is_dropped(void **state)
{
	struct acpi_table absent = { 0 };
	struct build b;

	(void)state;
	assert_false(cedt_parse(&absent, &facts, &notes));
	build_header(&b, "CEDT", 1);
	add_window(&b, 0x1000, 0, 6);
	add_window(&b, UINT64_MAX, 2, 6);
	build_int(&b, 1, 2);
	build_int(&b, 3, 2); /* below the header's length */
	parse(&b);
	assert_int_equal(facts.window_count, 0);
	assert_int_equal(notes.count, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_in_table_order),
		cmocka_unit_test(what_is_wrong_is_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
