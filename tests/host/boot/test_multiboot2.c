/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boot/multiboot2.h"
#include "tests/host/mbi.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

static void everything_is_found(void **state)
{
	(void)state;
	add_everything();
	read(0);
	assert_string_equal(info.cmdline, "run=init policy=padata");
	assert_string_equal(info.loader, "GRUB 2.06-13");
	assert_int_equal(info.map_source, MAP_E820);
	assert_int_equal(info.memory_count, 5);
	assert_int_equal(info.memory[4].start, 4 << 20);
	assert_int_equal(info.memory[4].length, 1 << 20);
	assert_int_equal(info.memory[4].type, MEMORY_USABLE);
	assert_int_equal(info.rsdp_length, 36);
	assert_int_equal(info.rsdp[35], 0x22);
	assert_int_equal(info.rsdp_address, 0);
	assert_false(info.efi);
	assert_int_equal(info.keep_count, 2);
	assert_int_equal(info.keep[0].start, MBI_AT);
	assert_int_equal(info.keep[0].end, MBI_AT + used);
	assert_int_equal(info.keep[1].start, 0x200000);
	assert_int_equal(info.keep[1].end, 0x4200000); /* mod_end is exclusive */
}

/* Loaders differ in which of the two tags they give, and which is right. */
static void both_rsdps_are_taken(void **state)
{
	(void)state;
	begin();
	add_rsdp(14, 20, 0x11);
	add_meminfo(640, 1024);
	end();
	read(0);
	assert_int_equal(info.rsdp_length, 0);
	assert_int_equal(info.old_rsdp_length, 20);
	assert_int_equal(info.old_rsdp[19], 0x11);

	begin();
	add_rsdp(15, 36, 0x22);
	add_rsdp(14, 20, 0x11);
	add_meminfo(640, 1024);
	end();
	read(0);
	assert_int_equal(info.rsdp_length, 36);
	assert_int_equal(info.old_rsdp_length, 20);
	mbi[tag_at[0] + 8] = 'r'; /* wrong signature in the newer one */
	read(1);
	assert_int_equal(info.rsdp_length, 0);
	assert_int_equal(info.old_rsdp[8], 0x11);
	mbi[tag_at[1] + 8] = 'r';
	read(2);
	assert_int_equal(info.old_rsdp_length, 0);
}

static void a_short_rsdp_is_not_read_past(void **state)
{
	(void)state;
	for (uint32_t bytes = 8; bytes < 48; bytes++) {
		begin();
		add_meminfo(640, 1024);
		add_rsdp(15, bytes, 0x22);
		end();
		read(bytes < 36);
		assert_int_equal(info.rsdp_length, bytes < 20 ? 0 : bytes < 36 ? 20 : 36);
		begin();
		add_meminfo(640, 1024);
		add_rsdp(14, bytes, 0x22);
		end();
		read(bytes < 20);
		assert_int_equal(info.old_rsdp_length, bytes < 20 ? 0 : 20);
	}
}

/* Entries may be longer than what is known of them, of a later version, and cut at the end. */
static void the_entry_size_is_the_tags(void **state)
{
	(void)state;
	begin();
	add_map(6, 1, 32, 3);
	end();
	read(1);
	assert_int_equal(info.memory_count, 3);
	assert_int_equal(info.memory[2].start, 2 << 20);
	assert_int_equal(info.memory[2].type, MEMORY_USABLE);
	put_u32(tag_at[0] + 8, 33);
	put_u32(tag_at[0] + 12, 0);
	read(1);
	assert_int_equal(info.memory_count, 2);
	put_u32(tag_at[0] + 8, UINT32_MAX);
	read(3); /* ends within its first entry, is empty, and there is no other */
	assert_int_equal(info.memory_count, 0);
}

