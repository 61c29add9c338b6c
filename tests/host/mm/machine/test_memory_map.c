/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/page_units.h"
#include "mm/machine/memory_map.h"
#include "tests/host/random.h"
#include "tests/host/real_data.h"
#include "tools/inspect/alloc.c"
#include "tools/inspect/e820_text.c"
#include "tools/inspect/e820_words.c"

#define KIB 1024ull
#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

static struct memory_map map, other;
static struct memory_map_scratch scratch;
static struct anomaly_log notes;
_Static_assert(BOOT_MEMORY_MAX >= 2048, "large machines have that many entries");
static struct boot_memory entries[BOOT_MEMORY_MAX + 1];
static uint64_t seed = 0x5deece66d1234567;

static bool build(struct memory_map *into, const struct boot_memory *from, uint32_t count)
{
	memset(&notes, 0, sizeof(notes));
	memset(into, 0xee, sizeof(*into));
	return memory_map_build(into, from, count, &scratch, &notes);
}

static void check_shape(const struct memory_map *built)
{
	uint64_t usable = 0, end = 0;

	for (uint32_t i = 0; i < built->count; i++) {
		const struct memory_range *range = &built->ranges[i];

		assert_true(range->start_pfn < range->end_pfn);
		assert_in_range(range->type, MEMORY_USABLE, MEMORY_TYPES - 1);
		if (i > 0) {
			assert_true(range[-1].end_pfn <= range->start_pfn);
			assert_false(range[-1].end_pfn == range->start_pfn &&
				     range[-1].type == range->type);
		}
		if (range->type == MEMORY_USABLE) {
			usable += range->end_pfn - range->start_pfn;
			end = range->end_pfn;
		}
	}
	assert_int_equal(built->usable_pages, usable);
	assert_int_equal(built->end_pfn, end);
}

static void check_equal(const struct memory_map *a, const struct memory_map *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->usable_pages, b->usable_pages);
	assert_int_equal(a->end_pfn, b->end_pfn);
	for (uint32_t i = 0; i < a->count; i++) {
		assert_int_equal(a->ranges[i].start_pfn, b->ranges[i].start_pfn);
		assert_int_equal(a->ranges[i].end_pfn, b->ranges[i].end_pfn);
		assert_int_equal(a->ranges[i].type, b->ranges[i].type);
	}
}

static void shuffle(struct boot_memory *list, uint32_t count)
{
	for (uint32_t i = count; i > 1; i--) {
		uint32_t j = (uint32_t)(random_next(&seed) % i);
		struct boot_memory spare = list[i - 1];

		list[i - 1] = list[j];
		list[j] = spare;
	}
}

/* What each frame must be, from the rules alone: the strictest type that takes it. */
static void model(uint8_t *types, uint64_t frames, const struct boot_memory *from, uint32_t count)
{
	memset(types, MEMORY_NONE, frames);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t start = from[i].start, end = start + from[i].length;

		if (start == end)
			continue;
		for (uint64_t f = start / PAGE_BYTES; f < frames && f * PAGE_BYTES < end; f++) {
			bool whole = start <= f * PAGE_BYTES && (f + 1) * PAGE_BYTES <= end;

			if ((whole || from[i].type != MEMORY_USABLE) && from[i].type > types[f])
				types[f] = (uint8_t)from[i].type;
		}
	}
}

static void check_model(const struct boot_memory *from, uint32_t count, uint64_t frames)
{
	uint8_t *types = malloc(frames);
	uint64_t usable = 0;

	model(types, frames, from, count);
	for (uint64_t f = 0; f < frames; f++)
		usable += types[f] == MEMORY_USABLE;
	assert_int_equal(build(&map, from, count), usable > 0);
	check_shape(&map);
	for (uint64_t f = 0; f < frames; f++)
		assert_int_equal(memory_map_type(&map, f), types[f]);
	assert_int_equal(map.usable_pages, usable);
	free(types);
}

static void random_entries(uint32_t count, uint64_t frames, uint64_t longest)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t start = random_next(&seed) % (frames * PAGE_BYTES);
		uint64_t length = random_next(&seed) % (longest * PAGE_BYTES);

		/* Half of the borders on frames, as in real maps; a few entries empty. */
		if (random_next(&seed) % 2)
			start &= ~(PAGE_BYTES - 1);
		if (random_next(&seed) % 2)
			length &= ~(PAGE_BYTES - 1);
		if (length > frames * PAGE_BYTES - start)
			length = frames * PAGE_BYTES - start;
		entries[i] = (struct boot_memory){ start, length,
						   1 + random_next(&seed) % (MEMORY_TYPES - 1) };
		if (random_next(&seed) % 2)
			entries[i].type = MEMORY_USABLE;
	}
}

