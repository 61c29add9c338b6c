/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The allocator against a model that knows one byte per frame: on a random map of several nodes,
 * with holes, reservations and zone borders anywhere, under random allocations of all orders.
 * Blocks that are merged as far as they can be follow from the set of free frames alone, so that
 * after every few steps every struct page can be foretold.
 */
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
#include "tests/host/random.h"

enum state { ABSENT, RESERVED, HOLE, PENDING, FREE, HEAD, TAIL };
enum { WINDOW_NODES = 3, NODES = 2 * WINDOW_NODES, ALLOCATED_MAX = 4096 };

/* Around 16 MiB and 4 GiB, where zone types change; each with its own nodes, so that no zone spans
 * the poison between them. */
static const struct window {
	uint64_t start_pfn, end_pfn;
	uint32_t first_node;
} windows[] = { { 1024, 9216, 0 }, { 0x100000 - 5120, 0x100000 + 5120, WINDOW_NODES } };
#define FRAMES (FIXTURE_SECTIONS * SECTION_PAGES)

struct model {
	struct buddy_fixture f;
	uint8_t state[FRAMES], node[FRAMES];
	bool lazy[FRAMES / 1024];     /* that its other pages are not initialised */
	uint8_t fills[FRAMES / 1024]; /* expected, less those seen */
	struct { uint64_t pfn; uint32_t order; } allocated[ALLOCATED_MAX];
	unsigned count;
	uint64_t seed, free_frames;
};

static uint64_t below(struct model *m, uint64_t limit)
{
	return random_next(&m->seed) % limit;
}

static void widen(struct model *m, uint64_t pfn)
{
	struct zone_area *zone = &m->f.buddy->zones[m->node[pfn]][zone_of(pfn)];

	if (zone->start_pfn == zone->end_pfn)
		zone->start_pfn = pfn;
	zone->end_pfn = pfn + 1;
}

/* Pieces of random length, node and kind, in a window whose ends stay poisoned. */
static void draw_window(struct model *m, const struct window *window)
{
	uint64_t pfn = window->start_pfn + below(m, 1500), end = window->end_pfn - below(m, 1500);
	uint64_t longest = below(m, 3) ? 8000 : 40;

	while (pfn < end) {
		uint64_t stop = pfn + 1 + below(m, longest);
		enum state state = below(m, 3) ? PENDING : RESERVED + below(m, 2);
		uint32_t node = window->first_node + (uint32_t)below(m, WINDOW_NODES);

		for (; pfn < stop && pfn < end; pfn++) {
			m->state[pfn] = state;
			m->node[pfn] = node;
			fixture_page(m->f.base, pfn, node,
				     state == RESERVED ? PG_RESERVED : state == HOLE ? PG_HOLE : 0,
				     1);
			m->f.pageblocks[pfn / 512] = MIGRATE_MOVABLE;
			if (state != HOLE)
				widen(m, pfn);
		}
	}
}

static bool same_zone(const struct model *m, uint64_t a, uint64_t b)
{
	return m->node[a] == m->node[b] && zone_of(a) == zone_of(b);
}

static bool all_are(const struct model *m, uint64_t pfn, uint32_t order, enum state state)
{
	for (uint64_t i = 0; i < 1ull << order; i++)
		if (m->state[pfn + i] != state || !same_zone(m, pfn, pfn + i))
			return false;
	return true;
}

static void set(struct model *m, uint64_t pfn, uint32_t order, enum state head, enum state tail)
{
	for (uint64_t i = 0; i < 1ull << order; i++)
		m->state[pfn + i] = i ? tail : head;
}

/* Order of the free block around a free frame. */
static uint32_t block_order(const struct model *m, uint64_t pfn)
{
	uint32_t order = 10;

	while (!all_are(m, pfn >> order << order, order, FREE))
		order--;
	return order;
}

static void fill(void *context, uint64_t pfn)
{
	struct model *m = context;

	m->fills[pfn / 1024]--;
	assert_true(fixture_allocated(m->f.base + pfn));
	for (uint64_t i = 1; i < 1024; i++)
		fixture_page(m->f.base, pfn + i, m->node[pfn], 0, 0);
}

