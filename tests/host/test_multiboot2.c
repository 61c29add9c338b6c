#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/boot_info.h"
#include "tests/host/fake_phys.h"
#include "tests/host/random.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))
#define MBI_AT 0x9d000ull

static struct boot_info info;
static struct anomaly_log notes;
static uint64_t seed = 0x1234567890abcdef;

/* Boot information as it is put together, tag by tag. */
static uint8_t mbi[200 << 10];
static uint32_t used;
static uint32_t tag_at[64], tags;

static void put_u32(uint32_t at, uint32_t value)
{
	memcpy(mbi + at, &value, sizeof(value));
}

static void put_u64(uint32_t at, uint64_t value)
{
	memcpy(mbi + at, &value, sizeof(value));
}

static void begin(void)
{
	memset(mbi, 0, sizeof(mbi));
	used = 8;
	tags = 0;
}

/* Appends a tag of `size` bytes in all and returns the offset of its body. */
static uint32_t add_tag(uint32_t type, uint32_t size)
{
	uint32_t at = used;

	put_u32(at, type);
	put_u32(at + 4, size);
	used += (size + 7) & ~7u;
	assert_true(used < sizeof(mbi));
	tag_at[tags++] = at;
	return at + 8;
}

static void add_text(uint32_t type, const char *text)
{
	uint32_t size = (uint32_t)strlen(text) + 1;
	uint32_t at = add_tag(type, 8 + size);

	memcpy(mbi + at, text, size);
}

static void add_module(uint32_t start, uint32_t end)
{
	uint32_t at = add_tag(3, 18);

	put_u32(at, start);
	put_u32(at + 4, end);
	mbi[at + 8] = 'm';
}

static void add_meminfo(uint32_t lower_kib, uint32_t upper_kib)
{
	uint32_t at = add_tag(4, 16);

	put_u32(at, lower_kib);
	put_u32(at + 4, upper_kib);
}

/* A map of `count` entries without overlap, 1 MiB each; returns the offset of the first. */
static uint32_t add_map(uint32_t type, uint32_t version, uint32_t entry_size, uint32_t count)
{
	uint32_t at = add_tag(type, 16 + entry_size * count);

	put_u32(at, entry_size);
	put_u32(at + 4, version);
	for (uint32_t i = 0; i < count && entry_size >= 24; i++) {
		uint32_t entry = at + 8 + i * entry_size;
		uint64_t start = (uint64_t)i << 20;

		put_u64(entry + (type == 17 ? 8 : 0), start);
		put_u64(entry + (type == 17 ? 24 : 8), type == 17 ? 256 : 1 << 20);
		put_u32(entry + (type == 17 ? 0 : 16), type == 17 ? 7 : 1);
		memset(mbi + entry + (type == 17 ? 40 : 24), 0xa5, entry_size - (type == 17 ? 40 : 24));
	}
	return at + 8;
}

static void add_rsdp(uint32_t type, uint32_t bytes, uint8_t mark)
{
	uint32_t at = add_tag(type, 8 + bytes);

	memset(mbi + at, mark, bytes);
	memcpy(mbi + at, "RSD PTR ", 8);
}

static void end(void)
{
	add_tag(0, 8);
	put_u32(0, used);
}

/* Only what must hold whatever the bytes were. */
static void check_sane(void)
{
	assert_true(info.memory_count <= BOOT_MEMORY_MAX);
	assert_true(info.keep_count <= KEEP_MAX);
	assert_true(info.rsdp_length == 0 || info.rsdp_length == 20 || info.rsdp_length == 36);
	assert_true(memchr(info.cmdline, 0, sizeof(info.cmdline)) != NULL);
	assert_true(memchr(info.loader, 0, sizeof(info.loader)) != NULL);
	assert_int_equal(info.map_source == MAP_NONE, info.memory_count == 0);
	for (uint32_t i = 0; i < info.memory_count; i++)
		assert_in_range(info.memory[i].type, MEMORY_USABLE, MEMORY_TYPES - 1);
	for (uint32_t i = 0; i < info.keep_count; i++) {
		assert_true(info.keep[i].start < info.keep[i].end);
		assert_true(i == 0 || info.keep[i - 1].end < info.keep[i].start);
	}
}

static bool read_bytes(const uint8_t *bytes, uint32_t length)
{
	struct fake_phys phys = { 0 };
	const struct phys_reader reader = { fake_phys_map, &phys };
	bool ok;

	fake_phys_put(&phys, MBI_AT, bytes, length);
	memset(&notes, 0, sizeof(notes));
	memset(&info, 0xee, sizeof(info));
	ok = boot_info_from_multiboot2(&info, &reader, MBI_AT, &notes);
	fake_phys_free(&phys);
	check_sane();
	return ok;
}

