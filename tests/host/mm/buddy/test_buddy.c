/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mm/buddy/buddy_census.h"
#include "mm/buddy/buddy_take.h"
#include "tests/host/buddy_fixture.h"

/* Section 1 has no memmap. */
static const uint64_t two_sections[] = { 0, 2 };

enum { FIRST = 8192, END = 16384 }; /* eight blocks of 4 MiB in DMA32 */

static struct buddy_fixture *open_zone(void)
{
	struct buddy_fixture *f = test_calloc(1, sizeof(*f));

	fixture_open(f, two_sections, 2);
	fixture_zone(f, 3, FIRST, END);
	return f;
}

static void close_zone(struct buddy_fixture *f)
{
	fixture_close(f);
	test_free(f);
}

static struct zone_area *zone(struct buddy_fixture *f)
{
	return &f->buddy->zones[3][ZONE_DMA32];
}

static uint64_t alloc(struct buddy_fixture *f, uint32_t order)
{
	return buddy_alloc_zone(f->buddy, 3, ZONE_DMA32, order);
}

static void free_all(struct buddy_fixture *f)
{
	for (uint64_t pfn = FIRST; pfn < END; pfn += 1024)
		buddy_free_core(f->buddy, pfn, 10, true);
}

static struct buddy_census census_of(struct buddy_fixture *f)
{
	struct buddy_census census;

	buddy_census(f->buddy, &f->fake.memmap, &census);
	return census;
}

static void assert_sound(struct buddy_fixture *f, uint64_t free_pages)
{
	struct buddy_census census = census_of(f);

	assert_int_equal(census.faults, 0);
	assert_true(census.first_bad_pfn == BUDDY_NONE);
	assert_int_equal(census.free_pages, free_pages);
}

static void assert_counters(const struct buddy_fixture *f, uint64_t poison, uint64_t typed,
			    uint64_t freed)
{
	assert_int_equal(f->buddy->poison_reads, poison);
	assert_int_equal(f->buddy->typed_twice, typed);
	assert_int_equal(f->buddy->double_frees, freed);
}

static void test_empty(void **unused)
{
	struct buddy_fixture *f = open_zone();
	struct buddy_census census = census_of(f);

	(void)unused;
	assert_sound(f, 0);
	assert_int_equal(census.digest, 0);
	for (uint32_t order = 0; order <= 12; order++)
		assert_true(alloc(f, order) == BUDDY_NONE);
	assert_true(buddy_alloc_node(f->buddy, 3, 0) == BUDDY_NONE);
	close_zone(f);
}

/* The last freed is the first handed out; a split gives the lower part away. */
static void test_lifo(void **unused)
{
	struct buddy_fixture *f = open_zone();

	(void)unused;
	buddy_free_core(f->buddy, FIRST + 1024, 10, true);
	buddy_free_core(f->buddy, FIRST + 4096, 10, true);
	buddy_free_core(f->buddy, FIRST, 10, true);
	assert_int_equal(zone(f)->managed_pages, 3 * 1024);
	assert_int_equal(alloc(f, 10), FIRST);
	assert_int_equal(alloc(f, 0), FIRST + 4096);
	for (uint32_t order = 0; order < 10; order++) {
		const struct page *head = f->base + FIRST + 4096 + (1 << order);

		assert_int_equal(head->mapcount, PAGE_BUDDY);
		assert_int_equal(head->private_data, order);
		assert_int_equal(zone(f)->area[order].blocks, 1);
	}
	/* the smallest block that is enough, not the last one freed */
	buddy_free(f->buddy, FIRST, 10);
	assert_int_equal(alloc(f, 3), FIRST + 4096 + 8);
	assert_true(fixture_allocated(f->base + FIRST + 4096 + 8));
	assert_int_equal(alloc(f, 3), FIRST + 4096 + 16);
	assert_sound(f, 3 * 1024 - 17);
	close_zone(f);
}

/* Every page of a block freed for the first time, of every order. */
static void test_free_core_clears_all(void **unused)
{
	(void)unused;
	for (uint32_t order = 0; order <= 10; order++) {
		struct buddy_fixture *f = open_zone();
		uint64_t pfn = FIRST + (1 << order), end = pfn + (1 << order);

		buddy_free_core(f->buddy, pfn, order, order & 1);
		assert_int_equal(zone(f)->managed_pages, order & 1 ? 1 << order : 0);
		assert_int_equal(f->base[pfn - 1].refcount, 1);
		assert_int_equal(f->base[end].refcount, 1);
		for (; pfn < end; pfn++)
			assert_int_equal(f->base[pfn].refcount, 0);
		assert_sound(f, 1 << order);
		close_zone(f);
	}
}

