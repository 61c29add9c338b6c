/* SPDX-License-Identifier: GPL-2.0-only */
/* All ways of keeping pages per CPU: the same battery for each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mm/buddy/buddy_census.h"
#include "tests/host/page_alloc_fixture.h"
#include "tests/host/random.h"

enum { BLOCKS_MAX = 3000, STEPS = 20000 };

/* ---- random operations against an oracle that knows each frame's owner ----------------------- */

struct model {
	struct page_world *w;
	uint64_t seed;
	uint8_t used[ALLOC_END];
	struct { uint64_t pfn; uint32_t order; } blocks[BLOCKS_MAX];
	uint32_t count;
	uint64_t pages, allocations, frees, failures;
};

static uint64_t below(struct model *m, uint64_t limit)
{
	return random_next(&m->seed) % limit;
}

static uint32_t any_cpu(struct model *m)
{
	return (uint32_t)below(m, ALLOC_CPUS);
}

static void mark(struct model *m, uint64_t pfn, uint32_t order, bool to)
{
	for (uint64_t i = 0; i < 1ull << order; i++) {
		assert_int_equal(m->used[pfn + i], !to);
		m->used[pfn + i] = to;
	}
	m->pages += to ? 1ull << order : -(1ull << order);
}

/* As mm/pcp/page_alloc.h says. */
static void assert_block(struct model *m, uint64_t pfn, uint32_t order)
{
	const struct page *page = m->w->f.base + pfn;

	assert_int_equal(pfn % (1ull << order), 0);
	assert_true(fixture_allocated(page));
	assert_int_equal(page->index, order);
	for (uint64_t i = 0; i < 1ull << order; i++) {
		assert_true(page_world_usable(pfn + i));
		assert_true(i == 0 || (!page[i].refcount && !page[i].index));
	}
}

static void keep(struct model *m, uint64_t pfn, uint32_t order, uint32_t node)
{
	assert_block(m, pfn, order);
	assert_int_equal(m->w->f.base[pfn].flags >> PAGE_NODE_SHIFT, node);
	mark(m, pfn, order, true);
	m->blocks[m->count].pfn = pfn;
	m->blocks[m->count++].order = order;
	m->allocations++;
}

static uint64_t forget(struct model *m, uint32_t index)
{
	uint64_t pfn = m->blocks[index].pfn;

	mark(m, pfn, m->blocks[index].order, false);
	m->blocks[index] = m->blocks[--m->count];
	m->frees++;
	return pfn;
}

static void allocate(struct model *m)
{
	uint32_t order = below(m, 3) ? (uint32_t)below(m, 4) : (uint32_t)below(m, ORDER_COUNT);
	uint32_t node = (uint32_t)below(m, ALLOC_NODES);
	uint64_t pfn = page_alloc(&m->w->allocator, any_cpu(m), node, order);

	if (pfn == BUDDY_NONE)
		m->failures++;
	else
		keep(m, pfn, order, node);
}

static void allocate_many(struct model *m)
{
	uint32_t count = (uint32_t)below(m, 130), node = (uint32_t)below(m, ALLOC_NODES), found;
	uint64_t pfns[130];

	found = page_alloc_many(&m->w->allocator, any_cpu(m), node, pfns, count);
	assert_true(found <= count);
	m->failures += found != count;
	for (uint32_t i = 0; i < found; i++)
		keep(m, pfns[i], 0, node);
}

static void release(struct model *m)
{
	uint32_t index = (uint32_t)below(m, m->count), order = m->blocks[index].order;

	page_free(&m->w->allocator, any_cpu(m), forget(m, index), order);
}

/* As many single pages as there are among the last ones. */
static void release_many(struct model *m)
{
	uint64_t pfns[100];
	uint32_t found = 0, limit = (uint32_t)below(m, 100);

	for (uint32_t i = m->count; i-- > 0 && found < limit;)
		if (!m->blocks[i].order)
			pfns[found++] = forget(m, i);
	page_free_many(&m->w->allocator, any_cpu(m), pfns, found);
}

