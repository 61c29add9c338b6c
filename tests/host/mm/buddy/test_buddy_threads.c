/* SPDX-License-Identifier: GPL-2.0-only */
/* Several CPUs on one zone, and on two zones that share a block; for the thread sanitizer too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <pthread.h>
#include <unistd.h>

#include "mm/buddy/buddy_census.h"
#include "mm/buddy/buddy_take.h"
#include "tests/host/buddy_fixture.h"
#include "tests/host/random.h"

enum { THREADS = 4, FIRST = 65536, BLOCKS = 24, END = FIRST + BLOCKS * 1024, STEPS = 12000,
       KEPT = 64 };

struct world {
	struct buddy_fixture f;
	pthread_barrier_t start;
	_Atomic uint32_t owner[END - FIRST]; /* 1 + index of the thread that has the frame */
	_Atomic uint64_t mistakes, filled[BLOCKS], pages;
};

struct worker {
	struct world *world;
	uint32_t index;
	pthread_t thread;
	uint64_t seed;
	struct { uint64_t pfn; uint32_t order; } kept[KEPT];
	uint32_t count;
};

static void fill(void *context, uint64_t pfn)
{
	struct world *world = context;

	world->filled[(pfn - FIRST) / 1024]++;
	for (uint64_t i = 1; i < 1024; i++)
		fixture_page(world->f.base, pfn + i, 0, 0, 0);
}

static struct world *open_world(void)
{
	static const uint64_t sections[] = { 2 };
	struct world *world = test_calloc(1, sizeof(*world));

	fixture_open(&world->f, sections, 1);
	world->f.buddy->zones[0][ZONE_DMA32].start_pfn = FIRST;
	world->f.buddy->zones[0][ZONE_DMA32].end_pfn = END;
	world->f.buddy->fill = fill;
	world->f.buddy->fill_context = world;
	pthread_barrier_init(&world->start, NULL, THREADS);
	return world;
}

static void close_world(struct world *world)
{
	pthread_barrier_destroy(&world->start);
	fixture_close(&world->f);
	test_free(world);
}

static void run(struct world *world, void *(*function)(void *))
{
	static struct worker workers[THREADS];

	for (uint32_t i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .world = world, .index = i, .seed = i + 1 };
		assert_int_equal(pthread_create(&workers[i].thread, NULL, function, &workers[i]),
				 0);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	assert_int_equal(world->mistakes, 0);
}

static void assert_sound(struct world *world, uint64_t free_pages, struct buddy_census *census)
{
	const struct buddy *buddy = world->f.buddy;

	buddy_census(buddy, &world->f.fake.memmap, census);
	assert_int_equal(census->faults, 0);
	assert_int_equal(census->free_pages, free_pages);
	assert_int_equal(census->managed_pages, free_pages);
	assert_int_equal(buddy->poison_reads, 0);
	assert_int_equal(buddy->typed_twice, 0);
	assert_int_equal(buddy->double_frees, 0);
}

/* As the workers of an initialisation do: a block each in turn, every third one lazily. */
static void *initialise(void *argument)
{
	struct worker *w = argument;
	struct buddy *buddy = w->world->f.buddy;

	pthread_barrier_wait(&w->world->start);
	for (uint64_t block = w->index; block < BLOCKS; block += THREADS) {
		uint64_t pfn = FIRST + block * 1024, pages = block % 3 ? 1024 : 1;

		for (uint64_t i = 0; i < pages; i++)
			fixture_page(buddy->base, pfn + i, 0, 0, 1);
		buddy_type_pageblock(buddy, pfn, MIGRATE_MOVABLE);
		buddy_type_pageblock(buddy, pfn + 512, MIGRATE_MOVABLE);
		if (pages == 1)
			buddy_free_lazy(buddy, pfn);
		else
			buddy_free_core(buddy, pfn, 10, true);
	}
	return NULL;
}

/* Frames go from `from` to `to`: whoever finds another owner has been handed what is not free. */
static void own(struct worker *w, uint64_t pfn, uint32_t order, uint32_t from, uint32_t to)
{
	for (uint64_t i = pfn - FIRST; i < pfn - FIRST + (1ull << order); i++)
		if (atomic_exchange_explicit(&w->world->owner[i], to, memory_order_relaxed) !=
		    from)
			w->world->mistakes++;
}

static void release(struct worker *w)
{
	uint32_t i = (uint32_t)(random_next(&w->seed) % w->count);
	uint64_t pfn = w->kept[i].pfn;
	uint32_t order = w->kept[i].order;

	w->kept[i] = w->kept[--w->count];
	own(w, pfn, order, w->index + 1, 0);
	w->world->f.base[pfn].memcg_data = 0;
	buddy_free(w->world->f.buddy, pfn, order);
}

static void acquire(struct worker *w)
{
	uint32_t order = (uint32_t)(random_next(&w->seed) % 16);
	uint64_t pfn;

	order = order < ORDER_COUNT ? order : order - ORDER_COUNT;
	pfn = buddy_alloc_node(w->world->f.buddy, 0, order);
	if (pfn == BUDDY_NONE)
		return;
	own(w, pfn, order, 0, w->index + 1);
	w->world->f.base[pfn].memcg_data = w->index; /* an owner writes, not atomically */
	w->kept[w->count].pfn = pfn;
	w->kept[w->count++].order = order;
	atomic_fetch_add(&w->world->pages, 1ull << order);
}

static void *allocate_and_free(void *argument)
{
	struct worker *w = argument;

	pthread_barrier_wait(&w->world->start);
	for (uint32_t i = 0; i < STEPS; i++) {
		if (w->count == KEPT || (w->count && random_next(&w->seed) % 2))
			release(w);
		else
			acquire(w);
	}
	while (w->count)
		release(w);
	return NULL;
}

