/* SPDX-License-Identifier: GPL-2.0-only */
/* Several CPUs on one page allocator, each with lists of its own, pages freed on others than they
 * were allocated on; for the thread sanitizer too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "tests/host/page_alloc_fixture.h"
#include "tests/host/random.h"

enum { STEPS = 6000, KEPT = 60, RING = 32, MANY = 50 };

/* From the CPU before to this one: pfn << 4 | order, 0 where there is room. */
struct ring {
	_Atomic uint64_t slots[RING];
	uint32_t in, out; /* the sender's and the receiver's own */
};

struct world {
	struct page_world *w;
	pthread_barrier_t start;
	struct ring rings[ALLOC_CPUS];
	_Atomic uint32_t owner[ALLOC_END]; /* 1 + the CPU that has the frame */
	_Atomic uint64_t mistakes;
};

struct worker {
	struct world *world;
	uint32_t index;
	pthread_t thread;
	uint64_t seed;
	struct { uint64_t pfn; uint32_t order; } kept[KEPT];
	uint32_t count;
};

static void own(struct worker *c, uint64_t pfn, uint32_t order, uint32_t from, uint32_t to)
{
	for (uint64_t i = pfn; i < pfn + (1ull << order); i++)
		if (atomic_exchange_explicit(&c->world->owner[i], to, memory_order_relaxed) !=
		    from)
			c->world->mistakes++;
}

static void acquire(struct worker *c)
{
	uint32_t order = random_next(&c->seed) % 4 ? (uint32_t)(random_next(&c->seed) % 4) :
						     (uint32_t)(random_next(&c->seed) % 11);
	uint64_t pfn = page_alloc(&c->world->w->allocator, c->index,
				  random_next(&c->seed) % ALLOC_NODES, order);

	if (pfn == BUDDY_NONE)
		return;
	own(c, pfn, order, 0, c->index + 1);
	c->world->w->f.base[pfn].memcg_data = c->index; /* an owner writes, not atomically */
	c->kept[c->count].pfn = pfn;
	c->kept[c->count++].order = order;
}

static void release(struct worker *c)
{
	uint32_t at = (uint32_t)(random_next(&c->seed) % c->count), order = c->kept[at].order;
	uint64_t pfn = c->kept[at].pfn;

	c->kept[at] = c->kept[--c->count];
	own(c, pfn, order, c->index + 1, 0);
	c->world->w->f.base[pfn].memcg_data = 0;
	page_free(&c->world->w->allocator, c->index, pfn, order);
}

static void send(struct worker *c)
{
	struct ring *ring = &c->world->rings[(c->index + 1) % ALLOC_CPUS];
	_Atomic uint64_t *slot = &ring->slots[ring->in % RING];
	uint64_t pfn = c->kept[c->count - 1].pfn;
	uint32_t order = c->kept[c->count - 1].order;

	if (atomic_load_explicit(slot, memory_order_acquire))
		return;
	c->count--;
	ring->in++;
	own(c, pfn, order, c->index + 1, UINT32_MAX);
	atomic_store_explicit(slot, pfn << 4 | order, memory_order_release);
}

/* Single pages of what came are freed together, the rest one by one. */
static void receive(struct worker *c)
{
	struct ring *ring = &c->world->rings[c->index];
	uint64_t singles[RING];
	uint32_t count = 0;

	for (uint32_t i = 0; i < RING; i++) {
		_Atomic uint64_t *slot = &ring->slots[ring->out % RING];
		uint64_t sent = atomic_load_explicit(slot, memory_order_acquire);

		if (!sent)
			break;
		atomic_store_explicit(slot, 0, memory_order_release);
		ring->out++;
		own(c, sent >> 4, sent & 15, UINT32_MAX, 0);
		if (sent & 15)
			page_free(&c->world->w->allocator, c->index, sent >> 4, sent & 15);
		else
			singles[count++] = sent >> 4;
	}
	page_free_many(&c->world->w->allocator, c->index, singles, count);
}

