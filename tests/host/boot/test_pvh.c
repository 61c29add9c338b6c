/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boot/boot_info.h"
#include "boot/pvh.h"
#include "tests/host/fake_phys.h"
#include "tests/host/random.h"

#define START_AT 0x6000ull
#define CMDLINE_AT 0x7000ull
#define MEMMAP_AT 0x8000ull
#define MODLIST_AT 0x9000ull

static struct boot_info info;
static struct anomaly_log notes;
static uint64_t seed = 0xfeedface12345678;

/* The pieces as a monitor lays them out; the tests damage them. */
static uint8_t start[56], memmap[3 * 24], modlist[2 * 32];
static uint32_t start_bytes, memmap_bytes, modlist_bytes;
static char cmdline[CMDLINE_MAX + 100];
static uint32_t cmdline_bytes;

static void put_u32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void put_u64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void set_entry(uint32_t i, uint64_t address, uint64_t size, uint32_t type)
{
	put_u64(memmap + i * 24, address);
	put_u64(memmap + i * 24 + 8, size);
	put_u32(memmap + i * 24 + 16, type);
	put_u32(memmap + i * 24 + 20, 0xa5a5a5a5);
}

static void begin(void)
{
	start_bytes = sizeof(start);
	memmap_bytes = sizeof(memmap);
	modlist_bytes = sizeof(modlist);
	memset(start, 0, sizeof(start));
	put_u32(start, 0x336ec578);
	put_u32(start + 4, 1);
	put_u32(start + 12, 2);
	put_u64(start + 16, MODLIST_AT);
	put_u64(start + 24, CMDLINE_AT);
	put_u64(start + 32, 0xf5b20);
	put_u64(start + 40, MEMMAP_AT);
	put_u32(start + 48, 3);
	set_entry(0, 0, 0x9fc00, 1);
	set_entry(1, 0x100000, 0x7fee0000, 1);
	set_entry(2, 0xfeffc000, 0x4000, 2);
	memset(modlist, 0, sizeof(modlist));
	put_u64(modlist, 0x10000000);
	put_u64(modlist + 8, 0x1234);
	put_u64(modlist + 32, 0x20000000);
	put_u64(modlist + 40, 0x2000);
	strcpy(cmdline, "repeat=3");
	cmdline_bytes = 9;
}

static void check_sane(void)
{
	assert_true(info.memory_count <= BOOT_MEMORY_MAX);
	assert_true(info.keep_count <= KEEP_MAX);
	assert_int_equal(info.rsdp_length, 0);
	assert_true(memchr(info.cmdline, 0, sizeof(info.cmdline)) != NULL);
	assert_int_equal(info.map_source == MAP_NONE, info.memory_count == 0);
	for (uint32_t i = 0; i < info.keep_count; i++) {
		assert_true(info.keep[i].start < info.keep[i].end);
		assert_true(i == 0 || info.keep[i - 1].end < info.keep[i].start);
	}
}

static bool read_all(void)
{
	struct fake_phys phys = { 0 };
	const struct phys_reader reader = { fake_phys_map, &phys };
	bool ok;

	fake_phys_put(&phys, START_AT, start, start_bytes);
	fake_phys_put(&phys, CMDLINE_AT, cmdline, cmdline_bytes);
	fake_phys_put(&phys, MEMMAP_AT, memmap, memmap_bytes);
	fake_phys_put(&phys, MODLIST_AT, modlist, modlist_bytes);
	memset(&notes, 0, sizeof(notes));
	memset(&info, 0xee, sizeof(info));
	ok = boot_info_from_pvh(&info, &reader, START_AT, &notes);
	fake_phys_free(&phys);
	check_sane();
	return ok;
}

static void read(uint32_t expected_notes)
{
	assert_true(read_all());
	assert_int_equal(info.protocol, BOOT_PVH);
	assert_int_equal(notes.count, expected_notes);
}

static bool is_kept(uint64_t from, uint64_t to)
{
	const struct range_list list = { info.keep, info.keep_count, KEEP_MAX };

	return range_list_overlap(&list, from - 1, to + 1) == to - from &&
	       range_list_overlap(&list, from, to) == to - from;
}