static void free_first(struct model *m, uint64_t pfn, uint32_t order)
{
	if (order == 10 && below(m, 4)) {
		memset(m->f.base + pfn + 1, PAGE_POISON_BYTE, 1023 * sizeof(struct page));
		buddy_free_lazy(m->f.buddy, pfn);
		m->lazy[pfn / 1024] = true;
	} else {
		buddy_free_core(m->f.buddy, pfn, order, true);
	}
	set(m, pfn, order, FREE, FREE);
	m->free_frames += 1ull << order;
}

/* From any frame on, in blocks of any order that fit: every frame is freed once. */
static void free_pending(struct model *m, const struct window *window)
{
	uint64_t pages = window->end_pfn - window->start_pfn, shift = below(m, pages);

	for (uint64_t i = 0; i < pages; i++) {
		uint64_t pfn = window->start_pfn + (i + shift) % pages;
		uint32_t order = below(m, 8) ? 10 : (uint32_t)below(m, 11);

		if (m->state[pfn] != PENDING)
			continue;
		while (!all_are(m, pfn >> order << order, order, PENDING))
			order--;
		free_first(m, pfn >> order << order, order);
	}
}

/* Expected: m->state; blocks not yet handed out that are lazy have no other struct pages. */
static void check_frame(struct model *m, uint64_t pfn, uint64_t *block_end, uint64_t *counts)
{
	const struct page *page = m->f.base + pfn;
	uint64_t state = 0;

	if (m->state[pfn] == FREE && pfn >= *block_end) {
		uint32_t order = block_order(m, pfn);

		*block_end = pfn + (1ull << order);
		counts[order]++;
		assert_int_equal(page->mapcount, PAGE_BUDDY);
		assert_int_equal(page->private_data, order);
		assert_int_equal(page->refcount, 0);
		state = m->lazy[pfn / 1024] ? PG_LAZY : 0;
	} else {
		if (m->state[pfn] == FREE && m->lazy[pfn / 1024]) {
			assert_true(page->flags == UINT64_MAX);
			return;
		}
		assert_int_equal(page->mapcount, -1);
		assert_int_equal(page->private_data, 0);
		assert_true(page->lru_next == fixture_lru(page));
		assert_true(page->lru_prev == fixture_lru(page));
		assert_int_equal(page->refcount, m->state[pfn] != FREE && m->state[pfn] != TAIL);
		state = m->state[pfn] == HOLE ? PG_HOLE :
			m->state[pfn] == RESERVED ? PG_RESERVED : 0;
	}
	assert_int_equal(page->flags & PAGE_STATE_MASK, state);
}

static struct buddy_census check(struct model *m)
{
	struct buddy_census census;
	uint64_t counts[ORDER_COUNT] = { 0 }, lazy = 0;

	for (unsigned w = 0; w < 2; w++) {
		uint64_t block_end = 0;

		for (uint64_t pfn = windows[w].start_pfn; pfn < windows[w].end_pfn; pfn++)
			if (m->state[pfn] != ABSENT)
				check_frame(m, pfn, &block_end, counts);
	}
	for (uint64_t i = 0; i < FRAMES / 1024; i++) {
		lazy += m->lazy[i];
		assert_int_equal(m->fills[i], 0);
	}
	buddy_census(m->f.buddy, &m->f.fake.memmap, &census);
	assert_memory_equal(census.blocks, counts, sizeof(counts));
	assert_int_equal(census.free_pages, m->free_frames);
	assert_int_equal(census.lazy_blocks, lazy);
	assert_int_equal(census.faults, 0);
	assert_int_equal(m->f.buddy->poison_reads, 0);
	assert_int_equal(m->f.buddy->double_frees, 0);
	return census;
}

/* The smallest order of at least `order` of which the zone has blocks, or 11. */
static uint32_t smallest(const struct model *m, uint32_t node, enum zone type, uint32_t order)
{
	const struct zone_area *zone = &m->f.buddy->zones[node][type];
	uint32_t best = 11, block;

	for (uint64_t pfn = zone->start_pfn; pfn < zone->end_pfn; pfn += 1ull << block) {
		block = 0;
		if (m->state[pfn] != FREE || m->node[pfn] != node)
			continue;
		block = block_order(m, pfn);
		if (block >= order && block < best)
			best = block;
	}
	return best;
}

