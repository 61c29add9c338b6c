/* SPDX-License-Identifier: GPL-2.0-only */
/* What makes Linux's generations of per-CPU lists different: marks, lists, drains, locks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mm/pcp/pcp.h"
#include "mm/pcp/pcp_marks.h"
#include "mm/pcp/pcp_sets.h"
#include "tests/host/page_alloc_fixture.h"

static const enum pcp linux_ways[] = { PCP_ORDER0, PCP_HIGH, PCP_MERGED, PCP_TRYLOCK };

/* ---- marks, worked out by hand --------------------------------------------------------------- */

static void assert_marks(struct pcp_marks marks, uint32_t batch, uint32_t high)
{
	assert_int_equal(marks.batch, batch);
	assert_int_equal(marks.high, high);
}

static struct pcp_zone_size zone_of_mib(uint64_t mib, uint64_t all_mib, uint32_t cpus)
{
	return (struct pcp_zone_size){ mib * 256, all_mib * 256, cpus };
}

/* 1 GiB: 262144 / 1024 = 256 pages are 1 MiB, cut to 128; a quarter 32; half more, 48, is 32 as a
 * power of two. 128 MiB: 32, 8, 12, 8. 15 MiB: 3, 0 made 1, 1, 1. */
static void test_marks_of_2016(void **unused)
{
	struct pcp_zone_size gib = zone_of_mib(1024, 1024, 4);
	struct pcp_zone_size tib = zone_of_mib(1 << 20, 1 << 20, 4);
	struct pcp_zone_size small = zone_of_mib(128, 1024, 4), dma = zone_of_mib(15, 1024, 4);

	(void)unused;
	assert_marks(pcp_marks_order0(&gib), 31, 186);
	assert_marks(pcp_marks_order0(&tib), 31, 186);
	assert_marks(pcp_marks_order0(&small), 7, 42);
	assert_marks(pcp_marks_order0(&dma), 1, 0);
	assert_marks(pcp_marks_high(&gib), 31, 3 * 31 + 8 * 31);
	assert_marks(pcp_marks_high(&small), 7, 77);
	assert_marks(pcp_marks_high(&dma), 1, 0);
}

/* 4 GiB, one zone: sqrt(4194304 KiB x 16) = 8192 KiB, 2048 pages; a quarter is 512, a thousandth
 * 1048; low 3096, for each of 4 CPUs 774.
 * 16 GiB in two zones: 4096 pages; of 12 GiB 3072, 3145, low 6217; of 4 GiB 1024, 1048, low 2072;
 * of 15 MiB 3, 0, 3, low 6.
 * 12 TiB: 454046 KiB cut to 262144, 65536 pages; a thousandth 3221225; low 3286761.
 * 1 MiB: sqrt(1024 x 16) = 128 KiB, 32 pages; a quarter 8; low 40. Half of that: the same. */
static void test_marks_of_2021(void **unused)
{
	struct pcp_zone_size sizes[] = {
		zone_of_mib(4096, 4096, 4),         zone_of_mib(12288, 16384, 8),
		zone_of_mib(4096, 16384, 8),        zone_of_mib(4096, 16384, 64),
		zone_of_mib(15, 16384, 8),          zone_of_mib(12 << 20, 12 << 20, 52),
		zone_of_mib(1, 1, 1),               zone_of_mib(256, 16384, 8),
		{ 0, 0, 0 },                        { 128, 128, 1 },
	};

	(void)unused;
	assert_marks(pcp_marks_merged(&sizes[0]), 63, 774);
	assert_marks(pcp_marks_merged(&sizes[1]), 63, 777);
	assert_marks(pcp_marks_merged(&sizes[2]), 63, 259);
	assert_marks(pcp_marks_merged(&sizes[3]), 63, 252);
	assert_marks(pcp_marks_merged(&sizes[4]), 1, 4);
	assert_marks(pcp_marks_merged(&sizes[5]), 63, 63206);
	assert_marks(pcp_marks_merged(&sizes[6]), 1, 40);
	assert_marks(pcp_marks_merged(&sizes[7]), 15, 60);
	assert_marks(pcp_marks_merged(&sizes[8]), 1, 4);
	assert_marks(pcp_marks_merged(&sizes[9]), 1, 40);
}

