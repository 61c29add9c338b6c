/* SPDX-License-Identifier: GPL-2.0-only */
/* Page tables as the hardware would read them, and what lies behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mm/buddy/buddy_census.h"
#include "mm/unmap/address_space_fill.h"
#include "mm/unmap/address_space_mix.h"
#include "tests/host/space_fixture.h"

#define NOT_MAPPED UINT64_MAX

/* A walk of four levels, written from the manual [SDM 3A 4.5.4]; physical address of a byte that
 * user code may write to, or NOT_MAPPED. Reserved bits must be 0. */
static uint64_t hardware_walk(const struct space_fixture *s, uint64_t root, uint64_t address)
{
	uint64_t table = root;

	for (int shift = 39;; shift -= 9) {
		uint64_t entry, index = address >> shift & 0x1ff;

		memcpy(&entry, s->base + table + 8 * index, 8);
		if (!(entry & 1))
			return NOT_MAPPED;
		assert_int_equal(entry & 6, 6);
		assert_int_equal(entry >> 52 & 0x7ff, 0);
		table = entry & 0x000ffffffffff000;
		if (shift == 12 || (shift == 21 && entry & 1 << 7)) {
			assert_int_equal(table & ((1ull << shift) - 1), 0);
			assert_true(entry >> 63); /* data */
			return table + (address & ((1ull << shift) - 1));
		}
		assert_false(entry & 1 << 7);
	}
}

static uint32_t shift_of(enum mapping mapping)
{
	return mapping == MAPPING_2M ? 21 : 12;
}

static uint64_t frame_of(const struct space_fixture *s, uint64_t entry)
{
	uint32_t shift = shift_of(s->space.mapping);
	uint64_t address = (16ull << 40) + (entry << shift) + 123;
	uint64_t physical = hardware_walk(s, s->space.root_pfn << 12, address);

	assert_true(physical != NOT_MAPPED);
	assert_int_equal(physical % 4096, 123);
	return physical >> 12;
}

/* Every entry leads to pages of its own, allocated with the right order; nothing else is mapped. */
static void assert_mapping(struct space_fixture *s, enum mapping mapping, uint64_t entries)
{
	uint64_t end = (16ull << 40) + (entries << shift_of(mapping));
	uint64_t order = mapping == MAPPING_2M ? 9 : 0;
	bool *seen = calloc(FIXTURE_SECTIONS * SECTION_PAGES, 1);

	for (uint64_t i = 0; i < entries; i++) {
		uint64_t pfn = frame_of(s, i);
		const struct page *page = s->f.base + pfn;

		assert_false(seen[pfn]);
		seen[pfn] = true;
		assert_true(page->refcount == 1 && page->index == order && page->mapcount == -1);
	}
	free(seen);
	assert_true(hardware_walk(s, s->space.root_pfn << 12, end) == NOT_MAPPED);
	assert_true(hardware_walk(s, s->space.root_pfn << 12, (16ull << 40) - 1) == NOT_MAPPED);
}

static void every_entry_has_a_page(void **state)
{
	static const struct { enum mapping mapping; uint64_t entries; } cases[] = {
		{ MAPPING_4K, 1 },    { MAPPING_4K, 511 },   { MAPPING_4K, 512 },
		{ MAPPING_4K, 513 },  { MAPPING_4K, 5003 },  { MAPPING_4K, 60000 },
		{ MAPPING_2M, 1 },    { MAPPING_2M, 17 },    { MAPPING_2M, 100 },
	};
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (uint32_t fragment = 0; fragment <= 100; fragment += 50) {
			space_build(s, cases[i].mapping, cases[i].entries, fragment);
			assert_mapping(s, cases[i].mapping, cases[i].entries);
			space_discard(s);
			space_assert_free(s);
		}
	space_fixture_close(s);
}

/* Of 1000 entries so many lie right behind their neighbour, on the node that they should. */
static uint64_t in_sequence(struct space_fixture *s, uint32_t fragment)
{
	uint64_t count = 0, last = 0;

	space_build(s, MAPPING_4K, 40000, fragment);
	for (uint64_t i = 0; i < 40000; i++) {
		uint64_t pfn = frame_of(s, i);

		if (!fragment && (i < 19000 || i >= 21024))
			assert_int_equal(s->f.base[pfn].flags >> PAGE_NODE_SHIFT, i >= 20000);
		count += pfn == last + 1;
		last = pfn;
	}
	space_discard(s);
	space_assert_free(s);
	return count / 40;
}

static void fragmentation_as_asked(void **state)
{
	struct space_fixture *s = space_fixture_open();

	(void)state;
	assert_in_range(in_sequence(s, 0), 998, 1000);
	/* both of two neighbours have stayed */
	assert_in_range(in_sequence(s, 50), 240, 260);
	assert_in_range(in_sequence(s, 20), 620, 660);
	assert_in_range(in_sequence(s, 100), 0, 2);
	space_fixture_close(s);
}

