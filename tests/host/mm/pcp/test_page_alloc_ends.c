/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that ends: all CPUs allocate until there is no more anywhere, and give back what others
 * have allocated; for the thread sanitizer too. */
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

enum { ROUNDS = 3, BLOCKS_MAX = ALLOC_END };

struct block {
	uint64_t pfn;
	uint32_t order;
};

struct ends {
	struct page_world *w;
	pthread_barrier_t all;
	_Atomic uint8_t owner[ALLOC_END];   /* 1 + the CPU that has the frame */
	_Atomic uint64_t mistakes;
	_Atomic uint64_t pages;             /* that are allocated, by all */
	uint64_t least;                     /* of these when nobody found more */
	uint32_t order;                     /* the first that is tried */
};

struct worker {
	struct ends *ends;
	uint32_t cpu;
	pthread_t thread;
	uint64_t seed;
	struct block *blocks;
	uint32_t count;
};

static struct worker workers[ALLOC_CPUS];

static void own(struct ends *e, const struct block *block, uint8_t from, uint8_t to)
{
	for (uint64_t i = block->pfn; i < block->pfn + (1ull << block->order); i++)
		if (atomic_exchange_explicit(&e->owner[i], to, memory_order_relaxed) != from)
			e->mistakes++;
}

static bool take(struct worker *c, uint32_t node, uint32_t order)
{
	struct ends *e = c->ends;
	struct block block = { page_alloc(&e->w->allocator, c->cpu, node, order), order };

	if (block.pfn == BUDDY_NONE)
		return false;
	own(e, &block, 0, (uint8_t)(c->cpu + 1));
	c->blocks[c->count++] = block;
	e->pages += 1ull << order;
	return true;
}

/* Large blocks while there are any, then smaller ones, of one node and of the other. */
static void take_all(struct worker *c)
{
	for (uint32_t order = c->ends->order + 1; order-- > 0;)
		for (uint32_t i = 0; i < ALLOC_NODES; i++)
			while (take(c, (c->cpu + i) % ALLOC_NODES, order))
				;
}

/* Blocks of the CPU before, in any order. */
static void give_back_others(struct worker *c)
{
	struct worker *from = &workers[(c->cpu + ALLOC_CPUS - 1) % ALLOC_CPUS];

	while (from->count) {
		uint32_t at = (uint32_t)(random_next(&c->seed) % from->count);
		struct block block = from->blocks[at];

		from->blocks[at] = from->blocks[--from->count];
		own(c->ends, &block, (uint8_t)(from->cpu + 1), 0);
		c->ends->pages -= 1ull << block.order;
		page_free(&c->ends->w->allocator, c->cpu, block.pfn, block.order);
	}
}

static void *work(void *argument)
{
	struct worker *c = argument;

	for (int round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&c->ends->all);
		take_all(c);
		pthread_barrier_wait(&c->ends->all);
		if (!c->cpu && c->ends->pages < c->ends->least)
			c->ends->least = c->ends->pages;
		pthread_barrier_wait(&c->ends->all);
		give_back_others(c);
	}
	return NULL;
}

static void run(struct ends *e)
{
	for (uint32_t cpu = 0; cpu < ALLOC_CPUS; cpu++) {
		workers[cpu].ends = e;
		workers[cpu].cpu = cpu;
		workers[cpu].seed = cpu + 1;
		assert_int_equal(
			pthread_create(&workers[cpu].thread, NULL, work, &workers[cpu]), 0);
	}
	for (uint32_t cpu = 0; cpu < ALLOC_CPUS; cpu++)
		pthread_join(workers[cpu].thread, NULL);
}

/* What a CPU keeps when another one finds nothing: without lists no page; of the others no more
 * than a mark and a batch in every zone, or what way owned says of stacks and outboxes. */
static uint64_t most_hidden(enum pcp pcp)
{
	if (pcp == PCP_NONE)
		return 0;
	return (uint64_t)ALLOC_CPUS * (pcp == PCP_OWNED ? 3712 + 4 * 64 : 4 * (1024 + 512));
}

static void all_ways(void **state)
{
	static const uint32_t orders[] = { 0, 3, ORDER_MAX };
	struct ends *e = calloc(1, sizeof(*e));

	(void)state;
	e->w = page_world_open();
	pthread_barrier_init(&e->all, NULL, ALLOC_CPUS);
	for (uint32_t cpu = 0; cpu < ALLOC_CPUS; cpu++)
		workers[cpu].blocks = calloc(BLOCKS_MAX, sizeof(struct block));
	for (enum pcp pcp = 0; pcp < PCP_COUNT; pcp++)
		for (int i = 0; i < 3; i++) {
			struct page_alloc_stats stats;

			page_world_begin(e->w, pcp);
			e->order = orders[i];
			e->least = UINT64_MAX;
			run(e);
			stats = page_allocator_stats(&e->w->allocator);
			assert_int_equal(e->mistakes, 0);
			assert_int_equal(e->pages, 0);
			assert_in_range(e->least, e->w->pages - most_hidden(pcp), e->w->pages);
			assert_true(stats.failures >= ROUNDS * ALLOC_CPUS * ALLOC_NODES);
			assert_int_equal(stats.allocations, stats.frees);
			assert_int_equal(e->w->allocator.fault_count, 0);
			page_world_assert_restored(e->w);
		}
	for (uint32_t cpu = 0; cpu < ALLOC_CPUS; cpu++)
		free(workers[cpu].blocks);
	pthread_barrier_destroy(&e->all);
	page_world_close(e->w);
	free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_ways) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