static void handed_out(struct model *m, uint64_t pfn, uint32_t order, uint32_t from)
{
	assert_int_equal(pfn % (1ull << order), 0);
	assert_true(all_are(m, pfn, order, FREE));
	assert_int_equal(block_order(m, pfn), from);
	assert_int_equal(pfn % (1ull << from), 0); /* the lower part of it */
	m->lazy[pfn / 1024] = false;
	set(m, pfn, order, HEAD, TAIL);
	m->allocated[m->count].pfn = pfn;
	m->allocated[m->count++].order = order;
	m->free_frames -= 1ull << order;
}

static void allocate(struct model *m)
{
	uint32_t node = (uint32_t)below(m, NODES), order = (uint32_t)below(m, 11);
	enum zone type = (enum zone)below(m, ZONE_COUNT);
	uint32_t from = smallest(m, node, type, order);
	bool lazy[FRAMES / 1024];
	uint64_t pfn;

	if (from == 11) { /* most often there is no such zone: another chance */
		type = node < WINDOW_NODES ? ZONE_DMA32 : ZONE_NORMAL;
		from = smallest(m, node, type, order);
	}
	/* Which lazy block will be taken is the list's affair; that it is filled once is ours. */
	memcpy(lazy, m->lazy, sizeof(lazy));
	memcpy(m->fills, m->lazy, sizeof(m->fills));
	pfn = buddy_alloc_zone(m->f.buddy, node, type, order);
	if (from == 11) {
		assert_true(pfn == BUDDY_NONE);
	} else {
		assert_true(pfn < FRAMES);
		assert_true(m->node[pfn] == node && zone_of(pfn) == type);
		handed_out(m, pfn, order, from);
		lazy[pfn / 1024] = false;
	}
	for (uint64_t i = 0; i < FRAMES / 1024; i++)
		assert_int_equal(m->fills[i], lazy[i]);
	memset(m->fills, 0, sizeof(m->fills));
}

static void give_back(struct model *m)
{
	unsigned i = (unsigned)below(m, m->count);
	uint64_t pfn = m->allocated[i].pfn;
	uint32_t order = m->allocated[i].order;

	m->allocated[i] = m->allocated[--m->count];
	buddy_free(m->f.buddy, pfn, order);
	set(m, pfn, order, FREE, FREE);
	m->free_frames += 1ull << order;
}

static void check_take_all(struct model *m, uint64_t digest)
{
	static const uint32_t orders[] = { 10, 0, 3 };

	for (unsigned i = 0; i < 3; i++) {
		uint64_t twice;

		memcpy(m->fills, m->lazy, sizeof(m->fills));
		memset(m->lazy, 0, sizeof(m->lazy));
		assert_int_equal(buddy_take_all(m->f.buddy, orders[i], m->f.bitmap, 0, &twice),
				 m->free_frames);
		assert_int_equal(twice, 0);
		assert_true(check(m).digest == digest);
	}
	for (size_t i = 0; i < sizeof(m->f.bitmap) / 8; i++)
		assert_true(!m->f.bitmap[i]);
}

static void run_map(struct model *m, uint64_t seed)
{
	static const uint64_t sections[] = { 0, 31, 32 };
	uint64_t digest;

	memset(m, 0, sizeof(*m));
	m->seed = seed;
	fixture_open(&m->f, sections, 3);
	m->f.buddy->fill = fill;
	m->f.buddy->fill_context = m;
	for (unsigned w = 0; w < 2; w++)
		draw_window(m, &windows[w]);
	for (unsigned w = 0; w < 2; w++)
		free_pending(m, &windows[w]);
	digest = check(m).digest;
	assert_int_equal(check(m).managed_pages, m->free_frames);
	for (unsigned i = 0; i < 200; i++) {
		if (m->count && below(m, 100) < 40)
			give_back(m);
		else
			allocate(m);
		if (i % 25 == 24)
			assert_true(check(m).digest != digest || !m->count);
	}
	while (m->count)
		give_back(m);
	assert_true(check(m).digest == digest);
	check_take_all(m, digest);
	fixture_close(&m->f);
}

static void test_random_maps(void **unused)
{
	struct model *m = test_malloc(sizeof(*m));

	(void)unused;
	for (uint64_t seed = 1; seed <= 40; seed++)
		run_map(m, seed * 0x9e3779b97f4a7c15ull);
	test_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