static void take_and_give_many(struct worker *c)
{
	struct page_allocator *allocator = &c->world->w->allocator;
	uint64_t pfns[MANY];
	uint32_t found = page_alloc_many(allocator, c->index, 0, pfns, MANY);

	for (uint32_t i = 0; i < found; i++)
		own(c, pfns[i], 0, 0, c->index + 1);
	for (uint32_t i = 0; i < found; i++)
		own(c, pfns[i], 0, c->index + 1, 0);
	page_free_many(allocator, c->index, pfns, found);
}

static void *work(void *argument)
{
	struct worker *c = argument;

	pthread_barrier_wait(&c->world->start);
	for (uint32_t i = 0; i < STEPS; i++) {
		uint64_t draw = random_next(&c->seed) % 16;

		if (draw == 0)
			receive(c);
		else if (draw == 1)
			take_and_give_many(c);
		else if (c->count && draw < 5)
			send(c);
		else if (c->count == KEPT || (c->count && draw < 9))
			release(c);
		else
			acquire(c);
	}
	while (c->count)
		release(c);
	pthread_barrier_wait(&c->world->start);
	receive(c);
	return NULL;
}

static void run(struct world *world)
{
	static struct worker cpus[ALLOC_CPUS];

	for (uint32_t i = 0; i < ALLOC_CPUS; i++) {
		cpus[i] = (struct worker){ .world = world, .index = i, .seed = i + 1 };
		assert_int_equal(pthread_create(&cpus[i].thread, NULL, work, &cpus[i]), 0);
	}
	for (uint32_t i = 0; i < ALLOC_CPUS; i++)
		pthread_join(cpus[i].thread, NULL);
}

static void test_all_ways(void **unused)
{
	struct world *world = test_calloc(1, sizeof(*world));

	(void)unused;
	world->w = page_world_open();
	pthread_barrier_init(&world->start, NULL, ALLOC_CPUS);
	for (enum pcp pcp = 0; pcp < PCP_COUNT; pcp++) {
		struct page_alloc_stats stats;

		page_world_begin(world->w, pcp);
		run(world);
		stats = page_allocator_stats(&world->w->allocator);
		assert_int_equal(world->mistakes, 0);
		assert_int_equal(world->w->allocator.fault_count, 0);
		assert_int_equal(stats.allocations, stats.frees);
		assert_true(stats.allocations > ALLOC_CPUS * STEPS / 4);
		page_world_assert_restored(world->w);
	}
	pthread_barrier_destroy(&world->start);
	page_world_close(world->w);
	test_free(world);
}

/* Nobody else's lists are touched by another CPU's allocations: a set that is another's only is
 * found as it was left, whatever goes on beside it. */
static void *pairs(void *argument)
{
	struct worker *c = argument;
	struct page_allocator *allocator = &c->world->w->allocator;
	uint64_t first = page_alloc(allocator, c->index, 0, 0);

	page_free(allocator, c->index, first, 0);
	pthread_barrier_wait(&c->world->start);
	for (uint32_t i = 0; i < STEPS; i++) {
		uint64_t pfn = page_alloc(allocator, c->index, 0, 0);

		c->world->mistakes += pfn != first;
		page_free(allocator, c->index, pfn, 0);
	}
	return NULL;
}

static void test_pairs_meet_nobody(void **unused)
{
	struct world *world = test_calloc(1, sizeof(*world));
	struct worker cpus[ALLOC_CPUS];

	(void)unused;
	world->w = page_world_open();
	pthread_barrier_init(&world->start, NULL, ALLOC_CPUS);
	for (enum pcp pcp = PCP_ORDER0; pcp < PCP_COUNT; pcp++) {
		page_world_begin(world->w, pcp);
		for (uint32_t i = 0; i < ALLOC_CPUS; i++) {
			cpus[i] = (struct worker){ .world = world, .index = i };
			pthread_create(&cpus[i].thread, NULL, pairs, &cpus[i]);
		}
		for (uint32_t i = 0; i < ALLOC_CPUS; i++)
			pthread_join(cpus[i].thread, NULL);
		assert_int_equal(world->mistakes, 0);
		page_world_assert_restored(world->w);
	}
	pthread_barrier_destroy(&world->start);
	page_world_close(world->w);
	test_free(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_ways),
		cmocka_unit_test(test_pairs_meet_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