/* ---- one set, looked at from inside ---------------------------------------------------------- */

/* The set of CPU 0 and node 0's DMA32 zone, which is the first to be asked. */
static struct pcp_set *first_set(struct page_world *w)
{
	return ((struct pcp_state *)w->allocator.state)->sets;
}

/* A zone as large as the marks say; its real size stays. */
static struct pcp_set *begin(struct page_world *w, enum pcp pcp, uint32_t batch, uint32_t high)
{
	struct pcp_set *set;

	page_world_begin(w, pcp);
	set = first_set(w);
	assert_ptr_equal(set->zone, &w->f.buddy->zones[0][ZONE_DMA32]);
	set->marks = (struct pcp_marks){ batch, high };
	return set;
}

static uint64_t take(struct page_world *w, uint32_t order)
{
	uint64_t pfn = page_alloc(&w->allocator, 0, 0, order);

	assert_true(pfn != BUDDY_NONE);
	return pfn;
}

static void give(struct page_world *w, uint64_t pfn, uint32_t order)
{
	page_free(&w->allocator, 0, pfn, order);
	assert_int_equal(w->allocator.fault_count, 0);
}

static uint32_t length(const struct pcp_set *set, uint32_t list)
{
	uint64_t head = (uint64_t)(uintptr_t)&set->lists[list], at = set->lists[list].next;
	uint32_t blocks = 0;

	for (; at != head; at = ((struct page_list *)(uintptr_t)at)->next)
		blocks++;
	return blocks;
}

/* Marks follow the managed pages, the CPUs of the node or all of them. */
static void test_sets_have_marks(void **unused)
{
	struct page_world *w = page_world_open();
	struct zone_area (*zones)[ZONE_COUNT] = w->f.buddy->zones;
	struct pcp_set *sets;

	(void)unused;
	zones[0][ZONE_DMA32].managed_pages = 3 << 20;
	zones[1][ZONE_DMA32].managed_pages = 1 << 20;
	zones[0][ZONE_DMA].managed_pages = zones[1][ZONE_DMA].managed_pages = 0;
	w->allocator.node_cpus[0] = 8;
	w->allocator.node_cpus[1] = 0;
	page_world_begin(w, PCP_MERGED);
	sets = first_set(w);
	assert_int_equal(((struct pcp_state *)w->allocator.state)->zone_count, 3);
	for (uint32_t cpu = 0; cpu < ALLOC_CPUS; cpu++, sets += 3) {
		assert_marks(sets[0].marks, 63, 777);
		assert_marks(sets[1].marks, 1, 4);
		assert_ptr_equal(sets[1].zone, &zones[0][ZONE_DMA]);
		assert_marks(sets[2].marks, 63, 259);
		assert_ptr_equal(sets[2].zone, &zones[1][ZONE_DMA32]);
	}
	page_world_close(w);
}