static void agrees_with_a_model_of_every_frame(void **state)
{
	(void)state;
	for (uint32_t run = 0; run < 3000; run++) {
		uint32_t count = (uint32_t)(random_next(&seed) % 12);

		random_entries(count, 40, 1 + random_next(&seed) % 20);
		check_model(entries, count, 40);
		shuffle(entries, count);
		build(&other, entries, count);
		check_equal(&map, &other);
	}
}

/* As many entries as there can be, dozens of them at each place, and then back to back. */
static void holds_the_most_entries(void **state)
{
	(void)state;
	random_entries(BOOT_MEMORY_MAX, 30000, 400);
	check_model(entries, BOOT_MEMORY_MAX, 30000);
	shuffle(entries, BOOT_MEMORY_MAX);
	assert_true(build(&other, entries, BOOT_MEMORY_MAX));
	check_equal(&map, &other);

	for (uint32_t i = 0; i < BOOT_MEMORY_MAX; i++)
		entries[i] = (struct boot_memory){ 2 * i * PAGE_BYTES, PAGE_BYTES,
						   i % 2 ? MEMORY_RESERVED : MEMORY_USABLE };
	shuffle(entries, BOOT_MEMORY_MAX);
	assert_true(build(&map, entries, BOOT_MEMORY_MAX));
	assert_int_equal(map.count, BOOT_MEMORY_MAX);
	assert_int_equal(map.usable_pages, BOOT_MEMORY_MAX / 2);
}

/* Nested like an onion: every entry opens before any closes, the most ranges there can be. */
static void survives_the_deepest_overlap(void **state)
{
	const uint64_t middle = BOOT_MEMORY_MAX * PAGE_BYTES;

	(void)state;
	for (uint64_t i = 0; i < BOOT_MEMORY_MAX; i++)
		entries[i] = (struct boot_memory){ middle - (i + 1) * PAGE_BYTES,
						   2 * (i + 1) * PAGE_BYTES, MEMORY_USABLE };
	assert_true(build(&map, entries, BOOT_MEMORY_MAX));
	assert_int_equal(map.count, 1);
	assert_int_equal(map.usable_pages, 2 * BOOT_MEMORY_MAX);
	check_model(entries, BOOT_MEMORY_MAX, 2 * BOOT_MEMORY_MAX);
}

static void more_entries_than_fit_are_left_out(void **state)
{
	(void)state;
	for (uint32_t i = 0; i <= BOOT_MEMORY_MAX; i++)
		entries[i] = (struct boot_memory){ i * PAGE_BYTES, PAGE_BYTES, MEMORY_USABLE };
	assert_true(build(&map, entries, BOOT_MEMORY_MAX + 1));
	assert_int_equal(map.usable_pages, BOOT_MEMORY_MAX);
	assert_int_equal(notes.count, 1);
}

/*
 *     frames      |   0   |   1   |   2   |   3   |
 *     usable        [-------------------------)
 *     becomes             [---1---)[--2---)
 */
static void usable_shrinks_and_the_rest_grows(void **state)
{
	const struct boot_memory usable = { KIB, 13 * KIB, MEMORY_USABLE };
	const struct boot_memory bad = { 4 * KIB + 4095, 2, MEMORY_BAD };
	const struct boot_memory less_than_a_frame = { KIB, 6 * KIB, MEMORY_USABLE };

	(void)state;
	assert_true(build(&map, &usable, 1));
	assert_int_equal(map.count, 1);
	assert_int_equal(map.ranges[0].start_pfn, 1);
	assert_int_equal(map.ranges[0].end_pfn, 3);
	assert_false(build(&map, &bad, 1));
	assert_int_equal(map.ranges[0].start_pfn, 1);
	assert_int_equal(map.ranges[0].end_pfn, 3);
	assert_false(build(&map, &less_than_a_frame, 1));
	assert_int_equal(map.count, 0);
	assert_int_equal(notes.count, 0);
}

/* HP DL165 G7: conventional memory ends at 0x9e3ff, in the middle of a frame. */
static void a_frame_shared_with_reserved_memory_is_reserved(void **state)
{
	static const struct boot_memory low[] = { { 0, 0x9e400, MEMORY_USABLE },
						  { 0x9e400, 0x1c00, MEMORY_RESERVED } };

	(void)state;
	assert_true(build(&map, low, COUNT(low)));
	assert_int_equal(map.usable_pages, 0x9e);
	assert_int_equal(memory_map_type(&map, 0x9d), MEMORY_USABLE);
	assert_int_equal(memory_map_type(&map, 0x9e), MEMORY_RESERVED);
	assert_int_equal(memory_map_type(&map, 0xa0), MEMORY_NONE);
}

