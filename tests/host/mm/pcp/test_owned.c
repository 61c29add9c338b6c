/* SPDX-License-Identifier: GPL-2.0-only */
/* Way `owned`: who owns which block, where pages go that others free, what is left of it all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mm/pcp/owned_state.h"
#include "tests/host/owned_fixture.h"
#include "tests/host/random.h"

enum { MANY = NODE0_PAGES };

static struct owned_world world;
static uint64_t pages[ALL_PAGES];

static uint64_t alloc(uint32_t cpu, uint32_t node, uint32_t order)
{
	uint64_t pfn = page_alloc(&world.allocator, cpu, node, order);

	if (pfn == BUDDY_NONE)
		return pfn;
	assert_true(fixture_allocated(world.f.base + pfn));
	assert_int_equal(world.f.base[pfn].index, order);
	assert_int_equal(pfn & ((1u << order) - 1), 0);
	assert_int_equal(world.f.base[pfn].flags >> 52, node);
	return pfn;
}

/* As many as there are, up to `count`. */
static uint32_t alloc_some(uint32_t cpu, uint32_t node, uint32_t count)
{
	uint32_t found = 0;

	for (; found < count; found++) {
		pages[found] = alloc(cpu, node, 0);
		if (pages[found] == BUDDY_NONE)
			break;
	}
	return found;
}

static void release(uint32_t cpu, uint64_t pfn, uint32_t order)
{
	page_free(&world.allocator, cpu, pfn, order);
	assert_int_equal(world.f.base[pfn].refcount, 0);
	assert_int_equal(world.f.base[pfn].index, 0);
}

static void release_some(uint32_t cpu, uint32_t first, uint32_t end)
{
	while (first < end)
		release(cpu, pages[first++], 0);
}

static struct page_alloc_stats stats(void)
{
	return page_allocator_stats(&world.allocator);
}

static uint64_t zone_holds(void)
{
	return world.f.buddy->zones[0][ZONE_DMA32].lock.acquisitions;
}

static struct owned_counts counts(void)
{
	return owned_counts(&world.allocator);
}

static void test_last_in_first_out(void **unused)
{
	(void)unused;
	owned_open(&world);
	for (uint32_t order = 0; order < ORDER_COUNT; order++) {
		uint64_t pfn = alloc(0, 0, order);

		release(0, pfn, order);
		assert_int_equal(alloc(0, 0, order), pfn);
		release(0, pfn, order);
	}
	/* A block of ORDER_MAX does not change owner. Of the others, order 9 did not fit what the
	 * smaller ones had left of the first block. */
	assert_int_equal(counts().blocks, 2);
	assert_int_equal(stats().hits, 4 * ORDER_COUNT - 3);
	owned_drain_and_close(&world);
}

static void test_one_hold_per_block(void **unused)
{
	uint64_t holds;

	(void)unused;
	owned_open(&world);
	holds = zone_holds();
	assert_int_equal(alloc_some(0, 0, 1024), 1024);
	assert_int_equal(zone_holds() - holds, 1);
	assert_int_equal(counts().blocks, 1);
	for (uint32_t i = 1; i < 1024; i++)
		assert_int_equal(pages[i] >> 10, pages[0] >> 10);
	pages[1024] = alloc(0, 0, 0);
	assert_int_equal(zone_holds() - holds, 2);
	assert_int_equal(counts().blocks, 2);
	assert_int_equal(stats().hits, 1023);
	owned_assert_balance(&world, 1025);
	release_some(0, 0, 1025);
	owned_drain_and_close(&world);
}

/* The head of a block is as free as the rest of it, though the zone handed it out. */
static void test_rest_of_a_block_is_free(void **unused)
{
	uint64_t pfn;

	(void)unused;
	owned_open(&world);
	pfn = alloc(0, 0, 9);
	assert_int_equal(pfn % BLOCK_PAGES, 512);
	for (uint32_t i = 1; i <= 512; i++)
		assert_int_equal(world.f.base[pfn - i].refcount, 0);
	page_free(&world.allocator, 0, pfn - 512, 0);
	assert_int_equal(world.allocator.fault_count, 1);
	assert_int_equal(world.allocator.fault.kind, FREE_FAULT_DOUBLE);
	world.allocator.fault_count = 0;
	release(0, pfn, 9);
	owned_drain_and_close(&world);
}

/* Ten blocks filled and emptied: all but those kept, and those of which pages are on the stack, go
 * back, under a hold each. */