/* An entry size of 0 must not become a loop, nor one below 24 a read across the entry. */
static void small_entries_fall_to_the_next_source(void **state)
{
	(void)state;
	for (uint32_t size = 0; size < 24; size++) {
		begin();
		add_map(6, 0, size, 3);
		add_meminfo(640, 1024);
		end();
		read(1);
		assert_int_equal(info.map_source, MAP_BASIC_MEMINFO);
		assert_int_equal(info.memory_count, 2);
	}
}

static void an_empty_map_falls_to_the_next_source(void **state)
{
	(void)state;
	begin();
	add_map(17, 1, 48, 0);
	add_map(6, 0, 24, 0);
	add_meminfo(UINT32_MAX, UINT32_MAX);
	end();
	read(3); /* both maps, and more than 640 KiB */
	assert_int_equal(info.map_source, MAP_BASIC_MEMINFO);
	assert_int_equal(info.memory[0].start, 0);
	assert_int_equal(info.memory[0].length, 640 << 10);
	assert_int_equal(info.memory[1].start, 1 << 20);
	assert_int_equal(info.memory[1].length, (uint64_t)UINT32_MAX << 10);
	begin();
	add_meminfo(0, 0);
	end();
	read(1);
	assert_int_equal(info.map_source, MAP_NONE);
	begin();
	add_meminfo(640, 1024);
	end();
	put_u32(tag_at[0] + 4, 15); /* too short for both numbers */
	read(2);
	assert_int_equal(info.map_source, MAP_NONE);
}

static void the_efi_map_comes_first(void **state)
{
	uint32_t at;

	(void)state;
	begin();
	add_map(6, 0, 24, 7);
	at = add_map(17, 1, 48, 4);
	add_tag(12, 16);
	end();
	put_u32(at + 48, 9);              /* the second: ACPI tables */
	put_u64(at + 2 * 48 + 32, 0x40000); /* the third: for a driver */
	put_u64(at + 3 * 48 + 24, 1ull << 52); /* the fourth: 2^64 bytes */
	read(1);
	assert_true(info.efi);
	assert_int_equal(info.map_source, MAP_EFI);
	assert_int_equal(info.memory_count, 3);
	assert_int_equal(info.memory[0].type, MEMORY_USABLE);
	assert_int_equal(info.memory[1].type, MEMORY_ACPI_DATA);
	assert_int_equal(info.memory[1].length, 1 << 20);
	assert_int_equal(info.memory[2].type, MEMORY_SOFT_RESERVED);
	put_u64(at + 3 * 48 + 24, (1ull << 52) - 1);
	read(0);
	assert_int_equal(info.memory[3].length, 0 - (1ull << 12));
}

static void an_efi_map_of_running_boot_services_is_not_used(void **state)
{
	(void)state;
	begin();
	add_map(17, 1, 40, 4);
	add_map(6, 0, 24, 7);
	add_tag(18, 8);
	end();
	read(1);
	assert_true(info.efi);
	assert_int_equal(info.map_source, MAP_E820);
	assert_int_equal(info.memory_count, 7);
}

static void each_efi_tag_tells_of_efi(void **state)
{
	static const uint32_t types[] = { 11, 12, 17, 18, 19, 20 };

	(void)state;
	for (uint32_t type = 4; type < 30; type++) {
		bool expected = false;

		for (uint32_t i = 0; i < COUNT(types); i++)
			expected |= types[i] == type;
		begin();
		add_tag(type, 16);
		end();
		assert_true(read_bytes(mbi, used));
		assert_int_equal(info.efi, expected);
	}
}

static void text_is_cut_to_fit_and_terminated(void **state)
{
	uint32_t at;

	(void)state;
	begin();
	at = add_tag(1, 8 + 5000);
	memset(mbi + at, 'x', 5000);
	at = add_tag(2, 8 + 5); /* not terminated, and the padding must not be read */
	memcpy(mbi + at, "GRUB2zzz", 8);
	add_meminfo(640, 1024);
	end();
	read(2);
	assert_int_equal(strlen(info.cmdline), CMDLINE_MAX - 1);
	assert_true(info.cmdline_cut);
	assert_string_equal(info.loader, "GRUB2");
	begin();
	add_tag(1, 8);
	add_meminfo(640, 1024);
	end();
	read(1);
	assert_string_equal(info.cmdline, "");
}