static void the_strictest_type_wins_in_either_order(void **state)
{
	(void)state;
	for (uint32_t a = MEMORY_USABLE; a < MEMORY_TYPES; a++) {
		for (uint32_t b = MEMORY_USABLE; b < MEMORY_TYPES; b++) {
			const struct boot_memory pair[] = {
				{ 0, 3 * PAGE_BYTES, a },
				{ PAGE_BYTES, PAGE_BYTES, b },
			};

			build(&map, pair, COUNT(pair));
			assert_int_equal(memory_map_type(&map, 0), a);
			assert_int_equal(memory_map_type(&map, 1), a > b ? a : b);
			assert_int_equal(memory_map_type(&map, 2), a);
		}
	}
}

/* Two reports of one reservation: it ends where the longer one ends, not the first one. */
static void the_same_type_twice_is_counted(void **state)
{
	static const struct boot_memory twice[] = {
		{ 0, 10 * PAGE_BYTES, MEMORY_USABLE },
		{ 2 * PAGE_BYTES, 6 * PAGE_BYTES, MEMORY_RESERVED },
		{ 2 * PAGE_BYTES, 2 * PAGE_BYTES, MEMORY_RESERVED },
	};

	(void)state;
	assert_true(build(&map, twice, COUNT(twice)));
	assert_int_equal(map.count, 3);
	assert_int_equal(memory_map_type(&map, 7), MEMORY_RESERVED);
	assert_int_equal(map.usable_pages, 4);
}

