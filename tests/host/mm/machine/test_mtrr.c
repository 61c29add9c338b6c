/* SPDX-License-Identifier: GPL-2.0-only */
/* Which RAM a CPU caches, by its memory type range registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/page_units.h"
#include "mm/machine/mtrr.h"
#include "tests/host/random.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

/* Registers as a CPU has them; what is not here is not readable. */
static struct {
	uint32_t msr;
	uint64_t value;
} registers[64];
static uint32_t register_count;

static bool read_register(uint32_t msr, uint64_t *value)
{
	for (uint32_t i = 0; i < register_count; i++) {
		if (registers[i].msr == msr) {
			*value = registers[i].value;
			return true;
		}
	}
	return false;
}

static void set(uint32_t msr, uint64_t value)
{
	registers[register_count].msr = msr;
	registers[register_count++].value = value;
}

static void set_range(uint32_t number, uint64_t start, uint64_t bytes, uint8_t type)
{
	set(0x200 + 2 * number, start | type);
	set(0x201 + 2 * number, (((1ull << 40) - 1) & ~(bytes - 1)) | 1 << 11);
}

static struct mtrr_state state;
static struct memory_map map;
static struct anomaly_log notes;

static int begin(void **unused)
{
	(void)unused;
	register_count = 0;
	memset(&map, 0, sizeof(map));
	memset(&notes, 0, sizeof(notes));
	return 0;
}

static void add(uint64_t start, uint64_t end, enum memory_type type)
{
	map.ranges[map.count++] =
		(struct memory_range){ start >> PAGE_SHIFT, end >> PAGE_SHIFT, type };
	if (type == MEMORY_USABLE)
		map.usable_pages += (end - start) >> PAGE_SHIFT;
}

static void cut(void)
{
	mtrr_read(&state, read_register, true, false);
	mtrr_cut_map(&state, &map, &notes);
}

static uint64_t bytes_of(enum memory_type type)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < map.count; i++) {
		assert_true(map.ranges[i].start_pfn < map.ranges[i].end_pfn);
		assert_true(i == 0 || map.ranges[i - 1].end_pfn <= map.ranges[i].start_pfn);
		if (map.ranges[i].type == type)
			pages += map.ranges[i].end_pfn - map.ranges[i].start_pfn;
	}
	return pages << PAGE_SHIFT;
}

/*	default write-back; a hole in the middle, one at the end   */
static void holes_are_left_out(void **unused)
{
	(void)unused;
	set(0xfe, 0x508);
	set(0x2ff, 0x806);
	set_range(0, 768 * MIB, 256 * MIB, MTRR_UNCACHED);
	set_range(5, 2 * GIB, 1 * GIB, MTRR_UNCACHED);
	add(MIB, 2 * GIB + MIB, MEMORY_USABLE);
	add(2 * GIB + MIB, 3 * GIB, MEMORY_RESERVED);
	cut();
	assert_int_equal(map.count, 5);
	assert_true(map.usable_pages == (2 * GIB - 257 * MIB) >> PAGE_SHIFT);
	assert_true(bytes_of(MEMORY_UNCACHED) == 257 * MIB);
	assert_true(bytes_of(MEMORY_RESERVED) == GIB - MIB);
	assert_true(map.end_pfn == 2 * GIB >> PAGE_SHIFT);
	assert_int_equal(notes.count, 2);
	assert_string_equal(notes.entries[0].table, "MTRR");
	assert_true(notes.entries[0].offset == 768 * MIB);
	assert_true(notes.entries[0].value == GIB);
	assert_true(notes.entries[1].offset == 2 * GIB);
	assert_true(mtrr_first_uncached(&state, &map) == UINT64_MAX);
}

/*	default uncached, ranges of write-back: 4 GiB and the second half of the fifth */
static void what_no_register_names_is_left_out(void **unused)
{
	(void)unused;
	set(0xfe, 0x508);
	set(0x2ff, 0x800);
	set_range(0, 0, 4 * GIB, MTRR_WRITE_BACK);
	set_range(1, 4 * GIB + GIB / 2, GIB / 2, MTRR_WRITE_BACK);
	set_range(2, 4 * GIB + GIB / 2, MIB, MTRR_WRITE_THROUGH); /* with write-back: through */
	add(0, 6 * GIB, MEMORY_USABLE);
	cut();
	assert_true(bytes_of(MEMORY_USABLE) == 4 * GIB + GIB / 2 - MIB);
	assert_int_equal(notes.count, 2);
	assert_true(notes.entries[0].offset == 4 * GIB);
	assert_true(notes.entries[0].value == 4 * GIB + GIB / 2 + MIB);
	assert_true(notes.entries[1].offset == 5 * GIB);
}