static void modules_are_kept(void **state)
{
	(void)state;
	begin();
	add_meminfo(640, 1024);
	add_module(0x300000, 0x300000); /* empty */
	add_module(0x300000, 0x2fffff); /* ends before it starts */
	add_module(0xfffff000, 0xffffffff);
	add_module(0x400000, 0x500000);
	add_module(0x500000, 0x600000);
	add_tag(3, 12);
	end();
	read(2);
	assert_int_equal(info.keep_count, 3);
	assert_int_equal(info.keep[1].start, 0x400000);
	assert_int_equal(info.keep[1].end, 0x600000);
	assert_int_equal(info.keep[2].end, 0xffffffff);

	begin();
	add_meminfo(640, 1024);
	for (uint32_t i = 0; i < 60; i++)
		add_module(0x200000 + 0x2000 * i, 0x201000 + 0x2000 * i);
	end();
	read(0);
	assert_int_equal(info.keep_count, 61);
}

static void more_modules_than_can_be_kept_are_noted(void **state)
{
	const struct range_list kept = { info.keep, KEEP_MAX, KEEP_MAX };

	(void)state;
	begin();
	add_meminfo(640, 1024);
	for (uint32_t i = 0; i < KEEP_MAX + 5; i++) {
		tags = 0;
		add_module(0x200000 + 0x2000 * i, 0x201000 + 0x2000 * i);
	}
	end();
	read(6); /* one place is the boot information's */
	assert_int_equal(info.keep_count, KEEP_MAX);
	assert_int_equal(info.keep[0].start, MBI_AT);
	for (uint32_t i = 0; i < KEEP_MAX + 5; i++) /* what there was no place for, too */
		assert_int_equal(range_list_overlap(&kept, 0x200000 + 0x2000 * i,
						    0x201000 + 0x2000 * i), 0x1000);
}

static void the_framebuffer_is_kept(void **state)
{
	uint32_t at;

	(void)state;
	begin();
	add_meminfo(640, 1024);
	at = add_tag(8, 32);
	put_u64(at, 5ull << 30);
	put_u32(at + 8, 4096); /* bytes per line */
	put_u32(at + 12, 1000);
	put_u32(at + 16, 768);
	end();
	read(0);
	assert_int_equal(info.keep_count, 2);
	assert_true(info.keep[1].start == 5ull << 30);
	assert_true(info.keep[1].end == (5ull << 30) + 4096 * 768);
}

/* What does not fit into a number holds, unless it is usable. */
static void a_page_count_that_overflows(void **state)
{
	uint32_t at;

	(void)state;
	begin();
	at = add_map(17, 1, 48, 3);
	end();
	put_u64(at + 48 + 24, 1ull << 52);
	put_u64(at + 2 * 48 + 24, 1ull << 52);
	put_u32(at + 2 * 48, 0); /* reserved */
	read(2);
	assert_int_equal(info.memory_count, 2);
	assert_int_equal(info.memory[1].type, MEMORY_RESERVED);
	assert_true(info.memory[1].start + info.memory[1].length == UINT64_MAX);
}

static void more_entries_than_fit_are_noted(void **state)
{
	(void)state;
	begin();
	add_map(6, 0, 24, BOOT_MEMORY_MAX);
	end();
	read(0);
	assert_int_equal(info.memory_count, BOOT_MEMORY_MAX);
	begin();
	add_map(17, 1, 48, BOOT_MEMORY_MAX + 10);
	end();
	read(1);
	assert_int_equal(notes.entries[0].value, 10);
	assert_int_equal(info.memory_count, BOOT_MEMORY_MAX);
	assert_int_equal(info.map_source, MAP_EFI);
}