static void everything_is_found(void **state)
{
	(void)state;
	begin();
	read(0);
	assert_int_equal(info.map_source, MAP_PVH);
	assert_int_equal(info.memory_count, 3);
	assert_int_equal(info.memory[1].start, 0x100000);
	assert_int_equal(info.memory[1].length, 0x7fee0000);
	assert_int_equal(info.memory[1].type, MEMORY_USABLE);
	assert_int_equal(info.memory[2].type, MEMORY_RESERVED);
	assert_int_equal(info.rsdp_address, 0xf5b20);
	assert_string_equal(info.cmdline, "repeat=3");
	assert_string_equal(info.loader, "");
	assert_false(info.efi);
	assert_int_equal(info.keep_count, 6);
	assert_true(is_kept(START_AT, START_AT + 56));
	assert_true(is_kept(CMDLINE_AT, CMDLINE_AT + 9));
	assert_true(is_kept(MEMMAP_AT, MEMMAP_AT + 72));
	assert_true(is_kept(MODLIST_AT, MODLIST_AT + 64));
	assert_true(is_kept(0x10000000, 0x10001234));
	assert_true(is_kept(0x20000000, 0x20002000));
}

static void nothing_is_needed_but_the_header(void **state)
{
	(void)state;
	begin();
	memset(start + 8, 0, sizeof(start) - 8);
	read(1); /* no map */
	assert_int_equal(info.memory_count, 0);
	assert_int_equal(info.rsdp_address, 0);
	assert_int_equal(info.keep_count, 1);
}

/* Version 0 ends before the fields of the map: what lies behind it means nothing. */
static void version_0_has_no_map(void **state)
{
	(void)state;
	begin();
	put_u32(start + 4, 0);
	read(1);
	assert_int_equal(info.map_source, MAP_NONE);
	assert_int_equal(info.rsdp_address, 0xf5b20);
	assert_string_equal(info.cmdline, "repeat=3");
	assert_true(is_kept(START_AT, START_AT + 40));
	assert_true(is_kept(0x20000000, 0x20002000));
	start_bytes = 40;
	read(1);
	put_u32(start + 4, 1);
	read(1); /* says version 1, but ends */
	assert_int_equal(info.map_source, MAP_NONE);
	put_u32(start + 4, UINT32_MAX); /* later versions only add */
	start_bytes = 56;
	read(0);
	assert_int_equal(info.memory_count, 3);
}

static void a_wrong_magic_number_is_no_start_information(void **state)
{
	(void)state;
	begin();
	start[3] ^= 1;
	assert_false(read_all());
	assert_int_equal(notes.count, 1);
	assert_int_equal(info.protocol, BOOT_NONE);
}

static void absurd_counts_cost_only_what_is_not_there(void **state)
{
	(void)state;
	begin();
	put_u32(start + 48, UINT32_MAX);
	put_u32(start + 12, UINT32_MAX);
	read(4); /* each list is too long and leaves what can be read */
	assert_int_equal(info.memory_count, 3);
	assert_true(is_kept(0x20000000, 0x20002000));
	put_u64(start + 40, UINT64_MAX - 23);
	put_u64(start + 16, UINT64_MAX);
	read(5);
	assert_int_equal(info.memory_count, 0);
}

/* Lists and text that go on through all the memory that can be read end at their bounds. */
static const void *map_anything(void *context, uint64_t address, uint64_t length)
{
	static uint8_t page[64];

	(void)length;
	++*(uint64_t *)context;
	memset(page, 0, sizeof(page));
	if (address == START_AT)
		return start;
	put_u64(page, address << 8 | 'x');
	put_u64(page + 8, 0x100);
	page[16] = 1;
	return page;
}

static void absurd_counts_are_bounded(void **state)
{
	uint64_t calls = 0;
	const struct phys_reader reader = { map_anything, &calls };

	(void)state;
	begin();
	put_u32(start + 48, UINT32_MAX);
	put_u32(start + 12, UINT32_MAX);
	memset(&notes, 0, sizeof(notes));
	assert_true(boot_info_from_pvh(&info, &reader, START_AT, &notes));
	check_sane();
	assert_int_equal(info.memory_count, BOOT_MEMORY_MAX);
	assert_int_equal(info.keep_count, KEEP_MAX);
	assert_int_equal(strlen(info.cmdline), CMDLINE_MAX - 1);
	assert_true(info.cmdline_cut);
	assert_true(calls < BOOT_MAP_ENTRIES_MAX + 7000);
}