/* Of small blocks there is nothing to be had in sequence. */
static void small_blocks_do(void **state)
{
	struct space_fixture *s = space_fixture_open();
	uint64_t kept[32], pfn, count = 0;

	(void)state;
	/* all is taken in blocks of 8, and every other of those given back */
	while (page_alloc(&s->allocator, 0, 0, 3) != BUDDY_NONE)
		count++;
	assert_int_equal(count, SECTION_PAGES / 8);
	for (pfn = 2 * SECTION_PAGES; pfn < 3 * SECTION_PAGES; pfn += 8)
		if (pfn & 8)
			page_free(&s->allocator, 0, pfn, 3);
	for (count = 0; count < 32; count++)
		kept[count] = page_alloc(&s->allocator, 0, 1, 10);
	space_describe(s, MAPPING_4K, 10000);
	assert_true(address_space_open(&s->space, 0, 0));
	assert_true(address_space_fill(&s->space, &s->supply, 0, 0, 20));
	assert_mapping(s, MAPPING_4K, 10000);
	space_discard(s);
	space_describe(s, MAPPING_2M, 1);
	assert_true(address_space_open(&s->space, 0, 0));
	assert_false(address_space_fill(&s->space, &s->supply, 0, 0, 1));
	space_discard(s);
	/* more than there is: what was mapped is taken back */
	space_describe(s, MAPPING_4K, 20000);
	assert_true(address_space_open(&s->space, 0, 0));
	assert_false(address_space_fill(&s->space, &s->supply, 0, 0, 40));
	space_discard(s);
	for (pfn = 2 * SECTION_PAGES; pfn < 3 * SECTION_PAGES; pfn += 16)
		page_free(&s->allocator, 0, pfn, 3);
	while (count)
		page_free(&s->allocator, 0, kept[--count], 10);
	space_assert_free(s);
	space_fixture_close(s);
}

/* Any part may be mixed apart from the others, in any order; mixed twice all is as before. */
static void mixing_in_parts(void **state)
{
	struct space_fixture *s = space_fixture_open();
	uint64_t *first = calloc(3001, sizeof(*first)), moved = 0;

	(void)state;
	space_build(s, MAPPING_4K, 3001, 0);
	for (uint64_t i = 0; i < 3001; i++)
		first[i] = frame_of(s, i);
	address_space_mix(&s->space, 70, 7, 0, 3001);
	for (uint64_t i = 0; i < 3001; i++)
		moved += frame_of(s, i) != first[i];
	assert_in_range(moved, 2000, 2200);
	address_space_mix(&s->space, 70, 7, 2000, 3001);
	address_space_mix(&s->space, 70, 7, 0, 999);
	address_space_mix(&s->space, 70, 7, 999, 2000);
	for (uint64_t i = 0; i < 3001; i++)
		assert_int_equal(frame_of(s, i), first[i]);
	space_discard(s);
	space_assert_free(s);
	free(first);
	space_fixture_close(s);
}

/* Each entry is exchanged with one far away: in the mean over a third of the mapping.
 * Of an odd number one has nobody. */
static void exchanged_in_pairs_far_apart(void **state)
{
	struct space_fixture *s = space_fixture_open();
	uint64_t *entry_of = calloc(FIXTURE_SECTIONS * SECTION_PAGES, sizeof(*entry_of));
	uint64_t alone = 0, sum = 0;

	(void)state;
	space_build(s, MAPPING_4K, 3001, 0);
	for (uint64_t i = 0; i < 3001; i++)
		entry_of[frame_of(s, i)] = i;
	address_space_mix(&s->space, 100, 5, 0, 3001);
	for (uint64_t i = 0; i < 3001; i++) {
		uint64_t partner = entry_of[frame_of(s, i)];

		assert_int_equal(entry_of[frame_of(s, partner)], i);
		alone += partner == i;
		sum += partner > i ? partner - i : i - partner;
	}
	assert_int_equal(alone, 1);
	assert_in_range(sum / 3001, 950, 1050);
	space_discard(s);
	space_assert_free(s);
	free(entry_of);
	space_fixture_close(s);
}

