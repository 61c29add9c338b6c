/* SPDX-License-Identifier: GPL-2.0-only */
/* Way `owned` on four CPUs at once; for the thread sanitizer too. Every frame has an owner in a
 * table, so that one handed out twice is seen; what is written to a struct page by its owner, not
 * atomically, must be ordered by the allocator alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>

#include "lib/cpu.h"
#include "tests/host/owned_fixture.h"
#include "tests/host/random.h"

enum { STEPS = 60000, SHELVES = 256, RING = 64 };

/* A shelf holds one block, or nothing: pfn << 8 | order + 1. */
static struct owned_world world;
static _Atomic uint64_t shelves[SHELVES];
static _Atomic uint8_t taken[NODE1_END];
static _Atomic uint64_t mistakes, blocks, failures;
static pthread_barrier_t start;

/* Orders nothing, so that only the allocator does. */
static void count(_Atomic uint64_t *counter)
{
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static void mark(uint64_t pfn, uint32_t order, uint8_t from)
{
	for (uint64_t i = pfn; i < pfn + (1u << order); i++)
		if (atomic_exchange_explicit(&taken[i], !from, memory_order_relaxed) != from)
			count(&mistakes);
}

static void release(uint32_t cpu, uint64_t held)
{
	uint64_t pfn = held >> 8;
	uint32_t order = (uint32_t)(held & 0xff) - 1;

	mark(pfn, order, 1);
	world.f.base[pfn].memcg_data = cpu;
	page_free(&world.allocator, cpu, pfn, order);
}

static uint64_t acquire(uint32_t cpu, uint32_t node, uint32_t order)
{
	uint64_t pfn = page_alloc(&world.allocator, cpu, node, order);

	if (pfn == BUDDY_NONE) {
		count(&failures);
		return 0;
	}
	mark(pfn, order, 0);
	world.f.base[pfn].memcg_data = cpu;
	count(&blocks);
	return pfn << 8 | (order + 1);
}

/* What is put on a shelf goes to whoever comes next, with release and acquire. */
static void swap(uint32_t cpu, uint64_t *seed, uint64_t held)
{
	uint32_t shelf = (uint32_t)(random_next(seed) % SHELVES);
	uint64_t found = atomic_exchange_explicit(&shelves[shelf], held, memory_order_acq_rel);

	if (found)
		release(cpu, found);
}

/* Up to order `limit`; half of the calls only free. */
static void shuffle(uint32_t cpu, uint32_t limit, uint64_t steps)
{
	uint64_t seed = cpu + 1;

	for (uint64_t i = 0; i < steps; i++) {
		uint32_t order = (uint32_t)(random_next(&seed) % (2 * limit + 2));
		uint32_t node = random_next(&seed) % 4 == 0;

		order = order <= limit ? order : order % 2;
		swap(cpu, &seed, random_next(&seed) % 3 ? acquire(cpu, node, order) : 0);
	}
}

static void *small_orders(void *argument)
{
	pthread_barrier_wait(&start);
	shuffle((uint32_t)(uintptr_t)argument, 3, STEPS);
	return NULL;
}

static void *all_orders(void *argument)
{
	pthread_barrier_wait(&start);
	shuffle((uint32_t)(uintptr_t)argument, ORDER_MAX, STEPS / 8);
	return NULL;
}

/* Each takes what it can get until nobody has any, several times over. */
static void *exhaust(void *argument)
{
	enum { MANY = ALL_PAGES };
	uint32_t cpu = (uint32_t)(uintptr_t)argument, count;
	uint64_t *held = malloc(MANY * sizeof(*held));

	pthread_barrier_wait(&start);
	for (uint32_t round = 0; round < 2; round++) {
		for (count = 0; count < MANY; count++) {
			held[count] = acquire(cpu, 1, count % 3);
			if (!held[count])
				break;
		}
		pthread_barrier_wait(&start);
		while (count)
			release(cpu, held[--count]);
	}
	free(held);
	return NULL;
}

/* CPUs 0 and 1 allocate, 2 and 3 free: blocks fill and empty all the time, away from the owner. */
static void *produce_or_consume(void *argument)
{
	uint32_t cpu = (uint32_t)(uintptr_t)argument;

	pthread_barrier_wait(&start);
	for (uint32_t i = 0; i < 4 * STEPS; i++) {
		_Atomic uint64_t *shelf = &shelves[cpu % 2 * RING + i % RING];
		uint64_t found = 0, mine;

		if (cpu > 1) {
			found = atomic_exchange_explicit(shelf, 0, memory_order_acq_rel);
			if (found)
				release(cpu, found);
			continue;
		}
		mine = acquire(cpu, 0, i % 64 == 0 ? 6 : 0);
		if (mine && !atomic_compare_exchange_strong(shelf, &found, mine))
			release(cpu, mine);
	}
	return NULL;
}

/* CPU 0 takes the last free word of its block while CPU 1 frees another one: whichever is first,
 * the block must be found again the next time, else another one is begun. */
enum { ROUNDS = 3000 };

static _Atomic uint32_t rounds[2];
static uint64_t words[2];

static void meet(uint32_t cpu, uint32_t round)
{
	atomic_store(&rounds[cpu], round);
	for (uint32_t i = 1; atomic_load(&rounds[!cpu]) < round; i++) {
		cpu_pause();
		if (i % 256 == 0)
			sched_yield();
	}
}

static void *last_word(void *argument)
{
	uint32_t cpu = (uint32_t)(uintptr_t)argument;

	for (uint32_t round = 1; cpu < 2 && round <= ROUNDS; round++) {
		meet(cpu, 2 * round);
		if (cpu)
			release(1, words[1]);
		else
			words[0] = acquire(0, 0, 6);
		meet(cpu, 2 * round + 1);
		if (!cpu) {
			if (words[0] >> 18 != words[1] >> 18)
				count(&mistakes);
			words[1] = words[0];
		}
	}
	return NULL;
}

static void fill_a_block(void)
{
	for (uint32_t i = 0; i < 15; i++)
		words[1] = acquire(0, 0, 6);
}

static void empty_the_block(void)
{
	uint64_t first = words[1] >> 18 << 10;

	for (uint32_t i = 0; i < 16; i++)
		if (world.f.base[first + 64 * i].refcount)
			release(0, (first + 64 * i) << 8 | 7);
}

static void run(void *(*function)(void *))
{
	pthread_t threads[OWNED_CPUS];

	blocks = 0;
	failures = 0;
	for (uintptr_t i = 0; i < OWNED_CPUS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, function, (void *)i), 0);
	for (uint32_t i = 0; i < OWNED_CPUS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < SHELVES; i++)
		if (shelves[i])
			release(i % OWNED_CPUS, atomic_exchange(&shelves[i], 0));
	assert_int_equal(mistakes, 0);
	assert_true(blocks > 0);
	assert_int_equal(world.f.buddy->double_frees, 0);
}

