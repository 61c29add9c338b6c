/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/srat.h"

#include "tests/host/acpi_build.h"
#include "tests/host/acpi_mangle.h"

enum { ENABLED = 1, HOTPLUG = 2, NONVOLATILE = 4, SPECIFIC = 8, FIXED = 48 };

static struct srat_facts facts;
static struct anomaly_log notes;

static void begin(struct build *b, uint8_t revision)
{
	build_header(b, "SRAT", revision);
	build_int(b, 1, 4);
	build_int(b, 0, 8);
}

static void add_lapic(struct build *b, uint8_t id, uint32_t pxm, uint32_t flags)
{
	build_int(b, 0, 1);
	build_int(b, 16, 1);
	build_int(b, pxm & 0xff, 1);
	build_int(b, id, 1);
	build_int(b, flags, 4);
	build_int(b, 0xee, 1);
	build_int(b, pxm >> 8, 3);
	build_int(b, 0, 4);
}

static void add_memory(struct build *b, uint64_t base, uint64_t length, uint32_t pxm,
		       uint32_t flags)
{
	build_int(b, 1, 1);
	build_int(b, 40, 1);
	build_int(b, pxm, 4);
	build_int(b, 0xeeee, 2);
	build_int(b, base, 8);
	build_int(b, length, 8);
	build_int(b, 0xeeeeeeee, 4);
	build_int(b, flags, 4);
	build_int(b, 0, 8);
}

static void add_x2apic(struct build *b, uint32_t id, uint32_t pxm, uint32_t flags)
{
	build_int(b, 2, 1);
	build_int(b, 24, 1);
	build_int(b, 0, 2);
	build_int(b, pxm, 4);
	build_int(b, id, 4);
	build_int(b, flags, 4);
	build_int(b, 0, 8);
}

static void add_device(struct build *b, uint32_t type, uint32_t pxm, uint32_t flags)
{
	build_int(b, type, 1);
	build_int(b, 32, 1);
	build_int(b, 0x1ee, 2);
	build_int(b, pxm, 4);
	build_int(b, 0xeeeeeeeeeeeeeeee, 8);
	build_int(b, 0xeeeeeeeeeeeeeeee, 8);
	build_int(b, flags, 4);
	build_int(b, 0, 4);
}

static bool parse(struct build *b)
{
	struct acpi_table table;
	bool usable;

	build_close(b);
	table = build_exact(b);
	notes = (struct anomaly_log){ 0 };
	memset(&facts, 0xa5, sizeof(facts));
	usable = srat_parse(&table, &facts, &notes);
	exact_free(&table);
	return usable;
}

static void assert_memory(uint32_t i, uint64_t start, uint64_t end, uint32_t pxm)
{
	assert_true(i < facts.memory_count);
	assert_int_equal(facts.memory[i].start, start);
	assert_int_equal(facts.memory[i].end, end);
	assert_int_equal(facts.memory[i].pxm, pxm);
}

static void absent_or_short(void **state)
{
	struct acpi_table absent = { 0 };
	struct build b;

	(void)state;
	memset(&facts, 0xa5, sizeof(facts));
	notes = (struct anomaly_log){ 0 };
	assert_false(srat_parse(&absent, &facts, &notes));
	assert_int_equal(facts.cpu_count + facts.memory_count + facts.disabled, 0);
	assert_int_equal(notes.count, 0);

	begin(&b, 3);
	b.length = FIXED - 1;
	assert_false(parse(&b));
	assert_true(has_anomaly(&notes, "SRAT", 4, "table shorter than its fixed part"));

	begin(&b, 3);
	assert_true(parse(&b));
	assert_int_equal(notes.count, 0);
}