static void test_managed_by_the_caller(void **unused)
{
	struct buddy_fixture *f = open_zone();

	(void)unused;
	buddy_count_managed(f->buddy, 3, ZONE_DMA32, 1000);
	buddy_count_managed(f->buddy, 3, ZONE_NORMAL, 77);
	assert_int_equal(zone(f)->managed_pages, 1000);
	assert_int_equal(census_of(f).managed_pages, 1077);
	buddy_reset(f->buddy);
	assert_int_equal(census_of(f).managed_pages, 0);
	close_zone(f);
}

static void test_reset(void **unused)
{
	struct buddy_fixture *f = open_zone();

	(void)unused;
	free_all(f);
	buddy_free(f->buddy, FIRST, 0);
	buddy_type_pageblock(f->buddy, FIRST, MIGRATE_MOVABLE);
	assert_counters(f, 0, 1, 1);
	buddy_reset(f->buddy);
	assert_counters(f, 0, 0, 0);
	assert_sound(f, 0);
	assert_true(zone(f)->start_pfn == FIRST && zone(f)->end_pfn == END);
	assert_int_equal(zone(f)->node, 3);
	assert_int_equal(zone(f)->type, ZONE_DMA32);
	close_zone(f);
}

/* Highest zone first, each only while it has enough. */
static void test_node_order(void **unused)
{
	static const uint64_t sections[] = { 0, 2, 32 };
	struct buddy_fixture *f = test_calloc(1, sizeof(*f));

	(void)unused;
	fixture_open(f, sections, 3);
	fixture_zone(f, 1, 0, 4096);
	fixture_zone(f, 1, 4096, 5120);
	fixture_zone(f, 1, 32 * SECTION_PAGES, 32 * SECTION_PAGES + 1024);
	buddy_free_core(f->buddy, 0, 10, true);
	buddy_free_core(f->buddy, 4096, 10, true);
	buddy_free_core(f->buddy, 32 * SECTION_PAGES, 9, true);
	assert_int_equal(buddy_alloc_node(f->buddy, 1, 10), 4096);
	assert_int_equal(buddy_alloc_node(f->buddy, 1, 9), 32 * SECTION_PAGES);
	assert_int_equal(buddy_alloc_node(f->buddy, 1, 0), 0);
	assert_true(buddy_alloc_node(f->buddy, 1, 10) == BUDDY_NONE);
	assert_true(buddy_alloc_node(f->buddy, 0, 0) == BUDDY_NONE);
	close_zone(f);
}

static void test_double_frees(void **unused)
{
	struct buddy_fixture *f = open_zone();
	uint64_t pfn;

	(void)unused;
	free_all(f);
	buddy_free(f->buddy, FIRST, 10);           /* free, a head */
	buddy_free(f->buddy, FIRST + 1, 0);        /* free, inside a block */
	buddy_free_core(f->buddy, FIRST, 10, true);
	assert_counters(f, 0, 0, 3);
	assert_int_equal(zone(f)->managed_pages, END - FIRST);
	pfn = alloc(f, 4);
	buddy_free_core(f->buddy, pfn + 1, 0, true); /* not the first page of what was handed out */
	buddy_free(f->buddy, pfn, 4);
	buddy_free(f->buddy, pfn, 4);
	assert_counters(f, 0, 0, 5);
	/* neither free nor in the hands of one owner */
	pfn = alloc(f, 0);
	for (int32_t refcount = -1; refcount <= 2; refcount++) {
		f->base[pfn].refcount = refcount;
		buddy_free(f->buddy, pfn, 0);
	}
	assert_counters(f, 0, 0, 8);
	/* a block freed as new with a free head must not touch the pages behind it */
	pfn = alloc(f, 0);
	assert_int_equal(alloc(f, 0), pfn + 1);
	buddy_free(f->buddy, pfn, 0);
	buddy_free_core(f->buddy, pfn, 1, true);
	assert_counters(f, 0, 0, 9);
	assert_int_equal(f->base[pfn + 1].refcount, 1);
	buddy_free(f->buddy, pfn + 1, 0);
	assert_sound(f, END - FIRST);
	close_zone(f);
}