static void test_small_orders(void **unused)
{
	(void)unused;
	owned_open(&world);
	run(small_orders);
	assert_true(page_allocator_stats(&world.allocator).remote_frees > 0);
	owned_drain_and_close(&world);
}

static void test_all_orders(void **unused)
{
	(void)unused;
	owned_open(&world);
	run(all_orders);
	owned_drain_and_close(&world);
}

static void test_exhausted(void **unused)
{
	(void)unused;
	owned_open(&world);
	run(exhaust);
	assert_true(failures >= OWNED_CPUS);
	owned_drain_and_close(&world);
}

static void test_producers_and_consumers(void **unused)
{
	(void)unused;
	owned_open(&world);
	run(produce_or_consume);
	owned_drain_and_close(&world);
}

static void test_last_word(void **unused)
{
	(void)unused;
	owned_open(&world);
	rounds[0] = 0;
	rounds[1] = 0;
	fill_a_block();
	run(last_word);
	empty_the_block();
	owned_drain_and_close(&world);
}

static int barrier_up(void **unused)
{
	(void)unused;
	return pthread_barrier_init(&start, NULL, OWNED_CPUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_orders),
		cmocka_unit_test(test_all_orders),
		cmocka_unit_test(test_exhausted),
		cmocka_unit_test(test_producers_and_consumers),
		cmocka_unit_test(test_last_word),
	};

	return cmocka_run_group_tests(tests, barrier_up, NULL);
}