static void all_three_types(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	add_lapic(&b, 0x20, 0x04030201, ENABLED);
	add_memory(&b, 0x1080000000, 0x400000000, 0x04030201, ENABLED | HOTPLUG);
	add_x2apic(&b, 0x1fd, 0x80000000, ENABLED);
	add_memory(&b, 0, 0xa0000, 7, ENABLED | NONVOLATILE);
	build_record(&b, 4, 32); /* GIC ITS */
	build_record(&b, 3, 18); /* GICC */
	add_lapic(&b, 9, 1, 0);
	add_memory(&b, 0, 0x1000, 1, HOTPLUG);
	add_x2apic(&b, 9, 1, 2);
	assert_true(parse(&b));
	assert_int_equal(facts.cpu_count, 2);
	assert_int_equal(facts.cpus[0].apic_id, 0x20);
	assert_int_equal(facts.cpus[0].pxm, 0x04030201);
	assert_int_equal(facts.cpus[1].apic_id, 0x1fd);
	assert_int_equal(facts.cpus[1].pxm, 0x80000000);
	assert_int_equal(facts.memory_count, 2);
	assert_memory(0, 0x1080000000, 0x1480000000, 0x04030201);
	assert_memory(1, 0, 0xa0000, 7);
	assert_true(facts.memory[0].hotplug && !facts.memory[0].nonvolatile);
	assert_true(!facts.memory[1].hotplug && facts.memory[1].nonvolatile);
	assert_int_equal(facts.disabled, 3);
	assert_int_equal(facts.other_entries, 2);
	assert_int_equal(notes.count, 0);
}

/* Types 5 and 6, of which a domain each is known and no more than that. */
static void devices_have_domains(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	add_device(&b, 5, 3, ENABLED);
	add_device(&b, 6, 4, ENABLED);
	add_device(&b, 5, 9, 0);
	add_device(&b, 5, 0x80000001, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.initiator_count, 2);
	assert_int_equal(facts.initiators[0], 3);
	assert_int_equal(facts.initiators[1], 0x80000001);
	assert_int_equal(facts.port_count, 1);
	assert_int_equal(facts.ports[0], 4);
	assert_int_equal(facts.disabled, 1);
	assert_int_equal(facts.other_entries, 0);

	begin(&b, 3);
	for (uint32_t i = 0; i <= SRAT_DEVICE_MAX; i++)
		add_device(&b, 6, i, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.port_count, SRAT_DEVICE_MAX);
	assert_int_equal(notes.count, 1);
}

/* What firmware writes for CPUs that are not there made a node of that number. */
static void no_domain_is_no_domain(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	add_lapic(&b, 1, UINT32_MAX, ENABLED);
	add_x2apic(&b, 2, UINT32_MAX, ENABLED);
	add_memory(&b, 0, 0x1000, UINT32_MAX, ENABLED);
	add_device(&b, 5, UINT32_MAX, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.cpu_count + facts.memory_count + facts.initiator_count, 0);
	assert_int_equal(notes.count + notes.dropped, 4);
	assert_true(has_anomaly(&notes, "SRAT", FIXED, "domain 0xffffffff is none: entry ignored"));

	begin(&b, 1); /* 8 bits: 255 is a domain like any other */
	add_lapic(&b, 1, UINT32_MAX, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.cpus[0].pxm, 255);
}

static void specific_purpose(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	add_memory(&b, 0, 0x1000, 0, ENABLED | SPECIFIC);
	add_memory(&b, 0x1000, 0x1000, 0, ENABLED);
	assert_true(parse(&b));
	assert_true(facts.memory[0].specific_purpose && !facts.memory[1].specific_purpose);
}

static void revision_1_has_8_bit_domains(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 1);
	add_lapic(&b, 0, 0xabcdef01, ENABLED);
	add_memory(&b, 0, 0x1000, 0xffffff02, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.cpus[0].pxm, 1);
	assert_int_equal(facts.memory[0].pxm, 2);

	begin(&b, 2);
	add_lapic(&b, 0, 0xabcdef01, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.cpus[0].pxm, 0xabcdef01);
}

static void empty_and_wrapping_ranges(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	add_memory(&b, 0x5000, 0, 2, ENABLED | HOTPLUG);
	add_memory(&b, 0xfffffffffffff000, 0x1001, 3, ENABLED); /* one byte past 2^64 */
	add_memory(&b, 0xfffffffffffff000, 0x1000, 3, ENABLED); /* its end does not fit either */
	add_memory(&b, 0xfffffffffffff000, 0xfff, 4, ENABLED);
	add_memory(&b, UINT64_MAX, UINT64_MAX, 5, 0); /* not enabled: nobody's business */
	assert_true(parse(&b));
	assert_int_equal(facts.memory_count, 2);
	assert_memory(0, 0x5000, 0x5000, 2);
	assert_memory(1, 0xfffffffffffff000, UINT64_MAX, 4);
	assert_int_equal(facts.disabled, 1);
	assert_int_equal(notes.count, 2);
	assert_true(has_anomaly(&notes, "SRAT", FIXED + 40, "memory range wraps"));
	assert_true(has_anomaly(&notes, "SRAT", FIXED + 80, "memory range wraps"));
}