/* B8 of the field: freeing next to what is not initialised yet reads the buddy's struct page. */
static void test_poison_is_counted(void **unused)
{
	struct buddy_fixture *f = open_zone();

	(void)unused;
	memset(f->base + FIRST + 1, PAGE_POISON_BYTE, sizeof(struct page));
	buddy_free_core(f->buddy, FIRST, 0, true);
	assert_counters(f, 1, 0, 0);
	assert_sound(f, 1);
	/* poison beyond the zone is not read */
	zone(f)->end_pfn = FIRST + 3;
	memset(f->base + FIRST + 3, PAGE_POISON_BYTE, sizeof(struct page));
	buddy_free_core(f->buddy, FIRST + 2, 0, true);
	assert_counters(f, 1, 0, 0);
	zone(f)->start_pfn = FIRST + 5;
	zone(f)->end_pfn = END;
	memset(f->base + FIRST + 4, PAGE_POISON_BYTE, sizeof(struct page));
	buddy_free_core(f->buddy, FIRST + 5, 0, true);
	assert_counters(f, 1, 0, 0);
	/* a struct page that names no zone has nowhere to go */
	memset(f->base + FIRST + 8, PAGE_POISON_BYTE, 4 * sizeof(struct page));
	buddy_free(f->buddy, FIRST + 8, 0);
	buddy_free_core(f->buddy, FIRST + 8, 2, true);
	f->base[FIRST + 9].flags = 300ull << PAGE_NODE_SHIFT;
	buddy_free(f->buddy, FIRST + 9, 0);
	f->base[FIRST + 9].flags = (uint64_t)ZONE_COUNT << PAGE_ZONE_SHIFT;
	buddy_free(f->buddy, FIRST + 9, 0);
	assert_counters(f, 5, 0, 0);
	close_zone(f);
}

/* B14: two pageblocks in a block of 4 MiB, each typed once. */
static void test_pageblocks(void **unused)
{
	struct buddy_fixture *f = open_zone();

	(void)unused;
	memset(f->pageblocks, MIGRATE_UNTYPED, sizeof(f->pageblocks));
	buddy_type_pageblock(f->buddy, FIRST, MIGRATE_MOVABLE);
	assert_int_equal(f->pageblocks[15], MIGRATE_UNTYPED);
	assert_int_equal(f->pageblocks[16], MIGRATE_MOVABLE);
	assert_int_equal(f->pageblocks[17], MIGRATE_UNTYPED);
	buddy_free_core(f->buddy, FIRST, 10, true);
	assert_int_equal(census_of(f).faults, 1); /* the second one was forgotten */
	assert_int_equal(census_of(f).first_bad_pfn, FIRST);
	buddy_type_pageblock(f->buddy, FIRST + 1023, MIGRATE_UNMOVABLE);
	assert_int_equal(f->pageblocks[17], MIGRATE_UNMOVABLE);
	assert_counters(f, 0, 0, 0);
	assert_sound(f, 1024);
	buddy_type_pageblock(f->buddy, FIRST + 1022, MIGRATE_MOVABLE);
	assert_counters(f, 0, 1, 0);
	close_zone(f);
}

/* A 4 MiB block of two nodes: pages merge with their own node's, though both spans cover it. */
static void test_nodes_share_a_block(void **unused)
{
	struct buddy_fixture *f = open_zone();
	struct zone_area *other = &f->buddy->zones[4][ZONE_DMA32];

	(void)unused;
	fixture_page(f->base, FIRST + 1, 4, 0, 1);
	fixture_page(f->base, FIRST + 6, 4, 0, 1);
	fixture_page(f->base, FIRST + 7, 4, 0, 1);
	other->start_pfn = FIRST;
	other->end_pfn = FIRST + 8;
	for (uint64_t pfn = FIRST; pfn < FIRST + 8; pfn++)
		buddy_free_core(f->buddy, pfn, 0, true);
	assert_int_equal(other->area[0].blocks, 1);
	assert_int_equal(other->area[1].blocks, 1);
	assert_int_equal(zone(f)->area[0].blocks, 1);
	assert_int_equal(zone(f)->area[1].blocks, 2);
	assert_int_equal(other->managed_pages, 3);
	assert_sound(f, 8);
	assert_counters(f, 0, 0, 0);
	close_zone(f);
}

struct fills {
	struct buddy_fixture *f;
	uint64_t calls, pfn;
};

