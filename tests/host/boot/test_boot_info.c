/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/boot_info.h"

static struct boot_info info;

static void e820_numbers_have_types(void **state)
{
	(void)state;
	assert_int_equal(memory_type_from_e820(1), MEMORY_USABLE);
	assert_int_equal(memory_type_from_e820(2), MEMORY_RESERVED);
	assert_int_equal(memory_type_from_e820(3), MEMORY_ACPI_DATA);
	assert_int_equal(memory_type_from_e820(4), MEMORY_ACPI_NVS);
	assert_int_equal(memory_type_from_e820(5), MEMORY_BAD);
	assert_int_equal(memory_type_from_e820(7), MEMORY_PERSISTENT);
	assert_int_equal(memory_type_from_e820(12), MEMORY_PERSISTENT);
	assert_int_equal(memory_type_from_e820(0xefffffff), MEMORY_SOFT_RESERVED);
	/* 9 stands in the map of real servers, 20 is how Linux shows EFI runtime code. */
	for (uint32_t type = 13; type < 300; type++)
		assert_int_equal(memory_type_from_e820(type), MEMORY_RESERVED);
	assert_int_equal(memory_type_from_e820(0), MEMORY_RESERVED);
	assert_int_equal(memory_type_from_e820(6), MEMORY_RESERVED);
	assert_int_equal(memory_type_from_e820(9), MEMORY_RESERVED);
	assert_int_equal(memory_type_from_e820(UINT32_MAX), MEMORY_RESERVED);
}

static void efi_numbers_have_types(void **state)
{
	static const enum memory_type expected[17] = {
		MEMORY_RESERVED, MEMORY_USABLE,     MEMORY_USABLE,   MEMORY_USABLE,
		MEMORY_USABLE,   MEMORY_RESERVED,   MEMORY_RESERVED, MEMORY_USABLE,
		MEMORY_BAD,      MEMORY_ACPI_DATA,  MEMORY_ACPI_NVS, MEMORY_RESERVED,
		MEMORY_RESERVED, MEMORY_RESERVED,   MEMORY_PERSISTENT,
		MEMORY_UNACCEPTED,
		MEMORY_RESERVED,
	};

	(void)state;
	for (uint32_t type = 0; type < 17; type++) {
		enum memory_type specific = expected[type];

		if (specific == MEMORY_USABLE)
			specific = MEMORY_SOFT_RESERVED;
		assert_int_equal(memory_type_from_efi(type, 0xf), expected[type]);
		assert_int_equal(memory_type_from_efi(type, 0x4000f), specific);
	}
	assert_int_equal(memory_type_from_efi(0x80000000, 0), MEMORY_RESERVED);
}

/* The records promise these words. */
static void types_have_names(void **state)
{
	static const char *const names[MEMORY_TYPES] = {
		"none",     "usable",     "uncached",   "soft-reserved", "acpi-data",
		"acpi-nvs", "persistent", "unaccepted", "reserved",      "bad",
	};

	(void)state;
	for (uint32_t type = 0; type < MEMORY_TYPES; type++)
		assert_string_equal(memory_type_name(type), names[type]);
	assert_string_equal(memory_type_name(MEMORY_TYPES), "none");
}