static void test_one_zone(void **unused)
{
	struct world *world = open_world();
	struct buddy_census before, after;
	uint64_t twice;

	(void)unused;
	run(world, initialise);
	assert_sound(world, END - FIRST, &before);
	assert_int_equal(before.lazy_blocks, BLOCKS / 3);
	run(world, allocate_and_free);
	assert_sound(world, END - FIRST, &after);
	assert_true(after.digest == before.digest);
	assert_true(world->pages > END - FIRST);
	assert_int_equal(buddy_take_all(world->f.buddy, 0, world->f.bitmap, 0, &twice),
			 END - FIRST);
	assert_int_equal(twice, 0);
	for (uint64_t block = 0; block < BLOCKS; block++)
		assert_int_equal(world->filled[block], block % 3 == 0);
	close_world(world);
}

/* Two nodes take turns in one block, all struct pages of which are there: one zone's merges read
 * what the other's lock covers. */
static void *two_nodes(void *argument)
{
	struct worker *w = argument;
	struct buddy *buddy = w->world->f.buddy;

	pthread_barrier_wait(&w->world->start);
	for (uint32_t i = 0; i < STEPS; i++) {
		uint64_t pfn = buddy_alloc_zone(buddy, w->index % 2, ZONE_DMA32, i % 4);

		if (pfn == BUDDY_NONE)
			continue;
		if ((pfn >> 3) % 2 != w->index % 2)
			w->world->mistakes++;
		buddy_free(buddy, pfn, i % 4);
	}
	return NULL;
}

static void test_two_zones_in_a_block(void **unused)
{
	struct world *world = open_world();
	struct buddy *buddy = world->f.buddy;
	struct buddy_census census;

	(void)unused;
	buddy->zones[1][ZONE_DMA32].start_pfn = FIRST;
	buddy->zones[1][ZONE_DMA32].end_pfn = END;
	buddy_type_pageblock(buddy, FIRST, MIGRATE_MOVABLE);
	buddy_type_pageblock(buddy, FIRST + 512, MIGRATE_MOVABLE);
	for (uint64_t i = 0; i < 1024; i++)
		fixture_page(world->f.base, FIRST + i, i >> 3 & 1, 0, 1);
	for (uint64_t i = 0; i < 1024; i++)
		buddy_free_core(buddy, FIRST + i, 0, true);
	assert_sound(world, 1024, &census);
	assert_int_equal(census.blocks[3], 128);
	run(world, two_nodes);
	assert_sound(world, 1024, &census);
	assert_int_equal(census.blocks[3], 128);
	close_world(world);
}

/* The same page freed by all at once, and the same pageblock typed by all: one is in the right. */
static void *all_the_same(void *argument)
{
	struct worker *w = argument;
	struct buddy *buddy = w->world->f.buddy;

	pthread_barrier_wait(&w->world->start);
	for (uint64_t i = 0; i < 1024; i++) {
		buddy_free(buddy, FIRST + i, 0);
		buddy_type_pageblock(buddy, FIRST + i * 512, MIGRATE_MOVABLE);
	}
	buddy_count_managed(buddy, 0, ZONE_DMA32, 256);
	return NULL;
}

static void test_all_the_same(void **unused)
{
	struct world *world = open_world();
	struct buddy *buddy = world->f.buddy;
	struct buddy_census census;

	(void)unused;
	for (uint64_t i = 0; i < 1024; i++)
		fixture_page(world->f.base, FIRST + i, 0, 0, 1);
	run(world, all_the_same);
	assert_int_equal(buddy->double_frees, (THREADS - 1) * 1024);
	assert_int_equal(buddy->typed_twice, (THREADS - 1) * 1024);
	buddy->double_frees = 0;
	buddy->typed_twice = 0;
	assert_sound(world, 1024, &census);
	assert_int_equal(census.blocks[10], 1);
	close_world(world);
}

/* Takes the lock away while a lazy block is being filled, and looks whether anything happens to the
 * lists until it gives it back. */
static void *hold_lock(void *argument)
{
	struct world *world = argument;
	struct zone_area *zone = &world->f.buddy->zones[0][ZONE_DMA32];

	usleep(20000);
	for (uint32_t order = 0; order < ORDER_COUNT; order++)
		world->mistakes += zone->area[order].blocks;
	zone_unlock(&zone->lock);
	return NULL;
}

static pthread_t holder;

static void fill_and_take_lock(void *context, uint64_t pfn)
{
	struct world *world = context;

	fill(context, pfn);
	zone_lock(&world->f.buddy->zones[0][ZONE_DMA32].lock);
	assert_int_equal(pthread_create(&holder, NULL, hold_lock, world), 0);
}

static void test_lock_taken_again_after_fill(void **unused)
{
	struct world *world = open_world();
	struct buddy *buddy = world->f.buddy;

	(void)unused;
	buddy->fill = fill_and_take_lock;
	fixture_page(buddy->base, FIRST, 0, 0, 1);
	buddy_free_lazy(buddy, FIRST);
	assert_int_equal(buddy_alloc_node(buddy, 0, 0), FIRST);
	pthread_join(holder, NULL);
	assert_int_equal(world->mistakes, 0);
	assert_int_equal(buddy->zones[0][ZONE_DMA32].lock.contended, 1);
	assert_true(buddy->zones[0][ZONE_DMA32].lock.wait_cycles > 10000);
	close_world(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_zone),
		cmocka_unit_test(test_two_zones_in_a_block),
		cmocka_unit_test(test_all_the_same),
		cmocka_unit_test(test_lock_taken_again_after_fill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