/* AMD's second top of memory needs no register. */
static void amd_above_4_gib(void **unused)
{
	(void)unused;
	set(0xfe, 0x508);
	set(0x2ff, 0x800);
	set_range(0, 0, 4 * GIB, MTRR_WRITE_BACK);
	set(0xc0010010, 3 << 21);
	set(0xc001001d, 9 * GIB);
	add(0, 10 * GIB, MEMORY_USABLE);
	mtrr_read(&state, read_register, true, true);
	mtrr_cut_map(&state, &map, &notes);
	assert_true(bytes_of(MEMORY_USABLE) == 9 * GIB);
	begin(NULL);
	set(0xfe, 0x508);
	set(0x2ff, 0x800);
	set_range(0, 0, 4 * GIB, MTRR_WRITE_BACK);
	set(0xc0010010, 1 << 21); /* a top, without a type */
	set(0xc001001d, 9 * GIB);
	add(0, 10 * GIB, MEMORY_USABLE);
	mtrr_read(&state, read_register, true, true);
	mtrr_cut_map(&state, &map, &notes);
	assert_true(bytes_of(MEMORY_USABLE) == 4 * GIB);
}

/*	types of the fixed registers, ascending: 8 x 64 KiB, 16 x 16 KiB, 64 x 4 KiB */
static void fixed_registers_go_first(void **unused)
{
	uint64_t end;

	(void)unused;
	set(0xfe, 0x508);
	set(0x2ff, 0xc06);
	set_range(0, 0, 4 * GIB, MTRR_UNCACHED);
	set(0x250, 0x0606060606060600);
	set(0x258, 0x0606060606060606);
	set(0x26f, 0x0500000000000000);
	mtrr_read(&state, read_register, true, false);
	assert_int_equal(mtrr_type_at(&state, 0, &end), MTRR_UNCACHED);
	assert_int_equal(end, 0x10000);
	assert_int_equal(mtrr_type_at(&state, 0x1ffff, &end), MTRR_WRITE_BACK);
	assert_int_equal(end, 0x20000);
	assert_int_equal(mtrr_type_at(&state, 0x80000, &end), MTRR_WRITE_BACK);
	assert_int_equal(end, 0x84000);
	assert_int_equal(mtrr_type_at(&state, 0xa0000, &end), MTRR_UNCACHED);
	assert_int_equal(mtrr_type_at(&state, 0xff001, &end), MTRR_WRITE_PROTECTED);
	assert_int_equal(end, 0x100000);
	assert_int_equal(mtrr_type_at(&state, 0x100000, &end), MTRR_UNCACHED);
	assert_true(end == 4 * GIB);
}

static void nothing_is_cut_without_them(void **unused)
{
	(void)unused;
	add(0, 6 * GIB, MEMORY_USABLE);
	cut(); /* none can be read */
	set(0xfe, 0x508);
	set(0x2ff, 0x400); /* off */
	cut();
	mtrr_read(&state, read_register, false, false);
	assert_false(state.enabled);
	assert_int_equal(notes.count, 0);
	register_count = 0;
	set(0xfe, 0x508);
	set(0x2ff, 0x800); /* on, and nothing set: a CPU without any memory */
	cut();
	assert_int_equal(notes.count, 1);
	assert_int_equal(map.count, 1);
	assert_true(bytes_of(MEMORY_USABLE) == 6 * GIB);
}