static void test_keeps_few_whole_blocks(void **unused)
{
	uint64_t holds;

	(void)unused;
	owned_open(&world);
	assert_int_equal(alloc_some(0, 0, 10240), 10240);
	assert_int_equal(counts().blocks, 10);
	holds = zone_holds();
	release_some(0, 0, 10240);
	assert_int_equal(counts().whole, OWNED_KEEP);
	assert_int_equal(counts().blocks, OWNED_KEEP + 1);
	assert_int_equal(zone_holds() - holds, 10 - OWNED_KEEP - 1);
	assert_int_equal(stats().hits, 10240 - 10 + 10240 - 7);
	owned_assert_balance(&world, 0);
	/* They come first, before the zone is asked. */
	holds = zone_holds();
	assert_int_equal(alloc_some(0, 0, 3072), 3072);
	assert_int_equal(zone_holds(), holds);
	assert_int_equal(counts().whole, 0);
	release_some(0, 0, 3072);
	owned_drain_and_close(&world);
}

static void test_freed_elsewhere_comes_back(void **unused)
{
	(void)unused;
	owned_open(&world);
	assert_int_equal(alloc_some(0, 0, 1024), 1024);
	release_some(1, 0, 1000);
	assert_int_equal(stats().remote_frees, 1000);
	assert_int_equal(counts().stacked, 0);
	assert_true(counts().boxed <= OWNED_BOXES * 64);
	owned_assert_balance(&world, 24);
	/* The word that CPU 1 has not finished stays with it. */
	assert_int_equal(counts().loose, 1000 / 64 * 64);
	for (uint32_t i = 0; i < 1000 / 64 * 64; i++)
		assert_int_equal(alloc(0, 0, 0) >> 10, pages[1023] >> 10);
	assert_int_equal(stats().refills, 1);
	for (uint32_t i = 0; i < 1000 / 64 * 64; i++)
		release(2, pages[i], 0);
	release_some(0, 1000, 1024);
	owned_drain_and_close(&world);
}

/* An owner who never calls again keeps no more than one who does. */
static void test_idle_owner(void **unused)
{
	uint64_t state = 5;

	(void)unused;
	owned_open(&world);
	assert_int_equal(alloc_some(0, 0, 20480), 20480);
	for (uint32_t i = 20479; i > 0; i--) {
		uint32_t other = (uint32_t)(random_next(&state) % (i + 1));
		uint64_t pfn = pages[i];

		pages[i] = pages[other];
		pages[other] = pfn;
	}
	for (uint32_t i = 0; i < 20480; i++)
		release(1 + i % 3, pages[i], 0);
	/* Up to a word per box of three CPUs keeps a block from being whole. */
	assert_true(counts().blocks <= OWNED_KEEP + 3 * OWNED_BOXES);
	assert_true(stats().drained_pages >= (20 - OWNED_KEEP - 3 * OWNED_BOXES) * 1024);
	assert_int_equal(stats().remote_frees, 20480);
	owned_drain_and_close(&world);
}

/* Memory that another CPU keeps is found, but for its stack. */
static void test_zone_empty(void **unused)
{
	uint32_t all, found;
	struct owned_counts before;

	(void)unused;
	owned_open(&world);
	all = alloc_some(2, 0, MANY + 1);
	assert_int_equal(all, NODE0_PAGES);
	assert_int_equal(stats().failures, 1);
	for (uint32_t i = 0; i < all; i += 2)
		release(2, pages[i], 0);
	before = counts();
	assert_true(before.stacked <= 128);
	found = 0;
	while (alloc(1, 0, 0) != BUDDY_NONE)
		found++;
	assert_true(before.loose > NODE0_PAGES / 4);
	assert_true(found >= before.loose);
	assert_int_equal(counts().loose, 0);
	assert_int_equal(stats().failures, 2);
	assert_true(alloc(0, 0, 1) == BUDDY_NONE);
	/* All are CPU 1's or were not freed; who frees them does not matter. */
	for (uint64_t pfn = 0; pfn < NODE0_END; pfn = pfn == DMA_END - 1 ? NODE0_FIRST : pfn + 1)
		if (pfn >= DMA_FIRST && world.f.base[pfn].refcount == 1)
			release(pfn % 4, pfn, 0);
	owned_drain_and_close(&world);
}

/* The same for blocks that are kept because they are wholly free. */
static void test_whole_blocks_are_found(void **unused)
{
	uint32_t blocks = 0;

	(void)unused;
	owned_open(&world);
	assert_int_equal(alloc_some(0, 1, 4096), 4096);
	release_some(0, 0, 4096);
	assert_int_equal(counts().whole, OWNED_KEEP);
	while ((pages[blocks] = alloc(1, 1, ORDER_MAX)) != BUDDY_NONE)
		blocks++;
	assert_int_equal(blocks, 31); /* one has pages on CPU 0's stack */
	assert_int_equal(counts().whole, 0);
	for (uint32_t i = 0; i < blocks; i++)
		release(2, pages[i], ORDER_MAX);
	owned_drain_and_close(&world);
}

