/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects from one CPU to another, on all ways of keeping pages; for the thread sanitizer too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <pthread.h>

#include "mm/slab/slab_drain.h"
#include "tests/host/random.h"
#include "tests/host/slab_fixture.h"

enum { SLOTS = 64, OBJECTS = 12000 };

static struct slab_fixture s;

/* Each thread hands objects to the next one, and frees those that come to it. */
struct worker {
	uint32_t cpu;
	pthread_t thread;
	_Atomic(uint64_t *) slots[SLOTS];
	_Atomic uint64_t mistakes;
};

static struct worker workers[SLAB_CPUS];

static const uint32_t sizes[] = { 16, 448, 640, 1408, 4480, 8576, 256, 64 };

static void receive(struct worker *w, uint32_t slot)
{
	uint64_t *object = atomic_exchange_explicit(&w->slots[slot], NULL, memory_order_acquire);

	if (!object)
		return;
	if (object[1] != (uint64_t)(uintptr_t)object)
		w->mistakes++;
	slab_free(&s.layer, w->cpu, object);
}

static void *hand_on(void *argument)
{
	struct worker *w = argument, *next = &workers[(w->cpu + 1) % SLAB_CPUS];
	uint64_t seed = w->cpu + 1;

	for (uint32_t i = 0; i < OBJECTS; i++) {
		uint64_t *object = slab_kmalloc(&s.layer, w->cpu, 0,
						sizes[random_next(&seed) % 8]);

		if (!object) {
			w->mistakes++;
			break;
		}
		object[0] = 0;
		object[1] = (uint64_t)(uintptr_t)object;
		object = atomic_exchange_explicit(&next->slots[i % SLOTS], object,
						  memory_order_acq_rel);
		if (object) /* the neighbour has not yet fetched this one */
			slab_free(&s.layer, w->cpu, object);
		receive(w, (i * 7) % SLOTS);
	}
	return NULL;
}

static void run_way(enum pcp pcp)
{
	struct slab_stats stats;

	slab_fixture_open(&s, pcp);
	for (uint32_t i = 0; i < SLAB_CPUS; i++) {
		workers[i].cpu = i;
		assert_int_equal(pthread_create(&workers[i].thread, NULL, hand_on, &workers[i]),
				 0);
	}
	for (uint32_t i = 0; i < SLAB_CPUS; i++)
		pthread_join(workers[i].thread, NULL);
	for (uint32_t i = 0; i < SLAB_CPUS; i++) {
		assert_int_equal(workers[i].mistakes, 0);
		for (uint32_t slot = 0; slot < SLOTS; slot++)
			receive(&workers[i], slot);
	}
	stats = slab_layer_stats(&s.layer);
	assert_int_equal(stats.allocations, SLAB_CPUS * OBJECTS);
	assert_int_equal(stats.frees, SLAB_CPUS * OBJECTS);
	assert_true(stats.remote_frees > 0);
	assert_int_equal(s.layer.fault_count, 0);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	slab_fixture_assert_back(&s);
	slab_fixture_close(&s);
}

static void all_ways(void **state)
{
	(void)state;
	for (int pcp = 0; pcp < PCP_COUNT; pcp++)
		run_way((enum pcp)pcp);
}

/* All free into the same few slabs: the last object of a slab, again and again. */
static uint64_t *shared[SLAB_CPUS][512];

static void *free_share(void *argument)
{
	struct worker *w = argument;

	for (uint32_t i = 0; i < 512; i++)
		slab_free(&s.layer, w->cpu, shared[w->cpu][i]);
	return NULL;
}

static void same_slabs(void **state)
{
	(void)state;
	slab_fixture_open(&s, PCP_ORDER0);
	for (int round = 0; round < 20; round++) {
		for (uint32_t i = 0; i < SLAB_CPUS * 512; i++)
			shared[i % SLAB_CPUS][i / SLAB_CPUS] = slab_kmalloc(&s.layer, 0, 0, 1024);
		for (uint32_t i = 0; i < SLAB_CPUS; i++) {
			workers[i].cpu = i;
			assert_int_equal(pthread_create(&workers[i].thread, NULL, free_share,
							&workers[i]), 0);
		}
		for (uint32_t i = 0; i < SLAB_CPUS; i++)
			pthread_join(workers[i].thread, NULL);
	}
	assert_int_equal(s.layer.fault_count, 0);
	assert_int_equal(slab_layer_stats(&s.layer).frees, 20 * SLAB_CPUS * 512);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	slab_fixture_assert_back(&s);
	slab_fixture_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_ways),
		cmocka_unit_test(same_slabs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
