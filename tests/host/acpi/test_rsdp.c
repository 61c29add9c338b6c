/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/rsdp.h"
#include "acpi/tables.h"
#include "tests/host/acpi_build.h"
#include "tests/host/acpi_phys.h"

static struct phys_memory memory;

/* The check on a block of exactly `available` bytes. */
static uint32_t check(const uint8_t *bytes, uint32_t available)
{
	struct acpi_table copy = exact_copy(bytes, available);
	uint32_t length = acpi_rsdp_check(copy.bytes, available);

	exact_free(&copy);
	return length;
}

static void revisions(void **state)
{
	uint8_t rsdp[36];

	(void)state;
	build_rsdp(rsdp, 0, 0x1000, 0x2000);
	assert_int_equal(check(rsdp, 36), 20);
	assert_int_equal(check(rsdp, 20), 20);
	build_rsdp(rsdp, 1, 0x1000, 0x2000);
	assert_int_equal(check(rsdp, 36), 20);
	build_rsdp(rsdp, 2, 0x1000, 0x2000);
	assert_int_equal(check(rsdp, 36), 36);
	build_rsdp(rsdp, 3, 0x1000, 0x2000);
	assert_int_equal(check(rsdp, 36), 36);
	for (uint32_t available = 0; available < 20; available++)
		assert_int_equal(check(rsdp, available), 0);
	for (uint32_t available = 20; available < 36; available++)
		assert_int_equal(check(rsdp, available), 20);
}

static void checksums(void **state)
{
	uint8_t rsdp[36];

	(void)state;
	for (uint32_t i = 0; i < 36; i++) {
		build_rsdp(rsdp, 2, 0x1000, 0x2000);
		rsdp[i]++;
		assert_int_equal(check(rsdp, 36), i < 20 ? 0 : 20);
		assert_int_equal(acpi_rsdp_is_cut(rsdp, 36), i >= 20);
		assert_false(acpi_rsdp_is_cut(rsdp, 20));
	}
	/* Right sum, wrong signature. */
	build_rsdp(rsdp, 0, 0, 0);
	rsdp[0] = 'r';
	build_checksum(rsdp, 20, 8);
	assert_int_equal(check(rsdp, 20), 0);
}

static void lengths(void **state)
{
	static const uint32_t bad[] = { 0, 20, 35, 37, 45, 0x80000000, UINT32_MAX };
	uint8_t rsdp[44] = { 0 };

	(void)state;
	for (uint32_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		build_rsdp(rsdp, 2, 0x1000, 0x2000);
		memcpy(rsdp + 20, &bad[i], 4);
		build_checksum(rsdp, 36, 32);
		assert_int_equal(check(rsdp, 36), 20);
	}
	/* A later revision may be longer: the sum is over all of it. */
	build_rsdp(rsdp, 2, 0x1000, 0x2000);
	rsdp[20] = 44;
	rsdp[40] = 0x55;
	build_checksum(rsdp, 44, 32);
	assert_int_equal(check(rsdp, 44), 36);
	assert_int_equal(check(rsdp, 43), 20);
}

enum { EBDA = 0x9fc00 };

static uint8_t *add_bios_area(void)
{
	return phys_add_zeros(&memory, 0xe0000, 0x20000);
}

static uint8_t *add_ebda(uint32_t length)
{
	uint16_t segment = EBDA >> 4;

	phys_add(&memory, 0x40e, &segment, 2);
	return phys_add_zeros(&memory, EBDA, length);
}

static uint64_t search(void)
{
	struct phys_reader reader = phys_reader(&memory);
	uint64_t found = acpi_rsdp_search(&reader, 0);

	phys_free(&memory);
	return found;
}

static void search_borders(void **state)
{
	static const uint32_t at[] = { 0, 16, 0x1ffe0 };

	(void)state;
	assert_int_equal(search(), 0); /* nothing readable at all */
	add_bios_area();
	assert_int_equal(search(), 0);
	for (uint32_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		uint8_t rsdp[36];

		build_rsdp(rsdp, 0, 0x1000, 0);
		memcpy(add_bios_area() + at[i], rsdp, 20);
		assert_int_equal(search(), 0xe0000 + at[i]);
	}
}

static void search_steps_by_16_and_checks(void **state)
{
	uint8_t rsdp[36], *area;

	(void)state;
	build_rsdp(rsdp, 2, 0x1000, 0x2000);
	area = add_bios_area();
	memcpy(area + 0x108, rsdp, 36); /* not on a boundary */
	memcpy(area + 0x200, rsdp, 36);
	area[0x200 + 17]++; /* not whole */
	memcpy(area + 0x1fff0, "RSD PTR ", 8); /* cut off by the end of the area */
	assert_int_equal(search(), 0);

	area = add_bios_area();
	memcpy(area + 0x200, rsdp, 36);
	area[0x200 + 17]++;
	memcpy(area + 0x300, rsdp, 36);
	area[0x300 + 33]++; /* only its extension is broken: usable */
	memcpy(area + 0x400, rsdp, 36);
	assert_int_equal(search(), 0xe0300);
}

static void search_ebda(void **state)
{
	uint8_t rsdp[36];

	(void)state;
	build_rsdp(rsdp, 2, 0x1000, 0x2000);
	memcpy(add_bios_area() + 0x100, rsdp, 36);
	memcpy(add_ebda(2048) + 1008, rsdp, 36); /* begins in the first KiB, ends behind it */
	assert_int_equal(search(), EBDA + 1008);

	memcpy(add_bios_area() + 0x100, rsdp, 36);
	memcpy(add_ebda(2048) + 1024, rsdp, 36); /* outside the first KiB */
	assert_int_equal(search(), 0xe0100);

	memcpy(add_bios_area() + 0x100, rsdp, 36);
	add_ebda(512); /* only half of it is readable */
	assert_int_equal(search(), 0xe0100);

	memcpy(add_bios_area() + 0x100, rsdp, 36);
	phys_add_zeros(&memory, 0x40e, 2); /* no EBDA */
	assert_int_equal(search(), 0xe0100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(revisions),
		cmocka_unit_test(checksums),
		cmocka_unit_test(lengths),
		cmocka_unit_test(search_borders),
		cmocka_unit_test(search_steps_by_16_and_checks),
		cmocka_unit_test(search_ebda),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
