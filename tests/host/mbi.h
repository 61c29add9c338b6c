/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Multiboot2 boot information, put together tag by tag and read from memory that ends with it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "boot/boot_info.h"
#include "boot/multiboot2.h"
#include "tests/host/fake_phys.h"

#define MBI_AT 0x9d000ull

static struct boot_info info;
static struct anomaly_log notes;

/* Boot information as it is put together, tag by tag. */
static uint8_t mbi[200 << 10];
static uint32_t used;
static uint32_t tag_at[64], tags;

static inline void put_u32(uint32_t at, uint32_t value)
{
	memcpy(mbi + at, &value, sizeof(value));
}

static inline void put_u64(uint32_t at, uint64_t value)
{
	memcpy(mbi + at, &value, sizeof(value));
}

static inline void begin(void)
{
	memset(mbi, 0, sizeof(mbi));
	used = 8;
	tags = 0;
}

/* Appends a tag of `size` bytes in all and returns the offset of its body. */
static inline uint32_t add_tag(uint32_t type, uint32_t size)
{
	uint32_t at = used;

	put_u32(at, type);
	put_u32(at + 4, size);
	used += (size + 7) & ~7u;
	assert_true(used < sizeof(mbi));
	tag_at[tags++] = at;
	return at + 8;
}

static inline void add_text(uint32_t type, const char *text)
{
	uint32_t size = (uint32_t)strlen(text) + 1;
	uint32_t at = add_tag(type, 8 + size);

	memcpy(mbi + at, text, size);
}

static inline void add_module(uint32_t start, uint32_t end)
{
	uint32_t at = add_tag(3, 18);

	put_u32(at, start);
	put_u32(at + 4, end);
	mbi[at + 8] = 'm';
}

static inline void add_meminfo(uint32_t lower_kib, uint32_t upper_kib)
{
	uint32_t at = add_tag(4, 16);

	put_u32(at, lower_kib);
	put_u32(at + 4, upper_kib);
}

/* A map of `count` entries without overlap, 1 MiB each; returns the offset of the first. */
static inline uint32_t add_map(uint32_t type, uint32_t version, uint32_t entry_size, uint32_t count)
{
	uint32_t at = add_tag(type, 16 + entry_size * count);
	uint32_t known = type == 17 ? 40 : 24;

	put_u32(at, entry_size);
	put_u32(at + 4, version);
	for (uint32_t i = 0; i < count && entry_size >= 24; i++) {
		uint32_t entry = at + 8 + i * entry_size;
		uint64_t start = (uint64_t)i << 20;

		put_u64(entry + (type == 17 ? 8 : 0), start);
		put_u64(entry + (type == 17 ? 24 : 8), type == 17 ? 256 : 1 << 20);
		put_u32(entry + (type == 17 ? 0 : 16), type == 17 ? 7 : 1);
		memset(mbi + entry + known, 0xa5, entry_size - known);
	}
	return at + 8;
}

static inline void add_rsdp(uint32_t type, uint32_t bytes, uint8_t mark)
{
	uint32_t at = add_tag(type, 8 + bytes);

	memset(mbi + at, mark, bytes);
	memcpy(mbi + at, "RSD PTR ", 8);
}

static inline void end(void)
{
	add_tag(0, 8);
	put_u32(0, used);
}

/* Only what must hold whatever the bytes were. */
static inline void check_sane(void)
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

static inline bool read_bytes(const uint8_t *bytes, uint32_t length)
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

static inline void read(uint32_t expected_notes)
{
	assert_true(read_bytes(mbi, used));
	assert_int_equal(info.protocol, BOOT_MULTIBOOT2);
	assert_int_equal(notes.count, expected_notes);
}

/* What GRUB hands over on a BIOS machine, and the tags nobody here asked for. */
static inline void add_everything(void)
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