static void wrapping_addresses_are_noted(void **state)
{
	(void)state;
	begin();
	put_u64(modlist + 8, UINT64_MAX);
	read(1);
	assert_int_equal(info.keep_count, 5);
	assert_true(is_kept(0x20000000, 0x20002000));
}

/* What ends at the last address does not go on at the first one, though that can be read. */
static void nothing_wraps_to_address_0(void **state)
{
	static const uint8_t low[64] = { 'l', 'o', 'w' };
	struct fake_phys phys = { 0 };
	const struct phys_reader reader = { fake_phys_map, &phys };

	(void)state;
	begin();
	put_u64(start + 40, UINT64_MAX - 23);
	put_u64(start + 16, UINT64_MAX - 31);
	put_u64(start + 24, UINT64_MAX - 1);
	memset(modlist + 24, 't', 8);
	fake_phys_put(&phys, START_AT, start, sizeof(start));
	fake_phys_put(&phys, 0, low, sizeof(low));
	fake_phys_put(&phys, UINT64_MAX - 31, modlist, 32);
	memset(&notes, 0, sizeof(notes));
	assert_true(boot_info_from_pvh(&info, &reader, START_AT, &notes));
	check_sane();
	assert_int_equal(info.memory_count, 1);
	assert_string_equal(info.cmdline, "tt");
	assert_true(is_kept(0x10000000, 0x10001234));
	fake_phys_free(&phys);
}

static void text_is_read_to_its_end_only(void **state)
{
	(void)state;
	begin();
	cmdline_bytes = 6; /* not terminated: what follows cannot be read */
	read(1);
	assert_string_equal(info.cmdline, "repeat");
	assert_true(info.cmdline_cut);
	assert_true(is_kept(CMDLINE_AT, CMDLINE_AT + 6));
	memset(cmdline, 'x', sizeof(cmdline));
	cmdline_bytes = sizeof(cmdline);
	read(1); /* too long */
	assert_int_equal(strlen(info.cmdline), CMDLINE_MAX - 1);
	assert_true(info.cmdline_cut);
	cmdline[CMDLINE_MAX - 1] = 0;
	read(0);
	assert_false(info.cmdline_cut);
	assert_int_equal(strlen(info.cmdline), CMDLINE_MAX - 1);
	put_u64(start + 24, UINT64_MAX);
	read(1);
	assert_string_equal(info.cmdline, "");
}

static void every_truncation_is_survived(void **state)
{
	(void)state;
	begin();
	for (start_bytes = 0; start_bytes < 56; start_bytes++)
		assert_int_equal(read_all(), start_bytes >= 40);
	begin();
	for (memmap_bytes = 0; memmap_bytes < 72; memmap_bytes++) {
		assert_true(read_all());
		assert_int_equal(info.memory_count, memmap_bytes / 24);
	}
	begin();
	for (modlist_bytes = 0; modlist_bytes < 64; modlist_bytes++) {
		assert_true(read_all());
		assert_int_equal(is_kept(0x10000000, 0x10001234), modlist_bytes >= 32);
	}
	begin();
	for (cmdline_bytes = 0; cmdline_bytes < 9; cmdline_bytes++)
		read(1);
}

static void random_damage_is_survived(void **state)
{
	(void)state;
	for (uint32_t run = 0; run < 5000; run++) {
		begin();
		for (uint64_t flips = 1 + random_next(&seed) % 6; flips > 0; flips--) {
			uint8_t bit = (uint8_t)(1u << random_next(&seed) % 8);

			if (random_next(&seed) % 2)
				start[4 + random_next(&seed) % 52] ^= bit;
			else if (random_next(&seed) % 2)
				memmap[random_next(&seed) % sizeof(memmap)] ^= bit;
			else
				modlist[random_next(&seed) % sizeof(modlist)] ^= bit;
		}
		assert_true(read_all());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_found),
		cmocka_unit_test(nothing_is_needed_but_the_header),
		cmocka_unit_test(version_0_has_no_map),
		cmocka_unit_test(a_wrong_magic_number_is_no_start_information),
		cmocka_unit_test(absurd_counts_cost_only_what_is_not_there),
		cmocka_unit_test(absurd_counts_are_bounded),
		cmocka_unit_test(wrapping_addresses_are_noted),
		cmocka_unit_test(nothing_wraps_to_address_0),
		cmocka_unit_test(text_is_read_to_its_end_only),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(random_damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
