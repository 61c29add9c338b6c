/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Property tests of the table parsers: whatever the bytes, no overread (ASan sees exact blocks), no
 * endless loop, and facts that keep their promises. */
#include "acpi/hmat.h"
#include "acpi/hmat_lookup.h"
#include "acpi/madt.h"
#include "acpi/slit.h"
#include "acpi/srat.h"
#include "tests/host/acpi_build.h"
#include "tests/host/random.h"

typedef void parse_check(const struct acpi_table *table);

static inline void mangle_madt(const struct acpi_table *table)
{
	static struct madt_facts facts;
	struct anomaly_log log = { 0 };

	if (!madt_parse(table, &facts, &log))
		assert_int_equal(facts.cpu_count + facts.lapic_entries + facts.lapic_address, 0);
	assert_in_range(facts.cpu_count, 0, CPU_MAX);
	assert_true(facts.cpu_count + facts.disabled + facts.duplicate <=
		    facts.lapic_entries + facts.x2apic_entries);
	for (uint32_t i = 1; i < facts.cpu_count; i++)
		assert_true(facts.apic_ids[facts.by_id[i - 1]] < facts.apic_ids[facts.by_id[i]]);
}

static inline void mangle_srat(const struct acpi_table *table)
{
	static struct srat_facts facts;
	struct anomaly_log log = { 0 };

	if (!srat_parse(table, &facts, &log))
		assert_int_equal(facts.cpu_count + facts.memory_count + facts.disabled, 0);
	assert_in_range(facts.cpu_count, 0, CPU_MAX);
	assert_in_range(facts.memory_count, 0, SRAT_MEMORY_MAX);
	for (uint32_t i = 0; i < facts.memory_count; i++)
		assert_true(facts.memory[i].start <= facts.memory[i].end);
}

static inline void mangle_slit(const struct acpi_table *table)
{
	struct slit_facts facts;
	struct anomaly_log log = { 0 };

	if (!slit_parse(table, &facts, &log)) {
		assert_null(facts.entries);
		assert_int_equal(facts.localities, 0);
	}
	assert_in_range(log.count + log.dropped, 0, 3);
	for (uint32_t i = 0; i < facts.localities; i++)
		slit_distance(&facts, i, (uint32_t)facts.localities - 1 - i);
	assert_int_equal(slit_distance(&facts, (uint32_t)facts.localities, 0), 0);
	assert_int_equal(slit_distance(&facts, 0, UINT32_MAX), 0);
}

static inline void mangle_hmat(const struct acpi_table *table)
{
	static struct hmat_facts facts;
	struct anomaly_log log = { 0 };

	if (!hmat_parse(table, &facts, &log))
		assert_int_equal(facts.revision + facts.matrix_count, 0);
	assert_in_range(facts.matrix_count, 0, HMAT_MATRIX_MAX);
	assert_in_range(facts.proximity_count, 0, HMAT_PROXIMITY_MAX);
	for (uint32_t initiator = 0; initiator < 3; initiator++)
		for (uint32_t target = 0; target < 5; target++)
			hmat_lookup(&facts, initiator, target);
}

static inline void check_exact(const uint8_t *bytes, uint32_t length, parse_check *check)
{
	struct acpi_table table = exact_copy(bytes, length);

	check(&table);
	exact_free(&table);
}

static inline void each_truncation(const uint8_t *bytes, uint32_t length, parse_check *check)
{
	for (uint32_t cut = 0; cut <= length; cut++)
		check_exact(bytes, cut, check);
}

/* `rounds` copies, each with one to eight random bytes changed. */
static inline void random_bytes(const uint8_t *bytes, uint32_t length, uint32_t rounds,
				parse_check *check)
{
	uint64_t state = 0x9e3779b97f4a7c15u + length;

	for (uint32_t round = 0; round < rounds; round++) {
		struct acpi_table table = exact_copy(bytes, length);
		uint8_t *copy = (uint8_t *)(uintptr_t)table.bytes;
		uint32_t changes = 1 + random_next(&state) % 8;

		while (changes--)
			copy[random_next(&state) % length] = (uint8_t)random_next(&state);
		check(&table);
		exact_free(&table);
	}
}

/* Every value of the byte at `at`. */
static inline void each_value(const uint8_t *bytes, uint32_t length, uint32_t at,
			      parse_check *check)
{
	struct acpi_table table = exact_copy(bytes, length);
	uint8_t *copy = (uint8_t *)(uintptr_t)table.bytes;

	for (uint32_t value = 0; at < length && value < 256; value++) {
		copy[at] = (uint8_t)value;
		check(&table);
	}
	exact_free(&table);
}

/* Every value of the length byte of the first record of each run of one type; `first` and
 * `length_at` as the table kind has them: 44 and 1 in a MADT, 48 and 1 in a SRAT, 40 and 4 in an
 * HMAT (there the lowest and the highest byte). */
static inline void each_length_byte(const uint8_t *bytes, uint32_t length, uint32_t first,
				    uint32_t length_at, parse_check *check)
{
	uint32_t step, type = UINT32_MAX;

	for (uint32_t at = first; at + length_at < length; at += step) {
		if (bytes[at] != type)
			each_value(bytes, length, at + length_at, check);
		if (bytes[at] != type && length_at > 1)
			each_value(bytes, length, at + length_at + 3, check);
		type = bytes[at];
		step = bytes[at + length_at];
		if (length_at > 1 && at + length_at + 1 < length)
			step |= (uint32_t)bytes[at + length_at + 1] << 8;
		if (step == 0)
			break;
	}
}