static void split(struct model *m)
{
	uint32_t index = (uint32_t)below(m, m->count), order = m->blocks[index].order;
	uint64_t pfn = m->blocks[index].pfn;

	if (m->count + (1u << order) > BLOCKS_MAX)
		return;
	page_split(&m->w->allocator, pfn, order);
	m->blocks[index].order = 0;
	for (uint64_t i = 0; i < 1ull << order; i++) {
		assert_block(m, pfn + i, 0);
		if (!i)
			continue;
		m->blocks[m->count].pfn = pfn + i;
		m->blocks[m->count++].order = 0;
	}
}

static void step(struct model *m, bool grow)
{
	uint64_t what = below(m, 40);

	if (m->count + 130 > BLOCKS_MAX || (m->count && below(m, 8) < (grow ? 3 : 5)))
		what < 2 ? release_many(m) : release(m);
	else if (what == 0)
		allocate_many(m);
	else if (what == 1 && m->count)
		split(m);
	else
		allocate(m);
}

static void test_model(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	for_each_way(w, pcp) {
		struct model *m = test_calloc(1, sizeof(*m));
		struct page_alloc_stats stats;

		m->w = w;
		m->seed = pcp + 1;
		for (uint32_t i = 0; i < STEPS; i++)
			step(m, i / (STEPS / 8) % 2 == 0);
		while (m->count)
			release(m);
		assert_int_equal(w->allocator.fault_count, 0);
		page_world_assert_restored(w);
		stats = page_allocator_stats(&w->allocator);
		assert_int_equal(stats.allocations, m->allocations);
		assert_int_equal(stats.frees, m->frees);
		assert_int_equal(stats.failures, m->failures);
		test_free(m);
	}
	page_world_close(w);
}

/* ---- nothing is lost while it is kept -------------------------------------------------------- */

/* Everything of a node as single pages, from one CPU, and back on all: whatever was kept before is
 * found again or in a zone. */
static void test_all_of_a_node(void **unused)
{
	struct page_world *w = page_world_open();
	uint64_t *pfns = test_calloc(ALLOC_END, sizeof(*pfns));

	(void)unused;
	for_each_way(w, pcp) {
		for (uint32_t round = 0; round < 3; round++) {
			uint64_t count = 0, node_pages = 0;

			for (uint32_t type = 0; type < ZONE_COUNT; type++)
				node_pages += w->f.buddy->zones[0][type].managed_pages;
			while ((pfns[count] = page_alloc(&w->allocator, 0, 0, 0)) != BUDDY_NONE)
				count++;
			assert_int_equal(count, node_pages);
			for (uint64_t i = 0; i < count; i++)
				page_free(&w->allocator, i % ALLOC_CPUS, pfns[i], 0);
			page_allocator_drain(&w->allocator);
		}
		assert_int_equal(page_allocator_stats(&w->allocator).failures, 3);
		if (pcp != PCP_OWNED)
			assert_int_equal(page_allocator_stats(&w->allocator).refilled_pages,
					 page_allocator_stats(&w->allocator).drained_pages);
		page_world_assert_restored(w);
	}
	test_free(pfns);
	page_world_close(w);
}

static uint64_t pages_in_zones(struct page_world *w)
{
	struct buddy_census census;

	buddy_census(w->f.buddy, &w->f.fake.memmap, &census);
	return census.free_pages;
}