static void nonsense_is_dropped_and_noted(void **state)
{
	static const struct boot_memory nonsense[] = {
		{ 0x1000, 0, MEMORY_RESERVED },                   /* empty */
		{ 0x5000, UINT64_MAX - 0x2000, MEMORY_USABLE },   /* wraps to 0x2fff */
		{ UINT64_MAX, 2, MEMORY_USABLE },                 /* wraps to 0 */
		{ 1ull << 52, 0x1000, MEMORY_USABLE },            /* beyond every address */
		{ 0, 0x10000, MEMORY_USABLE },
	};

	(void)state;
	assert_true(build(&map, nonsense, COUNT(nonsense)));
	assert_int_equal(map.count, 1);
	assert_int_equal(map.usable_pages, 16);
	assert_int_equal(notes.count, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(notes.entries[i].offset, i);
}

/* Nobody can say how far it was meant to reach. */
static void what_is_reserved_and_wraps_reaches_to_the_end(void **state)
{
	static const struct boot_memory wrapping[] = {
		{ 0, 0x10000, MEMORY_USABLE },
		{ 0x8000, UINT64_MAX - 0x2000, MEMORY_RESERVED },
	};

	(void)state;
	assert_true(build(&map, wrapping, COUNT(wrapping)));
	assert_int_equal(map.usable_pages, 8);
	assert_int_equal(memory_map_type(&map, 8), MEMORY_RESERVED);
	assert_int_equal(memory_map_type(&map, (1ull << 40) - 1), MEMORY_RESERVED);
}

static void what_passes_the_last_address_is_cut(void **state)
{
	static const struct boot_memory high[] = {
		{ 0x1000, UINT64_MAX - 0xfff, MEMORY_RESERVED }, /* ends at 2^64, does not wrap */
		{ 0, 0x1000, MEMORY_USABLE },
	};

	(void)state;
	assert_true(build(&map, high, COUNT(high)));
	assert_int_equal(map.count, 2);
	assert_int_equal(map.ranges[1].end_pfn, 1ull << 40);
	assert_int_equal(map.usable_pages, 1);
	assert_int_equal(notes.count, 1);
}

static void a_map_without_memory_is_none(void **state)
{
	static const struct boot_memory reserved = { 0, 0x10000, MEMORY_RESERVED };

	(void)state;
	assert_false(build(&map, NULL, 0));
	assert_int_equal(map.count, 0);
	assert_int_equal(memory_map_type(&map, 0), MEMORY_NONE);
	assert_false(build(&map, &reserved, 1));
	assert_int_equal(map.count, 1);
	assert_int_equal(map.end_pfn, 0);
}

/* The DIMM gap of a server with persistent memory: 32 MiB that nobody describes stay a gap. */
static void a_gap_stays_a_gap(void **state)
{
	static const struct boot_memory gap[] = {
		{ 0x100000000, 0x5f40000000, MEMORY_USABLE },
		{ 0x6060000000, 0xbd00000000, MEMORY_PERSISTENT },
	};

	(void)state;
	assert_true(build(&map, gap, COUNT(gap)));
	assert_int_equal(map.count, 2);
	assert_int_equal(memory_map_type(&map, 0x603ffff), MEMORY_USABLE);
	assert_int_equal(memory_map_type(&map, 0x6040000), MEMORY_NONE);
	assert_int_equal(memory_map_type(&map, 0x605ffff), MEMORY_NONE);
	assert_int_equal(memory_map_type(&map, 0x6060000), MEMORY_PERSISTENT);
	assert_int_equal(map.end_pfn, 0x6040000);
}

static void what_is_out_of_reach_is_cut(void **state)
{
	static const struct boot_memory entries_above[] = {
		{ 0x1000, 0x2000, MEMORY_USABLE },
		{ 0x5000, 0x1000, MEMORY_RESERVED },
		{ 0x8000, 0x4000, MEMORY_USABLE },
		{ 0xf000, 0x1000, MEMORY_RESERVED },
	};
	static const struct { uint64_t limit, pages, end_pfn; uint32_t count; } cuts[] = {
		{ 16, 6, 12, 4 }, { 15, 6, 12, 3 }, { 10, 4, 10, 3 },
		{ 8, 2, 3, 2 },   { 1, 0, 0, 0 },
	};

	(void)state;
	for (uint32_t i = 0; i < COUNT(cuts); i++) {
		assert_true(build(&map, entries_above, COUNT(entries_above)));
		memory_map_cut(&map, cuts[i].limit);
		assert_int_equal(map.usable_pages, cuts[i].pages);
		assert_int_equal(map.end_pfn, cuts[i].end_pfn);
		assert_int_equal(map.count, cuts[i].count);
	}
}

/* Frames as Linux counted them on these machines where it is known ("totalpages", and frame 0,
 * which it leaves out), else the sum of the usable lines; and the frame above the last one. */
static const struct {
	const char *machine;
	uint64_t usable_pages, end_pfn;
} REAL[] = {
	{ "server-supermicro-h8qg6-8node", 4193788 + 7 * 4194304 + 1, 0x2028000 },
	{ "desktop-dell-t5810-two-srat", 8368688 + 1, 0x820000 },
	{ "server-amd-volcano-genoa", 100609931 + 100650688 + 1, 0xc04cec0 },
	{ "server-hp-16socket-12tb", 3221195661, 0xc2000000 },
	{ "server-hp-dl165g7-4node", 3669310, 0x3c0000 },
	{ "server-intel-archercity-cxl", 33496368, 0x2080000 },
	{ "e820-s3420gpv-mixed-acpi", 1021796, 0x15c000 },
	{ "e820-dell-r815-uefi-page0-missing", 67100500, 0x401f000 },
	{ "e820-amd-server-node-tail-holes", 99903872, 0x604fdc0 },
	{ "old-x86-srat-only-above-4g", 2097056, 0x280000 },
};

static uint32_t load(const char *machine)
{
	char path[1024], error[100];
	uint32_t count = 0;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s/e820.txt", real_data_folder(), machine);
	in = fopen(path, "r");
	if (!in)
		fail_msg("%s cannot be opened", path);
	if (!e820_text_parse(in, entries, BOOT_MEMORY_MAX, &count, error, sizeof(error)))
		fail_msg("%s: %s", path, error);
	fclose(in);
	return count;
}

static void real_maps_do_not_depend_on_their_order(void **state)
{
	(void)state;
	if (real_data_missing())
		skip();
	for (uint32_t i = 0; i < COUNT(REAL); i++) {
		uint32_t count = load(REAL[i].machine);

		assert_true(build(&map, entries, count));
		check_shape(&map);
		assert_int_equal(notes.count, 0);
		assert_int_equal(map.usable_pages, REAL[i].usable_pages);
		assert_int_equal(map.end_pfn, REAL[i].end_pfn);
		for (uint32_t run = 0; run < 20; run++) {
			shuffle(entries, count);
			assert_true(build(&other, entries, count));
			check_equal(&map, &other);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_a_model_of_every_frame),
		cmocka_unit_test(holds_the_most_entries),
		cmocka_unit_test(survives_the_deepest_overlap),
		cmocka_unit_test(more_entries_than_fit_are_left_out),
		cmocka_unit_test(usable_shrinks_and_the_rest_grows),
		cmocka_unit_test(a_frame_shared_with_reserved_memory_is_reserved),
		cmocka_unit_test(the_strictest_type_wins_in_either_order),
		cmocka_unit_test(the_same_type_twice_is_counted),
		cmocka_unit_test(what_is_reserved_and_wraps_reaches_to_the_end),
		cmocka_unit_test(nonsense_is_dropped_and_noted),
		cmocka_unit_test(what_passes_the_last_address_is_cut),
		cmocka_unit_test(a_map_without_memory_is_none),
		cmocka_unit_test(a_gap_stays_a_gap),
		cmocka_unit_test(what_is_out_of_reach_is_cut),
		cmocka_unit_test(real_maps_do_not_depend_on_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