/* The second SRAT of a Dell T5810: a record of length 0 behind good ones. */
static void zero_length_record_ends_the_walk(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	add_lapic(&b, 6, 0, ENABLED);
	build_int(&b, 0, 2);
	add_lapic(&b, 7, 0, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.cpu_count, 1);
	assert_int_equal(notes.count, 1);
	assert_true(has_anomaly(&notes, "SRAT", FIXED + 16, "record length below its header's"));
}

static void short_records_are_skipped(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	build_record(&b, 0, 15);
	build_record(&b, 1, 39);
	build_record(&b, 2, 23);
	build_record(&b, 1, 2);
	add_x2apic(&b, 300, 1, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.cpu_count, 1);
	assert_int_equal(facts.memory_count, 0);
	assert_int_equal(count_anomalies(&notes, "SRAT", "record shorter than its type"), 4);
	assert_true(has_anomaly(&notes, "SRAT", FIXED + 15, "record shorter than its type"));
}

/* Last entry one byte too long for the table. */
static void record_past_the_end(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	add_lapic(&b, 6, 0, ENABLED);
	add_memory(&b, 0, 0x1000, 0, ENABLED);
	b.length--;
	assert_true(parse(&b));
	assert_int_equal(facts.cpu_count, 1);
	assert_int_equal(facts.memory_count, 0);
	assert_true(has_anomaly(&notes, "SRAT", FIXED + 16, "record runs past the table"));
}

static void more_than_fits(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	for (uint32_t i = 0; i < CPU_MAX + 100; i++)
		add_x2apic(&b, i, i & 7, ENABLED);
	for (uint32_t i = 0; i < SRAT_MEMORY_MAX + 100; i++)
		add_memory(&b, (uint64_t)i << 30, 1 << 30, i & 7, ENABLED);
	assert_true(parse(&b));
	assert_int_equal(facts.cpu_count, CPU_MAX);
	assert_int_equal(facts.cpus[CPU_MAX - 1].apic_id, CPU_MAX - 1);
	assert_int_equal(facts.memory_count, SRAT_MEMORY_MAX);
	assert_memory(SRAT_MEMORY_MAX - 1, (uint64_t)(SRAT_MEMORY_MAX - 1) << 30,
		      (uint64_t)SRAT_MEMORY_MAX << 30, 7);
	assert_in_range(count_anomalies(&notes, "SRAT", "more processors than fit"), 1, 8);
	assert_in_range(count_anomalies(&notes, "SRAT", "more memory ranges than fit"), 1, 8);
	assert_int_equal(notes.count + notes.dropped, 200);
}

static void hostile_bytes(void **state)
{
	struct build b;

	(void)state;
	begin(&b, 3);
	add_lapic(&b, 6, 0, ENABLED);
	add_memory(&b, 0, 0x80000000, 0, ENABLED);
	build_record(&b, 5, 32);
	add_x2apic(&b, 0x101, 0, ENABLED);
	add_memory(&b, UINT64_MAX - 3, 2, 0, ENABLED);
	add_lapic(&b, 6, 0, 0);
	build_close(&b);
	each_truncation(b.bytes, b.length, mangle_srat);
	each_length_byte(b.bytes, b.length, FIXED, 1, mangle_srat);
	random_bytes(b.bytes, b.length, 3000, mangle_srat);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_or_short),
		cmocka_unit_test(all_three_types),
		cmocka_unit_test(devices_have_domains),
		cmocka_unit_test(no_domain_is_no_domain),
		cmocka_unit_test(specific_purpose),
		cmocka_unit_test(revision_1_has_8_bit_domains),
		cmocka_unit_test(empty_and_wrapping_ranges),
		cmocka_unit_test(zero_length_record_ends_the_walk),
		cmocka_unit_test(short_records_are_skipped),
		cmocka_unit_test(record_past_the_end),
		cmocka_unit_test(more_than_fits),
		cmocka_unit_test(hostile_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