static void note_fill(void *context, uint64_t pfn)
{
	struct fills *fills = context;
	struct page *base = fills->f->base;

	/* on no list, not locked */
	assert_true(fixture_allocated(base + pfn));
	assert_int_equal(base[pfn].flags & PG_LAZY, 0);
	assert_int_equal(zone(fills->f)->lock.held, 0);
	fills->calls++;
	fills->pfn = pfn;
	for (uint64_t i = 1; i < 1024; i++) {
		assert_true(base[pfn + i].flags == UINT64_MAX);
		fixture_page(base, pfn + i, 3, 0, 0);
	}
}

static void free_lazy(struct buddy_fixture *f, struct fills *fills, uint64_t pfn)
{
	*fills = (struct fills){ .f = f };
	f->buddy->fill = note_fill;
	f->buddy->fill_context = fills;
	memset(f->base + pfn + 1, PAGE_POISON_BYTE, 1023 * sizeof(struct page));
	buddy_free_lazy(f->buddy, pfn);
}

static void test_lazy_split(void **unused)
{
	struct buddy_fixture *f = open_zone();
	struct fills fills;
	uint64_t digest;

	(void)unused;
	free_lazy(f, &fills, FIRST);
	assert_sound(f, 1024);
	assert_int_equal(census_of(f).lazy_blocks, 1);
	assert_int_equal(zone(f)->managed_pages, 1024);
	digest = census_of(f).digest;
	assert_int_equal(alloc(f, 0), FIRST);
	assert_true(fills.calls == 1 && fills.pfn == FIRST);
	assert_sound(f, 1023);
	assert_int_equal(census_of(f).lazy_blocks, 0);
	buddy_free(f->buddy, FIRST, 0);
	assert_true(census_of(f).digest == digest);
	assert_int_equal(census_of(f).lazy_blocks, 0); /* merged, hence not lazy */
	assert_int_equal(alloc(f, 10), FIRST);
	assert_int_equal(fills.calls, 1);
	assert_counters(f, 0, 0, 0);
	close_zone(f);
}

static void test_lazy_whole(void **unused)
{
	struct buddy_fixture *f = open_zone();
	struct fills fills;

	(void)unused;
	free_lazy(f, &fills, FIRST + 1024);
	buddy_free_lazy(f->buddy, FIRST + 1024);
	assert_counters(f, 0, 0, 1);
	assert_int_equal(zone(f)->managed_pages, 1024);
	assert_int_equal(alloc(f, 10), FIRST + 1024);
	assert_true(fills.calls == 1 && fills.pfn == FIRST + 1024);
	buddy_free(f->buddy, FIRST + 1024, 10);
	assert_sound(f, 1024);
	assert_int_equal(census_of(f).lazy_blocks, 0);
	assert_int_equal(alloc(f, 0), FIRST + 1024);
	assert_int_equal(fills.calls, 1);
	close_zone(f);
}



static unsigned list_length(const struct page_list *list)
{
	unsigned length = 0;

	for (uint64_t at = list->next; at != (uint64_t)(uintptr_t)list; length++)
		at = ((struct page_list *)(uintptr_t)at)->next;
	return length;
}

static struct page *page_in(uint64_t link)
{
	return (struct page *)(uintptr_t)(link - 8);
}

static void list_open(struct page_list *list)
{
	list->next = list->prev = (uint64_t)(uintptr_t)list;
}

/* Gives back what is on the list, from its end. */
static void put_all(struct buddy_fixture *f, struct page_list *list, uint32_t order)
{
	zone_lock(&zone(f)->lock);
	while (list->prev != (uint64_t)(uintptr_t)list) {
		struct page *page = page_in(list->prev);

		list->prev = page->lru_prev;
		((struct page_list *)(uintptr_t)list->prev)->next = (uint64_t)(uintptr_t)list;
		page->lru_next = page->lru_prev = fixture_lru(page);
		buddy_put_locked(f->buddy, zone(f), page, order);
	}
	zone_unlock(&zone(f)->lock);
}