/* Which orders are kept, and how many blocks a refill takes. */
static void test_refills(void **unused)
{
	static const uint32_t blocks[4][ORDER_COUNT] = {
		{ 31 },
		{ 31, 31, 31, 31 },
		{ 31, 15, 7, 3, 0, 0, 0, 0, 0, 2 },
		{ 31, 15, 7, 3, 0, 0, 0, 0, 0, 2 },
	};
	struct page_world *w = page_world_open();

	(void)unused;
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t order = 0; order < ORDER_COUNT; order++) {
			struct pcp_set *set = begin(w, linux_ways[i], 31, 100000);
			uint64_t pages = (uint64_t)blocks[i][order] << order, pfn;
			uint64_t locked = set->zone->lock.acquisitions;

			pfn = take(w, order);
			assert_int_equal(set->count, pages ? pages - (1u << order) : 0);
			assert_int_equal(page_allocator_stats(&w->allocator).refilled_pages, pages);
			assert_int_equal(page_allocator_stats(&w->allocator).refills, pages != 0);
			assert_int_equal(set->zone->lock.acquisitions - locked, 1);
			give(w, pfn, order);
			assert_int_equal(set->count, pages);
			assert_int_equal(set->zone->lock.acquisitions - locked, pages ? 1 : 2);
			page_world_assert_restored(w);
		}
	page_world_close(w);
}