/* What this CPU keeps in small pieces is put together before an allocation fails. */
static void test_own_pieces_are_merged(void **unused)
{
	uint32_t blocks = 0;

	(void)unused;
	owned_open(&world);
	assert_int_equal(alloc_some(0, 1, 1024), 1024);
	release_some(0, 0, 1024);
	assert_int_equal(counts().stacked, 128);
	while ((pages[blocks] = alloc(0, 1, ORDER_MAX)) != BUDDY_NONE)
		blocks++;
	assert_int_equal(blocks, 32);
	for (uint32_t i = 0; i < blocks; i++)
		release(0, pages[i], ORDER_MAX);
	owned_drain_and_close(&world);
}

static void test_small_zone_keeps_its_blocks(void **unused)
{
	struct page_allocator *a = &world.allocator;

	(void)unused;
	owned_open(&world);
	a->node_cpus[0] = 64 / OWNED_SHARE + 1;
	page_allocator_init(a, PCP_OWNED, world.state);
	assert_int_equal(alloc_some(0, 0, 100), 100);
	assert_int_equal(counts().blocks, 0);
	/* An eighth of a batch at a time. */
	assert_int_equal(stats().refills, 13);
	release_some(1, 0, 100);
	assert_int_equal(stats().remote_frees, 0);
	assert_int_equal(counts().stacked, 104);
	a->node_cpus[0] = OWNED_CPUS;
	owned_drain_and_close(&world);
}

static void test_nodes_are_apart(void **unused)
{
	(void)unused;
	owned_open(&world);
	assert_int_equal(alloc_some(3, 1, 100), 100);
	pages[100] = alloc(3, 0, 0);
	assert_int_equal(counts().blocks, 2);
	release_some(3, 0, 101);
	assert_int_equal(alloc(3, 1, 0), pages[99]);
	assert_int_equal(alloc(3, 0, 0), pages[100]);
	assert_true(page_alloc(&world.allocator, 3, 2, 0) == BUDDY_NONE);
	release(0, pages[99], 0);
	release(0, pages[100], 0);
	assert_int_equal(stats().remote_frees, 2);
	owned_drain_and_close(&world);
}

/* A block of ORDER_MAX is the zone's; a smaller one is its owner's, whatever its pieces are now. */
static void test_split(void **unused)
{
	uint64_t large, small;

	(void)unused;
	owned_open(&world);
	large = alloc(0, 0, ORDER_MAX);
	small = alloc(0, 0, 7);
	page_split(&world.allocator, large, ORDER_MAX);
	page_split(&world.allocator, small, 7);
	for (uint32_t i = 0; i < 1024; i++)
		release(i % 2, large + i, 0);
	for (uint32_t i = 0; i < 128; i++)
		release(1, small + i, 0);
	assert_int_equal(stats().remote_frees, 128);
	assert_int_equal(counts().boxed, 0);
	owned_drain_and_close(&world);
}

static void test_many_at_once(void **unused)
{
	(void)unused;
	owned_open(&world);
	assert_int_equal(page_alloc_many(&world.allocator, 0, 1, pages, 40000), 32768);
	assert_int_equal(stats().allocations, 32768);
	page_free_many(&world.allocator, 0, pages, 16384);
	assert_int_equal(stats().remote_frees, 0);
	page_free_many(&world.allocator, 2, pages + 16384, 16384);
	assert_int_equal(stats().remote_frees, 16384);
	assert_int_equal(stats().frees, 32768);
	assert_int_equal(counts().stacked, 128);
	assert_true(counts().blocks <= OWNED_KEEP + 1 + 4);
	owned_drain_and_close(&world);
}

/* The bounds that mm/pcp/owned.h gives, and a stack behind the other. */
static void test_stacks(void **unused)
{
	uint64_t entries = 0, held = 0;

	(void)unused;
	for (uint32_t order = 0; order < ORDER_COUNT; order++) {
		assert_int_equal(owned_stacks[order].start, entries);
		assert_true(owned_stacks[order].capacity > 0);
		entries += owned_stacks[order].capacity;
		held += (uint64_t)owned_stacks[order].capacity << order;
	}
	assert_int_equal(entries, STACK_ENTRIES);
	assert_int_equal(held, OWNED_STACK_PAGES);
}