static void the_first_of_two_equal_tags_counts(void **state)
{
	(void)state;
	begin();
	add_text(1, "first");
	add_text(1, "second");
	add_map(6, 0, 24, 2);
	add_map(6, 0, 24, 3);
	end();
	read(2);
	assert_string_equal(info.cmdline, "first");
	assert_int_equal(info.memory_count, 2);
}

static void the_end_tag_ends(void **state)
{
	(void)state;
	begin();
	add_map(6, 0, 24, 2);
	add_tag(0, 8);
	add_text(1, "behind the end");
	put_u32(0, used);
	read(0);
	assert_string_equal(info.cmdline, "");

	begin();
	add_map(6, 0, 24, 2);
	put_u32(0, used);
	read(1); /* no end tag */
	assert_int_equal(info.memory_count, 2);
}

static void an_absurd_total_size_is_survived(void **state)
{
	static const uint32_t sizes[] = { 0, 1, 7, 8, 9, 15, 16 << 20, UINT32_MAX };

	(void)state;
	add_everything();
	for (uint32_t i = 0; i < COUNT(sizes); i++) {
		put_u32(0, sizes[i]);
		assert_true(read_bytes(mbi, used));
		assert_true(notes.count > 0);
		assert_int_equal(info.memory_count, 0);
	}
	assert_false(read_bytes(mbi, 7));
	assert_int_equal(notes.count, 1);
	assert_int_equal(info.protocol, BOOT_NONE);
}

/* Where 16 MiB can be read, the tags of boot information that claims 4 GiB are still found. */
static void an_absurd_total_size_is_capped(void **state)
{
	uint8_t *large = calloc(1, 16 << 20);

	(void)state;
	add_everything();
	memcpy(large, mbi, used);
	memset(large, 0xff, 4);
	assert_true(read_bytes(large, 16 << 20));
	assert_int_equal(notes.count, 1);
	assert_int_equal(info.memory_count, 5);
	assert_int_equal(info.keep[0].end, 0x4200000); /* swallowed the module's range */
	free(large);
}

static void an_address_at_the_top_does_not_wrap(void **state)
{
	struct fake_phys phys = { 0 };
	const struct phys_reader reader = { fake_phys_map, &phys };

	(void)state;
	add_everything();
	fake_phys_put(&phys, UINT64_MAX - 7, mbi, 8);
	memset(&notes, 0, sizeof(notes));
	assert_true(boot_info_from_multiboot2(&info, &reader, UINT64_MAX - 7, &notes));
	check_sane();
	assert_int_equal(info.keep_count, 0);
	fake_phys_free(&phys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_found),
		cmocka_unit_test(both_rsdps_are_taken),
		cmocka_unit_test(a_short_rsdp_is_not_read_past),
		cmocka_unit_test(the_entry_size_is_the_tags),
		cmocka_unit_test(small_entries_fall_to_the_next_source),
		cmocka_unit_test(an_empty_map_falls_to_the_next_source),
		cmocka_unit_test(the_efi_map_comes_first),
		cmocka_unit_test(an_efi_map_of_running_boot_services_is_not_used),
		cmocka_unit_test(each_efi_tag_tells_of_efi),
		cmocka_unit_test(text_is_cut_to_fit_and_terminated),
		cmocka_unit_test(modules_are_kept),
		cmocka_unit_test(more_modules_than_can_be_kept_are_noted),
		cmocka_unit_test(the_framebuffer_is_kept),
		cmocka_unit_test(a_page_count_that_overflows),
		cmocka_unit_test(more_entries_than_fit_are_noted),
		cmocka_unit_test(the_first_of_two_equal_tags_counts),
		cmocka_unit_test(the_end_tag_ends),
		cmocka_unit_test(an_absurd_total_size_is_survived),
		cmocka_unit_test(an_absurd_total_size_is_capped),
		cmocka_unit_test(an_address_at_the_top_does_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
