/* SPDX-License-Identifier: GPL-2.0-only */
/* The census over lists that are broken on purpose: every kind of damage is seen, and no walk loops
 * or leaves the memmap. Address space around the sections cannot be touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mm/buddy/buddy_census.h"
#include "tests/host/buddy_fixture.h"
#include "tests/host/random.h"

/* Section 1 has no memmap, but lies in the span of the zone: blocks at either side of it. */
static const uint64_t two_sections[] = { 0, 2 };

enum { FIRST = 24576, GAP = 32768, AGAIN = 65536, END = 73728 };

static struct buddy_fixture *f;
static struct zone_area *zone;

static struct page *page(uint64_t pfn)
{
	return f->base + pfn;
}

/* Three blocks of 4 MiB and four more but for a page each, which gives blocks of all orders; all
 * else is allocated. */
static int open_zone(void **unused)
{
	(void)unused;
	f = test_calloc(1, sizeof(*f));
	fixture_open(f, two_sections, 2);
	zone = fixture_zone(f, 3, AGAIN, END);
	zone = fixture_zone(f, 3, FIRST, GAP);
	zone->end_pfn = END;
	for (uint64_t pfn = AGAIN; pfn < AGAIN + 7 * 1024; pfn++) {
		uint64_t block = (pfn - AGAIN) / 1024, rest = pfn % 1024;

		if (block < 4 && rest == 0)
			buddy_free_core(f->buddy, pfn + 1, 0, true);
		else if (block < 4 && rest > 1)
			buddy_free_core(f->buddy, pfn, 0, true);
		else if (block >= 4 && rest == 0)
			buddy_free_core(f->buddy, pfn, 10, true);
	}
	return 0;
}

static int close_zone(void **unused)
{
	(void)unused;
	fixture_close(f);
	test_free(f);
	return 0;
}

static struct buddy_census census(void)
{
	struct buddy_census c;

	buddy_census(f->buddy, &f->fake.memmap, &c);
	return c;
}

static uint64_t pfn_of(uint64_t link)
{
	return (link - fixture_lru(f->base)) / sizeof(struct page);
}

static uint64_t list_address(uint32_t order)
{
	return (uint64_t)(uintptr_t)&zone->area[order].list;
}

/* The second block of the list, which has a neighbour on each side. */
static uint64_t second(uint32_t order)
{
	uint64_t pfn = pfn_of(page(pfn_of(zone->area[order].list.next))->lru_next);

	assert_true(pfn < END && zone->area[order].blocks >= 3);
	return pfn;
}

static void assert_seen(uint64_t pfn)
{
	struct buddy_census c = census();

	assert_true(c.faults > 0);
	assert_int_equal(c.first_bad_pfn, pfn);
}

static void assert_whole(void)
{
	struct buddy_census c = census();

	assert_int_equal(c.faults, 0);
	assert_true(c.first_bad_pfn == BUDDY_NONE);
}

/* Damage, seen, restored; the first block to look wrong may be a neighbour. */
static void try_order(uint64_t pfn, uint64_t value)
{
	uint64_t before = page(pfn)->private_data;

	page(pfn)->private_data = value;
	assert_true(census().faults > 0);
	page(pfn)->private_data = before;
	assert_whole();
}

/* The same for any field of which the first bad frame is certain. */
static void try_value(uint64_t *field, uint64_t value, uint64_t bad_pfn)
{
	uint64_t before = *field;

	*field = value;
	assert_seen(bad_pfn);
	*field = before;
	assert_whole();
}

static void test_whole(void **unused)
{
	(void)unused;
	assert_whole();
	for (uint32_t order = 0; order < ORDER_COUNT; order++)
		assert_true(zone->area[order].blocks >= 3);
	assert_int_equal(census().free_pages, 3 * 1024 + 4 * 1023);
}