/* In the order in which they would be allocated, one hold for all, refcount 0; merged again. */
static void test_take_bulk(void **unused)
{
	struct buddy_fixture *f = open_zone();
	struct page_list list;
	uint64_t digest, link;

	(void)unused;
	list_open(&list);
	free_all(f);
	digest = census_of(f).digest;
	zone(f)->lock.acquisitions = 0;
	assert_int_equal(buddy_take_bulk(f->buddy, zone(f), 1, 7, &list), 7);
	assert_int_equal(zone(f)->lock.acquisitions, 1);
	assert_int_equal(list_length(&list), 7);
	link = list.next;
	for (uint64_t i = 0; i < 7; i++, link = page_in(link)->lru_next) {
		struct page *page = page_in(link);

		assert_int_equal(page - f->base, END - 1024 + 2 * i);
		assert_true(!page->refcount && page->mapcount == -1 && !page->private_data);
	}
	assert_int_equal(buddy_take_bulk(f->buddy, zone(f), 1, 2, &list), 2);
	assert_int_equal(page_in(list.prev) - f->base, END - 1024 + 16);
	assert_sound(f, END - FIRST - 18);
	put_all(f, &list, 1);
	assert_true(census_of(f).digest == digest);
	close_zone(f);
}

/* As many as there are, and none. */
static void test_take_bulk_all(void **unused)
{
	struct buddy_fixture *f = open_zone();
	struct page_list list;

	(void)unused;
	list_open(&list);
	assert_int_equal(buddy_take_bulk(f->buddy, zone(f), 0, 5, &list), 0);
	free_all(f);
	assert_int_equal(buddy_take_bulk(f->buddy, zone(f), 10, 0, &list), 0);
	assert_int_equal(buddy_take_bulk(f->buddy, zone(f), 10, 100, &list), 8);
	assert_int_equal(buddy_take_bulk(f->buddy, zone(f), 0, 1, &list), 0);
	put_all(f, &list, 10);
	assert_sound(f, END - FIRST);
	close_zone(f);
}

static void test_take_bulk_lazy(void **unused)
{
	struct buddy_fixture *f = open_zone();
	struct page_list list;
	struct fills fills;

	(void)unused;
	list_open(&list);
	free_lazy(f, &fills, FIRST);
	assert_int_equal(buddy_take_bulk(f->buddy, zone(f), 3, 100, &list), 100);
	assert_true(fills.calls == 1 && fills.pfn == FIRST);
	put_all(f, &list, 3);
	assert_sound(f, 1024);
	assert_int_equal(census_of(f).lazy_blocks, 0);
	close_zone(f);
}

/* One hold while the zone is the same; what is free already stays, and what no zone has. */
static void test_free_bulk(void **unused)
{
	struct buddy_fixture *f = open_zone();
	uint64_t pfns[] = { FIRST, FIRST + 2, FIRST + 1024, FIRST, FIRST + 4, 65600 };
	struct zone_area *other = &f->buddy->zones[7][ZONE_DMA32];

	(void)unused;
	other->start_pfn = FIRST + 1024;
	other->end_pfn = FIRST + 2048;
	fixture_page(f->base, FIRST + 1024, 7, 0, 1);
	buddy_free_bulk(f->buddy, pfns, 6, 0);
	assert_int_equal(zone(f)->lock.acquisitions, 2);
	assert_int_equal(other->lock.acquisitions, 1);
	assert_int_equal(zone(f)->lock.held + other->lock.held, 0);
	assert_counters(f, 1, 0, 1);
	assert_sound(f, 4);
	assert_int_equal(zone(f)->area[0].blocks, 3);
	buddy_free_bulk(f->buddy, pfns, 0, 0);
	assert_int_equal(zone(f)->lock.acquisitions, 2);
	close_zone(f);
}

/* What a lock says of itself. */
static void test_zone_lock(void **unused)
{
	struct zone_lock lock = { 0 };

	(void)unused;
	zone_lock(&lock);
	assert_false(zone_lock_try(&lock));
	zone_unlock(&lock);
	assert_int_equal(lock.acquisitions, 1);
	assert_int_equal(lock.contended + lock.wait_cycles + lock.longest_hold_cycles, 0);
	lock.timed = true;
	zone_lock(&lock);
	zone_unlock(&lock);
	assert_true(lock.longest_hold_cycles > 0);
	lock.longest_hold_cycles = UINT64_MAX;
	zone_lock(&lock);
	zone_unlock(&lock);
	assert_true(lock.longest_hold_cycles == UINT64_MAX);
	assert_int_equal(lock.acquisitions, 3);
	assert_int_equal(lock.held, 0);
}

static uint64_t digest_of(const uint64_t *pfns, const uint32_t *orders, unsigned count)
{
	struct buddy_fixture *f = open_zone();
	uint64_t digest;

	for (unsigned i = 0; i < count; i++)
		buddy_free_core(f->buddy, pfns[i], orders[i], true);
	digest = census_of(f).digest;
	close_zone(f);
	return digest;
}