/* With every kind of entry first that can be. */
static void what_is_not_usable_always_holds(void **state)
{
	const uint64_t page = 0x1000, far = 1ull << 40;

	(void)state;
	for (uint32_t usable = 0; usable <= BOOT_MEMORY_MAX; usable += BOOT_MEMORY_MAX / 4) {
		uint32_t lost = 0;

		memset(&info, 0, sizeof(info));
		for (uint64_t i = 0; i < usable; i++)
			assert_true(boot_info_add_memory(&info, far + 4 * i * page, 2 * page,
							 MEMORY_USABLE));
		for (uint64_t i = 0; i < 2 * BOOT_MEMORY_MAX; i++)
			lost += !boot_info_add_memory(&info, 4 * i * page, page,
						      i % 2 ? MEMORY_BAD : MEMORY_RESERVED);
		assert_int_equal(info.memory_count, BOOT_MEMORY_MAX);
		assert_int_equal(lost, BOOT_MEMORY_MAX + usable);
		for (uint64_t i = 0; i < 2 * BOOT_MEMORY_MAX; i++) {
			uint32_t type = MEMORY_NONE;

			for (uint32_t at = 0; at < info.memory_count; at++) {
				const struct boot_memory *entry = &info.memory[at];

				if (entry->type != MEMORY_USABLE && entry->start <= 4 * i * page &&
				    entry->start + entry->length > 4 * i * page)
					type = entry->type > type ? entry->type : type;
			}
			assert_true(type >= (i % 2 ? MEMORY_BAD : MEMORY_RESERVED));
		}
		assert_false(boot_info_add_memory(&info, far * 2, page, MEMORY_USABLE));
	}
}

static void odd_entries_of_a_full_map(void **state)
{
	(void)state;
	memset(&info, 0, sizeof(info));
	for (uint64_t i = 0; i < BOOT_MEMORY_MAX; i++)
		boot_info_add_memory(&info, i << 13, 0x1000, MEMORY_RESERVED);
	assert_false(boot_info_add_memory(&info, 5, 0, MEMORY_BAD));
	assert_false(boot_info_add_memory(&info, UINT64_MAX, 2, MEMORY_BAD));
	assert_false(boot_info_add_memory(&info, UINT64_MAX - 7, 8, MEMORY_BAD));
	assert_false(boot_info_add_memory(&info, 0, UINT64_MAX, MEMORY_BAD));
	assert_int_equal(info.memory_count, BOOT_MEMORY_MAX);
	for (uint32_t i = 0; i < BOOT_MEMORY_MAX; i++) {
		const struct boot_memory *entry = &info.memory[i];

		assert_true(entry->start + (entry->length - 1) >= entry->start);
	}
}

static void kept_memory_is_sorted_and_merged(void **state)
{
	(void)state;
	memset(&info, 0, sizeof(info));
	assert_true(boot_info_keep(&info, 0x3000, 0x1000));
	assert_true(boot_info_keep(&info, 0x1000, 0x800));
	assert_true(boot_info_keep(&info, 0x1800, 0));
	assert_int_equal(info.keep_count, 2);
	assert_int_equal(info.keep[0].start, 0x1000);
	assert_int_equal(info.keep[0].end, 0x1800);
	assert_true(boot_info_keep(&info, 0x1800, 0x1800));
	assert_int_equal(info.keep_count, 1);
	assert_int_equal(info.keep[0].end, 0x4000);
	assert_false(boot_info_keep(&info, UINT64_MAX, 1));
	assert_false(boot_info_keep(&info, 0x8000, UINT64_MAX));
	assert_true(boot_info_keep(&info, UINT64_MAX - 1, 1));
	assert_int_equal(info.keep_count, 2);
}

static void text_is_read_within_its_bounds(void **state)
{
	char to[4];

	(void)state;
	for (size_t available = 0; available < 8; available++) {
		uint8_t *from = malloc(available);

		memset(from, 'x', available);
		memset(to, '#', sizeof(to));
		assert_false(boot_info_copy_text(to, sizeof(to), from, available));
		assert_int_equal(strlen(to), available < 3 ? available : 3);
		if (available > 0) {
			from[available - 1] = 0;
			assert_int_equal(boot_info_copy_text(to, sizeof(to), from, available),
					 available <= 4);
		}
		free(from);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(e820_numbers_have_types),
		cmocka_unit_test(efi_numbers_have_types),
		cmocka_unit_test(types_have_names),
		cmocka_unit_test(what_is_not_usable_always_holds),
		cmocka_unit_test(odd_entries_of_a_full_map),
		cmocka_unit_test(kept_memory_is_sorted_and_merged),
		cmocka_unit_test(text_is_read_within_its_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