/* Tables where the upper levels have more than one. */
static void across_all_levels(void **state)
{
	struct space_fixture *s = space_fixture_open();
	static const uint64_t some[MAPPING_COUNT][6] = {
		{ 0, 511, 512, 262143, 262144, 400000 },
		{ 0, 511, 512, 65535, 65536, 114687 },
	};

	(void)state;
	for (int mapping = 0; mapping < MAPPING_COUNT; mapping++) {
		const uint64_t *tables = some[mapping];

		space_describe(s, (enum mapping)mapping, 512 * (tables[5] + 1) - 7);
		assert_true(address_space_open(&s->space, 0, 0));
		for (int i = 0; i < 6; i++) {
			uint32_t shift = shift_of((enum mapping)mapping);
			uint64_t address = (16ull << 40) + ((tables[i] * 512 + 300) << shift);
			uint64_t pfn = 2 * SECTION_PAGES + 512 * i, *leaf;
			uint64_t flags = ENTRY_PRESENT | ENTRY_WRITE | ENTRY_USER |
					 ENTRY_NO_EXECUTE |
					 (mapping == MAPPING_2M ? ENTRY_HUGE : 0);

			assert_null(address_space_leaf(&s->space, tables[i]));
			assert_true(hardware_walk(s, s->space.root_pfn << 12, address) ==
				    NOT_MAPPED);
			assert_true(address_space_add_leaf(&s->space, tables[i], 0, 1));
			leaf = address_space_leaf(&s->space, tables[i]);
			leaf[300] = pfn << 12 | flags;
			assert_int_equal(hardware_walk(s, s->space.root_pfn << 12, address),
					 pfn << 12);
			leaf[300] = 0;
		}
		for (int i = 0; i < 6; i++) {
			uint64_t pfn = address_space_cut_leaf(&s->space, tables[i]);

			assert_true(pfn != BUDDY_NONE);
			page_free(&s->allocator, 0, pfn, 0);
			assert_true(address_space_cut_leaf(&s->space, tables[i]) == BUDDY_NONE);
		}
		space_discard(s);
		space_assert_free(s);
	}
	space_fixture_close(s);
}

static void too_much_to_ask(void **state)
{
	struct space_fixture *s = space_fixture_open();
	uint64_t *kept = calloc(SPACE_PAGES + 1, sizeof(*kept)), count = 0;

	(void)state;
	space_describe(s, MAPPING_2M, (112ull << 19) + 1);
	assert_false(address_space_open(&s->space, 0, 0));
	space_describe(s, MAPPING_4K, (112ull << 28) + 1);
	assert_false(address_space_open(&s->space, 0, 0));
	space_assert_free(s);
	for (uint32_t node = 0; node < 2; node++)
		while ((kept[count] = page_alloc(&s->allocator, 0, node, 0)) != BUDDY_NONE)
			count++;
	for (uint32_t left = 0; left < 6; left++) {
		/* the first leaf table needs a root, one of level 3, one of level 2 */
		space_describe(s, MAPPING_4K, 100);
		assert_int_equal(address_space_open(&s->space, 0, 0), left >= 3);
		if (left >= 3)
			assert_int_equal(address_space_add_leaf(&s->space, 0, 0, 1), left >= 4);
		space_discard(s);
		page_free(&s->allocator, 0, kept[--count], 0);
	}
	while (count)
		page_free(&s->allocator, 0, kept[--count], 0);
	space_assert_free(s);
	free(kept);
	space_fixture_close(s);
}

static void take_everything(struct space_fixture *s)
{
	for (uint32_t node = 0; node < 2; node++)
		while (page_alloc(&s->allocator, 0, node, 0) != BUDDY_NONE)
			;
}

/* A block, but no page for a table that would map it: what is not mapped is given back. */
static void no_memory_for_a_table(void **state)
{
	const uint64_t block = 2 * SECTION_PAGES, others = block + 2 * BLOCK_PAGES;
	struct space_fixture *s = space_fixture_open();

	(void)state;
	/* the root and two tables below it, and leaf tables for half of the block */
	for (uint64_t pages = 3; pages <= 4; pages++) {
		struct buddy_census now;

		take_everything(s);
		for (uint64_t i = 0; i < BLOCK_PAGES; i++)
			page_free(&s->allocator, 0, block + i, 0);
		for (uint64_t i = 0; i < pages; i++)
			page_free(&s->allocator, 0, others + 2 * i, 0);
		space_describe(s, MAPPING_4K, BLOCK_PAGES);
		assert_true(address_space_open(&s->space, 0, 0));
		assert_false(address_space_fill(&s->space, &s->supply, 0, 0, 2));
		assert_int_equal(address_space_leaf(&s->space, 0) != NULL, pages == 4);
		space_discard(s);
		buddy_census(s->f.buddy, &s->f.fake.memmap, &now);
		assert_int_equal(now.free_pages, BLOCK_PAGES + pages);
	}
	take_everything(s);
	for (uint32_t node = 0; node < 2; node++)
		for (uint64_t i = 0; i < SECTION_PAGES; i++)
			page_free(&s->allocator, 0, space_sections[node] * SECTION_PAGES + i, 0);
	space_assert_free(s);
	space_fixture_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_has_a_page),
		cmocka_unit_test(fragmentation_as_asked),
		cmocka_unit_test(small_blocks_do),
		cmocka_unit_test(mixing_in_parts),
		cmocka_unit_test(exchanged_in_pairs_far_apart),
		cmocka_unit_test(across_all_levels),
		cmocka_unit_test(too_much_to_ask),
		cmocka_unit_test(no_memory_for_a_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