static void masks_with_gaps_and_short_ones(void **unused)
{
	(void)unused;
	set(0xfe, 0x508);
	set(0x2ff, 0x806);
	set(0x200, GIB);
	set(0x201, 0xffd0000000 | 1 << 11); /* a gap: passed over */
	set(0x202, 2 * GIB);
	set(0x203, 0xfff0000000 >> 4 << 4 | 1 << 11); /* 256 MiB of 40 bits, on a CPU with more */
	add(0, 3 * GIB, MEMORY_USABLE);
	add(1ull << 41, (1ull << 41) + 3 * GIB, MEMORY_USABLE);
	cut();
	assert_true(bytes_of(MEMORY_UNCACHED) == 256 * MIB);
}

static void alike(void **unused)
{
	struct mtrr_state other;

	(void)unused;
	set(0xfe, 0x508);
	set(0x2ff, 0xc06);
	set(0x250, 0x0606060606060606);
	set_range(3, GIB, GIB, MTRR_UNCACHED);
	mtrr_read(&state, read_register, true, false);
	mtrr_read(&other, read_register, true, false);
	assert_true(mtrr_alike(&state, &other));
	for (uint32_t i = 1; i < register_count; i++) {
		registers[i].value ^= 1ull << 30 | 1;
		mtrr_read(&other, read_register, true, false);
		assert_false(mtrr_alike(&state, &other));
		registers[i].value ^= 1ull << 30 | 1;
	}
	registers[register_count - 1].value ^= 1 << 11; /* out of use */
	mtrr_read(&other, read_register, true, false);
	assert_false(mtrr_alike(&state, &other));
}

/* Frame by frame as the manual has it, in a small world of 64 frames above 1 MiB. */
static enum mtrr_type naive_type(uint64_t address)
{
	bool seen[8] = { false };
	uint32_t kinds = 0, last = state.default_type;

	for (uint32_t i = 0; i < state.variable_count; i++) {
		const struct mtrr_variable *v = &state.variable[i];

		if ((v->mask & 1 << 11) && (address & v->mask & ~0xfffull) ==
						   (v->base & v->mask & ~0xfffull)) {
			last = v->base & 7;
			kinds += !seen[last];
			seen[last] = true;
		}
	}
	if (kinds <= 1)
		return (enum mtrr_type)last;
	if (kinds == 2 && seen[MTRR_WRITE_THROUGH] && seen[MTRR_WRITE_BACK])
		return MTRR_WRITE_THROUGH;
	return MTRR_UNCACHED;
}

static void any_registers(void **unused)
{
	static const uint8_t types[] = { 0, 1, 4, 5, 6, 6 };
	uint64_t seed = 20;

	(void)unused;
	for (uint32_t round = 0; round < 3000; round++) {
		uint64_t cut_pages = 0, end;

		begin(NULL);
		set(0xfe, 0x508);
		set(0x2ff, random_next(&seed) % 2 ? 0x806 : 0x800);
		for (uint32_t i = 0; i < 8; i++) {
			uint64_t bytes = PAGE_BYTES << random_next(&seed) % 7;

			if (random_next(&seed) % 2)
				set_range(i, MIB + random_next(&seed) % 64 * PAGE_BYTES / bytes *
							   bytes,
					  bytes, types[random_next(&seed) % 6]);
		}
		add(MIB, MIB + 64 * PAGE_BYTES, MEMORY_USABLE);
		mtrr_read(&state, read_register, true, false);
		for (uint64_t at = MIB; at < MIB + 64 * PAGE_BYTES; at += PAGE_BYTES) {
			enum mtrr_type type = naive_type(at);

			assert_int_equal(mtrr_type_at(&state, at, &end), type);
			assert_true(end > at);
			cut_pages += type != MTRR_WRITE_BACK;
			for (uint64_t to = at; to < MIB + 64 * PAGE_BYTES && to < end;
			     to += PAGE_BYTES)
				assert_int_equal(naive_type(to), type);
		}
		mtrr_cut_map(&state, &map, &notes);
		if (cut_pages < 64)
			assert_int_equal(map.usable_pages, 64 - cut_pages);
		else
			assert_int_equal(map.usable_pages, 64);
	}
}

#define TEST(function) cmocka_unit_test_setup(function, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(holes_are_left_out),
		TEST(what_no_register_names_is_left_out),
		TEST(amd_above_4_gib),
		TEST(fixed_registers_go_first),
		TEST(nothing_is_cut_without_them),
		TEST(masks_with_gaps_and_short_ones),
		TEST(alike),
		TEST(any_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