/* Of the set, not of the order in the lists or of how it came about. */
static void test_digest(void **unused)
{
	static const uint64_t up[] = { FIRST, FIRST + 4, FIRST + 8 };
	static const uint64_t down[] = { FIRST + 8, FIRST + 4, FIRST };
	static const uint64_t other[] = { FIRST, FIRST + 4, FIRST + 12 };
	static const uint32_t zeros[] = { 0, 0, 0 }, one[] = { 0, 1, 0 };
	static const uint64_t halves[] = { FIRST + 5, FIRST, FIRST + 8, FIRST + 4 };
	static const uint32_t four[] = { 0, 0, 0, 0 };
	uint64_t digest = digest_of(up, zeros, 3);

	(void)unused;
	assert_true(digest == digest_of(down, zeros, 3));
	assert_true(digest != digest_of(other, zeros, 3));
	assert_true(digest != digest_of(up, one, 3));
	assert_true(digest != digest_of(up, zeros, 2));
	assert_true(digest_of(up, one, 3) == digest_of(halves, four, 4));
}

static bool bitmap_zero(const struct buddy_fixture *f)
{
	for (size_t i = 0; i < sizeof(f->bitmap) / 8; i++)
		if (f->bitmap[i])
			return false;
	return true;
}

static void test_take_all(void **unused)
{
	struct buddy_fixture *f = open_zone();
	struct buddy_hoard hoard = { .bitmap = f->bitmap, .first_pfn = 8000 };
	uint64_t digest, twice = 1, kept;

	(void)unused;
	free_all(f);
	kept = alloc(f, 2);
	digest = census_of(f).digest;
	for (uint32_t order = 0; order <= 10; order++) {
		assert_int_equal(buddy_take_all(f->buddy, order, f->bitmap, 77, &twice), 8188);
		assert_int_equal(twice, 0);
		assert_true(bitmap_zero(f));
		assert_true(census_of(f).digest == digest);
		assert_sound(f, 8188);
	}
	buddy_take(f->buddy, 0, &hoard);
	assert_sound(f, 0);
	for (uint64_t pfn = 0; pfn < 32768; pfn++) {
		bool taken = pfn >= FIRST && pfn < END && pfn / 4 != kept / 4;
		uint64_t bit = pfn - 8000;

		if (pfn >= 8000)
			assert_int_equal(f->bitmap[bit / 64] >> bit % 64 & 1, taken);
	}
	buddy_give_back(f->buddy, &hoard);
	assert_sound(f, 8188);
	close_zone(f);
}

/* Blocks that overlap are counted, and none is given back twice. */
static void test_taken_twice(void **unused)
{
	struct buddy_fixture *f = open_zone();
	uint64_t twice;

	(void)unused;
	free_all(f);
	/* a page inside a free block is freed on its own: a bug that refcounts alone cannot see */
	f->base[FIRST + 9].refcount = 1;
	buddy_free(f->buddy, FIRST + 9, 0);
	assert_int_equal(census_of(f).faults, 1);
	assert_int_equal(census_of(f).first_bad_pfn, FIRST + 9);
	assert_int_equal(buddy_take_all(f->buddy, 10, f->bitmap, 0, &twice), 8193);
	assert_int_equal(twice, 1);
	assert_true(bitmap_zero(f));
	assert_counters(f, 0, 0, 0);
	assert_sound(f, END - FIRST);
	close_zone(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_lifo),
		cmocka_unit_test(test_free_core_clears_all),
		cmocka_unit_test(test_managed_by_the_caller),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_node_order),
		cmocka_unit_test(test_double_frees),
		cmocka_unit_test(test_poison_is_counted),
		cmocka_unit_test(test_pageblocks),
		cmocka_unit_test(test_nodes_share_a_block),
		cmocka_unit_test(test_lazy_split),
		cmocka_unit_test(test_lazy_whole),
		cmocka_unit_test(test_take_bulk),
		cmocka_unit_test(test_take_bulk_all),
		cmocka_unit_test(test_take_bulk_lazy),
		cmocka_unit_test(test_free_bulk),
		cmocka_unit_test(test_zone_lock),
		cmocka_unit_test(test_digest),
		cmocka_unit_test(test_take_all),
		cmocka_unit_test(test_taken_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