static void test_words(void **unused)
{
	uint64_t state = 7;

	(void)unused;
	assert_int_equal(word_runs(0xff, 3), 1);
	assert_int_equal(word_runs(0xff0, 2), 0x110);
	assert_int_equal(word_runs(0x7fe, 2), 0x10);
	assert_int_equal(word_runs(UINT64_MAX, 6), 1);
	assert_int_equal(word_runs(UINT64_MAX - 1, 5), 1ull << 32);
	assert_int_equal(word_spread(0x110, 2), 0xff0);
	assert_int_equal(word_lowest(0x110), 4);
	for (uint32_t i = 0; i < 1000; i++) {
		uint64_t word = random_next(&state) & random_next(&state);
		uint32_t bits = 0;

		for (uint32_t bit = 0; bit < 64; bit++)
			bits += word >> bit & 1;
		assert_int_equal(word_count(word), bits);
	}
	assert_int_equal(word_count(UINT64_MAX), 64);
}

/* ---- all of it against an oracle ------------------------------------------------------------- */

enum { HELD = 3000, STEPS = 60000 };

static struct { uint64_t pfn; uint32_t order; } held[HELD];
static uint32_t held_count;
static uint64_t held_pages;
static uint8_t taken[NODE1_END];

static void mark(uint64_t pfn, uint32_t order, uint8_t from)
{
	for (uint64_t i = pfn; i < pfn + (1u << order); i++) {
		assert_int_equal(taken[i], from);
		taken[i] = !from;
	}
	held_pages += from ? -(1ull << order) : 1ull << order;
}

static void step(uint64_t *state)
{
	uint32_t cpu = (uint32_t)(random_next(state) % OWNED_CPUS);
	uint32_t order = (uint32_t)(random_next(state) % 40);
	uint32_t i;

	order = order < ORDER_COUNT ? order : order % 4;
	if (held_count < HELD && random_next(state) % 5 < 3) {
		uint64_t pfn = alloc(cpu, random_next(state) % 2, order);

		if (pfn == BUDDY_NONE)
			return;
		mark(pfn, order, 0);
		held[held_count].pfn = pfn;
		held[held_count++].order = order;
	} else if (held_count) {
		i = (uint32_t)(random_next(state) % held_count);
		mark(held[i].pfn, held[i].order, 1);
		release(cpu, held[i].pfn, held[i].order);
		held[i] = held[--held_count];
	}
}

static void test_model(void **unused)
{
	uint64_t state = 88172645463325252;

	(void)unused;
	owned_open(&world);
	for (uint32_t i = 0; i < STEPS; i++) {
		step(&state);
		if (i % 5000 == 0)
			owned_assert_balance(&world, held_pages);
		if (i % 20000 == 19999) {
			page_allocator_drain(&world.allocator);
			owned_assert_sound(&world, held_pages);
		}
	}
	assert_true(stats().failures > 0);
	while (held_count) {
		held_count--;
		mark(held[held_count].pfn, held[held_count].order, 1);
		release(held_count % OWNED_CPUS, held[held_count].pfn, held[held_count].order);
	}
	owned_drain_and_close(&world);
}

/* Of two who free the same page in the same moment one is told by the bit. */
static void test_bits_set_twice(void **unused)
{
	uint64_t pfn;

	(void)unused;
	owned_open(&world);
	pfn = alloc(0, 0, 3);
	world.allocator.way->free(&world.allocator, 1, pfn, 3);
	world.allocator.way->free(&world.allocator, 2, pfn, 3);
	for (uint32_t cpu = OWNED_CPUS; cpu-- > 0;)
		world.allocator.way->drain(&world.allocator, cpu);
	assert_int_equal(world.f.buddy->double_frees, 1);
	world.f.buddy->double_frees = 0;
	owned_assert_sound(&world, 0);
	owned_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_in_first_out),
		cmocka_unit_test(test_one_hold_per_block),
		cmocka_unit_test(test_rest_of_a_block_is_free),
		cmocka_unit_test(test_keeps_few_whole_blocks),
		cmocka_unit_test(test_freed_elsewhere_comes_back),
		cmocka_unit_test(test_idle_owner),
		cmocka_unit_test(test_zone_empty),
		cmocka_unit_test(test_whole_blocks_are_found),
		cmocka_unit_test(test_own_pieces_are_merged),
		cmocka_unit_test(test_small_zone_keeps_its_blocks),
		cmocka_unit_test(test_nodes_are_apart),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_many_at_once),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_bits_set_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