/* Single pages only, and there are enough: what left the zones and is not back was counted. */
static void test_counters_add_up(void **unused)
{
	struct page_world *w = page_world_open();
	uint64_t pfns[2000], out = 0, seed = 5;

	(void)unused;
	for_each_way(w, pcp) {
		struct page_alloc_stats stats;

		for (uint32_t i = 0; i < 30000; i++) {
			uint64_t draw = random_next(&seed);

			if (out < 2000 && (!out || draw % 2))
				pfns[out++] = page_alloc(&w->allocator, draw / 2 % 4,
							 draw / 8 % 2, 0);
			else
				page_free(&w->allocator, draw / 2 % 4, pfns[--out], 0);
			if (i % 1000)
				continue;
			stats = page_allocator_stats(&w->allocator);
			assert_int_equal(stats.allocations - stats.frees, out);
			assert_true(stats.hits <= stats.allocations + stats.frees);
			if (pcp == PCP_NONE)
				assert_int_equal(stats.hits + stats.refills + stats.drains, 0);
			else
				assert_int_equal(stats.refilled_pages - stats.drained_pages,
						 w->pages - pages_in_zones(w));
			if (pcp != PCP_NONE && pcp != PCP_OWNED)
				assert_int_equal(stats.hits + stats.refills + stats.drains,
						 stats.allocations + stats.frees);
		}
		while (out)
			page_free(&w->allocator, 0, pfns[--out], 0);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* ---- how they are guarded, and what each CPU has --------------------------------------------- */

static int guard_depth, guard_uses;

static uint64_t guard_off(void)
{
	assert_int_equal(guard_depth++, 0);
	guard_uses++;
	return 0x202;
}

static void guard_restore(uint64_t flags)
{
	assert_int_equal(flags, 0x202);
	assert_int_equal(--guard_depth, 0);
}

static void test_interrupts_are_off(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	w->allocator.irq = (struct irq_guard){ guard_off, guard_restore };
	for_each_way(w, pcp) {
		for (uint32_t order = 0; order < ORDER_COUNT; order++) {
			int before = guard_uses;
			uint64_t pfn = page_alloc(&w->allocator, 0, 0, order);

			assert_true(guard_uses > before);
			before = guard_uses;
			page_free(&w->allocator, 1, pfn, order);
			assert_true(guard_uses > before);
		}
		uint64_t pfns[100];
		int before = guard_uses;

		assert_int_equal(page_alloc_many(&w->allocator, 0, 0, pfns, 100), 100);
		if (page_alloc_way(pcp)->alloc_many)
			assert_int_equal(guard_uses - before, 1);
		page_free_many(&w->allocator, 0, pfns, 100);
		before = guard_uses;
		page_allocator_drain(&w->allocator);
		assert_true(pcp == PCP_NONE || guard_uses > before);
		assert_int_equal(guard_depth, 0);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* A pair over and over takes no zone lock; what one CPU freed last it gets first. */
static void test_pairs_stay_with_the_cpu(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	for_each_way(w, pcp) {
		uint64_t pfn = page_alloc(&w->allocator, 1, 0, 0), locked;
		struct zone_area *zone = &w->f.buddy->zones[0][ZONE_DMA32];

		page_free(&w->allocator, 1, pfn, 0);
		locked = zone->lock.acquisitions;
		for (uint32_t i = 0; i < 100; i++) {
			assert_int_equal(page_alloc(&w->allocator, 1, 0, 0), pfn);
			page_free(&w->allocator, 1, pfn, 0);
		}
		assert_int_equal(zone->lock.acquisitions - locked, pcp == PCP_NONE ? 200 : 0);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* Nodes that are not there, and nothing to free. */
static void test_nothing_to_give(void **unused)
{
	struct page_world *w = page_world_open();
	uint64_t pfns[4] = { 0 };

	(void)unused;
	for_each_way(w, pcp) {
		assert_true(page_alloc(&w->allocator, 0, 2, 0) == BUDDY_NONE);
		assert_true(page_alloc(&w->allocator, 0, NODE_MAX - 1, 3) == BUDDY_NONE);
		assert_int_equal(page_alloc_many(&w->allocator, 0, 7, pfns, 4), 0);
		page_free_many(&w->allocator, 0, pfns, 0);
		assert_int_equal(page_allocator_stats(&w->allocator).failures, 3);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

static uint32_t node_of(const struct page_world *w, uint64_t pfn)
{
	return (uint32_t)(w->f.base[pfn].flags >> PAGE_NODE_SHIFT);
}

/* The node that is asked for, then the lowest; none from `node_count` on. */
static void test_near(void **unused)
{
	struct page_world *w = page_world_open();
	uint64_t near, other;

	(void)unused;
	for_each_way(w, pcp) {
		near = page_alloc_near(&w->allocator, 0, 1, 2, 2);
		other = page_alloc_near(&w->allocator, 0, 5, 2, 2);
		assert_int_equal(node_of(w, near), 1);
		assert_int_equal(node_of(w, other), 0);
		assert_true(page_alloc_near(&w->allocator, 0, 5, 0, 2) == BUDDY_NONE);
		page_free(&w->allocator, 0, near, 2);
		page_free(&w->allocator, 0, other, 2);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_all_of_a_node),
		cmocka_unit_test(test_counters_add_up),
		cmocka_unit_test(test_interrupts_are_off),
		cmocka_unit_test(test_pairs_stay_with_the_cpu),
		cmocka_unit_test(test_nothing_to_give),
		cmocka_unit_test(test_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