static void test_links(void **unused)
{
	(void)unused;
	for (uint32_t order = 0; order < ORDER_COUNT; order++) {
		uint64_t pfn = second(order), before = pfn_of(page(pfn)->lru_prev);
		uint64_t behind = pfn_of(page(pfn)->lru_next);
		const uint64_t wild[] = {
			0, 1, UINT64_MAX, ~0ull << 47, fixture_lru(page(GAP)),
			fixture_lru(page(GAP + 5000)), fixture_lru(page(FIRST - 1)),
			fixture_lru(page(END)), fixture_lru(page(pfn)) + 1,
			fixture_lru(page(pfn)) + 8, fixture_lru(page(pfn)) + 32,
			fixture_lru(page(behind)) + 8, fixture_lru(page(behind)) - 1,
			fixture_lru(page(0)) - 64, list_address(order) + 8,
			list_address((order + 1) % ORDER_COUNT),
			/* loops, and pages of no list */
			fixture_lru(page(pfn)), fixture_lru(page(before)), fixture_lru(page(FIRST)),
		};

		for (unsigned i = 0; i < sizeof(wild) / sizeof(wild[0]); i++) {
			try_value(&page(pfn)->lru_next, wild[i], pfn);
			if (wild[i] != page(pfn)->lru_prev)
				try_value(&page(pfn)->lru_prev, wild[i], before);
			if (wild[i] != zone->area[order].list.next)
				try_value(&zone->area[order].list.next, wild[i], FIRST);
			try_value(&zone->area[order].list.prev, wild[i], FIRST);
		}
		/* left out; cut short */
		try_value(&page(before)->lru_next, fixture_lru(page(behind)), before);
		try_value(&page(pfn)->lru_next, list_address(order), FIRST);
	}
}

static void test_counts(void **unused)
{
	(void)unused;
	for (uint32_t order = 0; order < ORDER_COUNT; order++) {
		try_value(&zone->area[order].blocks, zone->area[order].blocks + 1, FIRST);
		try_value(&zone->area[order].blocks, zone->area[order].blocks - 1, FIRST);
		try_value(&zone->area[order].blocks, UINT64_MAX, FIRST);
	}
}

static void try_counts(uint64_t pfn, int32_t refcount, int32_t mapcount)
{
	struct page before = *page(pfn);

	page(pfn)->refcount = refcount;
	page(pfn)->mapcount = mapcount;
	assert_seen(pfn);
	*page(pfn) = before;
	assert_whole();
}

static void test_heads(void **unused)
{
	(void)unused;
	for (uint32_t order = 0; order < ORDER_COUNT; order++) {
		uint64_t pfn = second(order), flags = page(pfn)->flags;

		try_order(pfn, order + 1);
		try_order(pfn, order - 1ull);
		try_order(pfn, order | 1ull << 40);
		try_value(&page(pfn)->flags, flags ^ 1ull << PAGE_NODE_SHIFT, pfn);
		try_value(&page(pfn)->flags, flags ^ 1ull << PAGE_ZONE_SHIFT, pfn);
		try_value(&page(pfn)->flags, flags ^ 1ull << PAGE_SECTION_SHIFT, pfn);
		try_value(&page(pfn)->flags, flags | PG_RESERVED, pfn);
		try_value(&page(pfn)->flags, flags | PG_HOLE, pfn);
		try_value(&page(pfn)->flags, UINT64_MAX, pfn);
		if (order < ORDER_MAX)
			try_value(&page(pfn)->flags, flags | PG_LAZY, pfn);
		try_counts(pfn, 1, PAGE_BUDDY);
		try_counts(pfn, -1, PAGE_BUDDY);
		try_counts(pfn, 0, -1);
		try_counts(pfn, 0, 0);
	}
}

/* A head of its own making, in the list of `order`, linked as it should be. */
static void link_head(uint64_t pfn, uint32_t order)
{
	struct free_area *area = &zone->area[order];

	page(pfn)->mapcount = PAGE_BUDDY;
	page(pfn)->refcount = 0;
	page(pfn)->private_data = order;
	page(pfn)->lru_next = area->list.next;
	page(pfn)->lru_prev = list_address(order);
	page(pfn_of(area->list.next))->lru_prev = fixture_lru(page(pfn));
	area->list.next = fixture_lru(page(pfn));
	area->blocks++;
}

static void unlink_head(uint64_t pfn, uint32_t order)
{
	struct free_area *area = &zone->area[order];

	area->list.next = page(pfn)->lru_next;
	page(pfn_of(area->list.next))->lru_prev = list_address(order);
	area->blocks--;
	fixture_page(f->base, pfn, 3, 0, 1);
	assert_whole();
}

static void try_head(uint64_t pfn, uint32_t order)
{
	link_head(pfn, order);
	assert_seen(pfn);
	unlink_head(pfn, order);
}