static void read(uint32_t expected_notes)
{
	assert_true(read_bytes(mbi, used));
	assert_int_equal(info.protocol, BOOT_MULTIBOOT2);
	assert_int_equal(notes.count, expected_notes);
}

/* What GRUB hands over on a BIOS machine, and the tags nobody here asked for. */
static void add_everything(void)
{
	begin();
	add_text(1, "run=init policy=padata");
	add_text(2, "GRUB 2.06-13");
	add_tag(10, 28);
	add_module(0x200000, 0x4200000);
	add_map(6, 0, 24, 5);
	add_tag(9, 20);
	add_meminfo(639, 3143552);
	add_tag(5, 20);
	add_tag(8, 31);
	add_rsdp(14, 20, 0x11);
	add_rsdp(15, 36, 0x22);
	add_tag(21, 12);
	add_tag(4711, 8);
	end();
}

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

/* Loaders differ in which of the two RSDP tags they give, and whose is right. */
static void the_better_rsdp_is_taken(void **state)
{
	(void)state;
	begin();
	add_rsdp(14, 20, 0x11);
	add_meminfo(640, 1024);
	end();
	read(0);
	assert_int_equal(info.rsdp_length, 20);
	assert_int_equal(info.rsdp[19], 0x11);

	begin();
	add_rsdp(15, 36, 0x22);
	add_rsdp(14, 20, 0x11);
	add_meminfo(640, 1024);
	end();
	read(0);
	assert_int_equal(info.rsdp_length, 36);
	mbi[tag_at[0] + 8] = 'r'; /* wrong signature in the newer one */
	read(1);
	assert_int_equal(info.rsdp_length, 20);
	assert_int_equal(info.rsdp[8], 0x11);
	mbi[tag_at[1] + 8] = 'r';
	read(2);
	assert_int_equal(info.rsdp_length, 0);
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
		assert_int_equal(info.rsdp_length, bytes < 20 ? 0 : 20);
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
	at = add_tag(1, 8 + 2000);
	memset(mbi + at, 'x', 2000);
	at = add_tag(2, 8 + 5); /* not terminated, and the padding must not be read */
	memcpy(mbi + at, "GRUB2zzz", 8);
	add_meminfo(640, 1024);
	end();
	read(2);
	assert_int_equal(strlen(info.cmdline), 1023);
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

static void every_truncation_is_survived(void **state)
{
	static uint8_t cut[4096];
	uint32_t whole;

	(void)state;
	add_everything();
	whole = used;
	assert_true(whole < sizeof(cut));
	for (uint32_t length = 0; length < whole; length++) {
		memcpy(cut, mbi, whole);
		assert_int_equal(read_bytes(cut, length), length >= 8); /* says more than it has */
		if (length >= 8) {
			memcpy(cut, &length, 4);
			assert_true(read_bytes(cut, length)); /* has what it says */
			assert_true(notes.count > 0);
		}
	}
}

static void every_tag_size_is_survived(void **state)
{
	(void)state;
	for (uint32_t size = 0; size <= 64; size++) {
		add_everything();
		for (uint32_t i = 0; i < tags; i++) {
			uint32_t right = mbi[tag_at[i] + 4];

			mbi[tag_at[i] + 4] = (uint8_t)size;
			assert_true(read_bytes(mbi, used));
			if (size < 8 && i < tags - 1)
				assert_true(notes.count > 0);
			mbi[tag_at[i] + 4] = (uint8_t)right;
		}
	}
}

static void random_damage_is_survived(void **state)
{
	(void)state;
	for (uint32_t run = 0; run < 10000; run++) {
		add_everything();
		for (uint64_t flips = 1 + random_next(&seed) % 8; flips > 0; flips--)
			mbi[random_next(&seed) % used] ^= (uint8_t)(1u << random_next(&seed) % 8);
		if (run % 2)
			put_u32(0, used);
		assert_true(read_bytes(mbi, used));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_found),
		cmocka_unit_test(the_better_rsdp_is_taken),
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
		cmocka_unit_test(more_entries_than_fit_are_noted),
		cmocka_unit_test(the_first_of_two_equal_tags_counts),
		cmocka_unit_test(the_end_tag_ends),
		cmocka_unit_test(an_absurd_total_size_is_survived),
		cmocka_unit_test(an_absurd_total_size_is_capped),
		cmocka_unit_test(an_address_at_the_top_does_not_wrap),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(every_tag_size_is_survived),
		cmocka_unit_test(random_damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