/* A batch of one stays one [Linux 5.14 __rmqueue_pcplist]. */
static void test_smallest_batch(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	for (uint32_t i = 0; i < 4; i++) {
		struct pcp_set *set = begin(w, linux_ways[i], 1, 4);

		give(w, take(w, 0), 0);
		assert_int_equal(page_allocator_stats(&w->allocator).refilled_pages, 1);
		assert_int_equal(set->count, 1);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* The list is that of the pageblock freed into; an allocation asks for movable pages only. */
static void test_lists_of_types(void **unused)
{
	static const uint32_t single[4][2] = { { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 } };
	static const uint32_t pair[4][2] = { { 0, 1 }, { 3, 3 }, { 3, 4 }, { 3, 4 } };
	struct page_world *w = page_world_open();

	(void)unused;
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t type = 0; type < 2; type++) {
			struct pcp_set *set = begin(w, linux_ways[i], 7, 1000);
			uint64_t one = take(w, 0), two = take(w, 1);

			page_allocator_drain(&w->allocator);
			w->f.pageblocks[one / 512] = w->f.pageblocks[two / 512] = (uint8_t)type;
			give(w, one, 0);
			assert_int_equal(length(set, single[i][type]), 1);
			give(w, two, 1);
			assert_int_equal(length(set, pair[i][type]), 1);
			if (type == MIGRATE_MOVABLE)
				assert_int_equal(take(w, 0), one);
			else
				assert_int_not_equal(take(w, 0), one);
			w->f.pageblocks[one / 512] = w->f.pageblocks[two / 512] = MIGRATE_MOVABLE;
			page_allocator_drain(&w->allocator);
		}
	page_world_close(w);
}

/* A type that has no list counts as movable. */
static void test_other_types(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	for (uint32_t i = 0; i < 4; i++) {
		struct pcp_set *set = begin(w, linux_ways[i], 1, 1000);
		uint64_t pfn = take(w, 0);

		w->f.pageblocks[pfn / 512] = MIGRATE_UNTYPED;
		give(w, pfn, 0);
		assert_int_equal(length(set, MIGRATE_MOVABLE), 1);
		w->f.pageblocks[pfn / 512] = MIGRATE_MOVABLE;
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

static void take_all(struct page_world *w, uint64_t *pfns, uint32_t count, uint32_t order)
{
	for (uint32_t i = 0; i < count; i++)
		pfns[i] = take(w, order);
}

static void give_all(struct page_world *w, const uint64_t *pfns, uint32_t count, uint32_t order)
{
	for (uint32_t i = 0; i < count; i++)
		give(w, pfns[i], order);
}

/* At the mark a batch goes, from the cold end: what was freed last is still there. */
static void test_drains_at_the_mark(void **unused)
{
	struct page_world *w = page_world_open();
	uint64_t pfns[40];

	(void)unused;
	for (uint32_t i = 0; i < 4; i++) {
		struct pcp_set *set = begin(w, linux_ways[i], 5, 30);

		take_all(w, pfns, 40, 0);
		page_allocator_drain(&w->allocator);
		give_all(w, pfns, 29, 0);
		assert_int_equal(set->count, 29);
		give(w, pfns[29], 0);
		assert_int_equal(set->count, 25);
		assert_int_equal(page_allocator_stats(&w->allocator).drains, 1);
		for (uint32_t page = 29; page >= 5; page--)
			assert_int_equal(take(w, 0), pfns[page]);
		take_all(w, pfns, 5, 0);
		give_all(w, pfns, 40, 0);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* Frees without an allocation drain 5, 10, 20, then all but a batch; an allocation halves that. */
static void test_drains_grow(void **unused)
{
	struct page_world *w = page_world_open();
	uint64_t pfns[200];

	(void)unused;
	for (uint32_t i = 2; i < 4; i++) {
		struct pcp_set *set = begin(w, linux_ways[i], 5, 30);
		static const uint32_t left[] = { 25, 20, 10, 5, 5 };
		uint32_t at = 0;

		take_all(w, pfns, 200, 0);
		page_allocator_drain(&w->allocator);
		for (uint32_t drain = 0; drain < 5; drain++) {
			while (set->count != 29)
				give(w, pfns[at++], 0);
			give(w, pfns[at++], 0);
			assert_int_equal(set->count, left[drain]);
		}
		assert_int_equal(set->free_factor, 3);
		pfns[--at] = take(w, 0);
		assert_int_equal(set->free_factor, 1);
		while (set->count != 29)
			give(w, pfns[at++], 0);
		give(w, pfns[at++], 0);
		assert_int_equal(set->count, 20);
		give_all(w, pfns + at, 200 - at, 0);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* Once frees have drained, orders 1 to 3 are not kept at all; single and huge pages are. */
static void test_high_orders_are_bounded(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	for (uint32_t i = 2; i < 4; i++) {
		struct pcp_set *set = begin(w, linux_ways[i], 2, 1200);
		uint64_t pair = take(w, 1), single = take(w, 0), huge = take(w, 9);

		page_allocator_drain(&w->allocator);
		set->free_factor = 1;
		give(w, single, 0);
		give(w, huge, 9);
		assert_int_equal(set->count, 513);
		give(w, pair, 1);
		assert_int_equal(set->count, 0);
		set->free_factor = 0;
		page_world_assert_restored(w);
		pair = take(w, 1);
		give(w, pair, 1);
		assert_int_equal(set->count, 4);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* 4.9 takes from all lists in turn; of the only list that is not empty, the rest. */
static void test_drain_of_2016_goes_round(void **unused)
{
	struct page_world *w = page_world_open();
	struct pcp_set *set = begin(w, PCP_ORDER0, 6, 20);
	uint64_t pfns[20];

	(void)unused;
	take_all(w, pfns, 20, 0);
	page_allocator_drain(&w->allocator);
	for (uint32_t i = 0; i < 20; i++) {
		w->f.pageblocks[pfns[i] / 512] = i % 2;
		give(w, pfns[i], 0);
	}
	/* list 1, one; list 2 is empty, list 0, two; list 1, one; list 0, two */
	assert_int_equal(length(set, 0), 6);
	assert_int_equal(length(set, 1), 8);
	for (uint32_t i = 0; i < 20; i++)
		w->f.pageblocks[pfns[i] / 512] = MIGRATE_MOVABLE;
	page_world_assert_restored(w);
	page_world_close(w);
}

/* The series of 2016 does likewise, by pages: list 0 is empty, of list 1 two pages; 2 and 3 are
 * empty, of list 4 up to three blocks of four, of which two make the eight. */
static void test_drain_of_the_series(void **unused)
{
	struct page_world *w = page_world_open();
	struct pcp_set *set = begin(w, PCP_HIGH, 8, 24);
	uint64_t fours[3], singles[12];

	(void)unused;
	take_all(w, fours, 3, 2);
	take_all(w, singles, 12, 0);
	page_allocator_drain(&w->allocator);
	give_all(w, fours, 3, 2);
	give_all(w, singles, 12, 0);
	assert_int_equal(length(set, MIGRATE_MOVABLE), 10);
	assert_int_equal(length(set, 4), 1);
	assert_int_equal(page_allocator_stats(&w->allocator).drained_pages, 12 + 12 + 10);
	page_world_assert_restored(w);
	page_world_close(w);
}

/* 5.18 empties the freed page's own list first, then the next ones: four single pages, a pair. */
static void test_drain_of_2022(void **unused)
{
	struct page_world *w = page_world_open();
	struct pcp_set *set = begin(w, PCP_MERGED, 6, 12);
	uint64_t singles[4], pairs[2], four = take(w, 2);

	(void)unused;
	take_all(w, singles, 4, 0);
	take_all(w, pairs, 2, 1);
	page_allocator_drain(&w->allocator);
	give(w, four, 2);
	give_all(w, pairs, 2, 1);
	give_all(w, singles, 4, 0);
	assert_int_equal(length(set, 1), 0);
	assert_int_equal(length(set, 4), 1);
	assert_int_equal(length(set, 7), 1);
	assert_int_equal(set->count, 6);
	page_world_assert_restored(w);
	page_world_close(w);
}

/* In pieces, the zone's lock is taken for each batch, and no more goes than must. */
static void test_drain_in_pieces(void **unused)
{
	struct page_world *w = page_world_open();
	uint64_t pfns[60], locked;

	(void)unused;
	for (uint32_t pieces = 0; pieces < 2; pieces++) {
		struct pcp_set *set = begin(w, PCP_MERGED, 5, 60);

		w->allocator.drain_pieces = pieces;
		take_all(w, pfns, 60, 0);
		page_allocator_drain(&w->allocator);
		give_all(w, pfns, 59, 0);
		set->free_factor = 2;
		set->marks.high = 48;
		locked = set->zone->lock.acquisitions;
		give(w, pfns[59], 0);
		assert_int_equal(set->count, pieces ? 45 : 40);
		assert_int_equal(set->zone->lock.acquisitions - locked, pieces ? 3 : 1);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* A set in use: the zone serves, and that is counted. */
static void test_lock_in_use(void **unused)
{
	struct page_world *w = page_world_open();
	struct pcp_set *set = begin(w, PCP_TRYLOCK, 7, 100);
	uint64_t pfn = take(w, 0), other, pfns[3];

	(void)unused;
	assert_int_equal(set->lock, 0);
	set->lock = 1;
	other = take(w, 0);
	give(w, pfn, 0);
	assert_int_equal(set->count, 6);
	assert_int_equal(page_alloc_many(&w->allocator, 0, 0, pfns, 3), 3);
	assert_int_equal(set->count, 6);
	assert_int_equal(page_allocator_stats(&w->allocator).lock_failures, 2 + 1 + 3);
	set->lock = 0;
	give_all(w, pfns, 3, 0);
	give(w, other, 0);
	assert_int_equal(set->count, 10);
	assert_int_equal(set->lock, 0);
	page_free_many(&w->allocator, 0, pfns, 0);
	page_world_assert_restored(w);
	page_world_close(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks_of_2016),
		cmocka_unit_test(test_marks_of_2021),
		cmocka_unit_test(test_sets_have_marks),
		cmocka_unit_test(test_refills),
		cmocka_unit_test(test_smallest_batch),
		cmocka_unit_test(test_lists_of_types),
		cmocka_unit_test(test_other_types),
		cmocka_unit_test(test_drains_at_the_mark),
		cmocka_unit_test(test_drains_grow),
		cmocka_unit_test(test_high_orders_are_bounded),
		cmocka_unit_test(test_drain_of_2016_goes_round),
		cmocka_unit_test(test_drain_of_the_series),
		cmocka_unit_test(test_drain_of_2022),
		cmocka_unit_test(test_drain_in_pieces),
		cmocka_unit_test(test_lock_in_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