/* FIRST to GAP is allocated: a head there is as good as any but for its place. */
static void test_places(void **unused)
{
	uint64_t whole = second(ORDER_MAX);

	(void)unused;
	link_head(FIRST, 3);
	assert_whole();
	unlink_head(FIRST, 3);
	for (uint32_t order = 1; order < ORDER_COUNT; order++)
		try_head(FIRST + 2048 + (1 << (order - 1)), order); /* half a block too high */
	for (uint32_t order = 0; order < ORDER_MAX; order++) {
		try_head(whole + 512 + (1 << order) % 512, order); /* inside another */
		link_head(FIRST, order);
		try_head(FIRST + (1 << order), order); /* two buddies */
		unlink_head(FIRST, order);
	}
}

/* Across either end of the zone. */
static void test_ends_of_the_zone(void **unused)
{
	uint64_t pfn = END - 1024;

	(void)unused;
	assert_true(page(pfn)->mapcount != PAGE_BUDDY);
	zone->end_pfn = END - 512;
	link_head(pfn, 9);
	assert_whole();
	unlink_head(pfn, 9);
	try_head(pfn, 10);
	zone->start_pfn = FIRST + 1;
	link_head(FIRST, 0);
	assert_seen(FIRST + 1);
}

static void test_untyped(void **unused)
{
	uint64_t pfn = second(ORDER_MAX);
	uint8_t *types = f->pageblocks + pfn / 512;

	(void)unused;
	types[1] = MIGRATE_UNTYPED;
	assert_seen(pfn);
	types[1] = MIGRATE_MOVABLE;
	types[0] = MIGRATE_UNTYPED;
	assert_seen(pfn);
	types[0] = MIGRATE_UNMOVABLE;
	assert_whole();
}

/* Two lists exchanged; a list of a zone that is none; an allocator that was never reset. */
static void test_lists(void **unused)
{
	struct free_area *a = &zone->area[2], *b = &zone->area[3];
	struct page *first = page(pfn_of(a->list.next)), *last = page(pfn_of(a->list.prev));

	(void)unused;
	assert_int_equal(b->blocks, a->blocks);
	assert_true(first != last);
	first->lru_prev = list_address(3);
	last->lru_next = list_address(3);
	b->list = a->list;
	assert_int_equal(census().faults, a->blocks + 1);
	f->buddy->zones[7][ZONE_NORMAL].area[0].list.next = fixture_lru(page(FIRST));
	assert_int_equal(census().faults, a->blocks + 2);
	memset(f->buddy->zones, 0, sizeof(f->buddy->zones));
	assert_int_equal(census().faults, NODE_MAX * ZONE_COUNT * ORDER_COUNT);
}

static uint64_t random_link(uint64_t *seed)
{
	switch (random_next(seed) % 4) {
	case 0:
		return fixture_lru(page(random_next(seed) % FIXTURE_SECTIONS * SECTION_PAGES));
	case 1:
		return fixture_lru(page(AGAIN + random_next(seed) % (END - AGAIN)));
	case 2:
		return list_address((uint32_t)(random_next(seed) % ORDER_COUNT));
	default:
		return random_next(seed) >> random_next(seed) % 64;
	}
}

/* Whatever stands in the links and struct pages, the walk ends and stays inside. */
static void test_random_damage(void **unused)
{
	uint64_t seed = 0x2545f4914f6cdd1dull;
	unsigned seen = 0;

	(void)unused;
	for (unsigned round = 0; round < 2000; round++) {
		uint64_t pfn = AGAIN + random_next(&seed) % (END - AGAIN);
		uint64_t *word = (uint64_t *)page(pfn) + random_next(&seed) % 7;

		if (random_next(&seed) % 4 == 0) {
			struct free_area *area = &zone->area[random_next(&seed) % ORDER_COUNT];

			word = random_next(&seed) % 2 ? &area->list.next : &area->list.prev;
		}
		*word = random_link(&seed);
		if (round % 8 == 0)
			seen += census().faults > 0;
	}
	assert_true(seen > 200);
}

int main(void)
{
#define DAMAGE_TEST(t) cmocka_unit_test_setup_teardown(t, open_zone, close_zone)
	const struct CMUnitTest tests[] = {
		DAMAGE_TEST(test_whole),
		DAMAGE_TEST(test_links),
		DAMAGE_TEST(test_counts),
		DAMAGE_TEST(test_heads),
		DAMAGE_TEST(test_places),
		DAMAGE_TEST(test_ends_of_the_zone),
		DAMAGE_TEST(test_untyped),
		DAMAGE_TEST(test_lists),
		DAMAGE_TEST(test_random_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
