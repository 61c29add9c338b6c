/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that work on one job, and the barrier before it; also meant for the thread sanitizer. */
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
#include "smp/dispatch/barrier.h"
#include "smp/dispatch/dispatch.h"

enum { THREADS = 4, UNITS = 20000 };

struct crew {
	struct job_state state;
	struct claim_log log;
	struct barrier barrier;
	uint8_t touched[UNITS]; /* plain: two workers on one unit are a race */
	uint64_t brought[THREADS]; /* plain: written before the barrier, read by all after it */
	uint64_t watched;
};

struct hand {
	struct crew *crew;
	uint32_t rank;
	uint64_t go, units, seen;
};

/* Whoever sees all chunks finished sees what the workers wrote, without waiting for them. */
static void *watch(void *argument)
{
	struct crew *crew = argument;

	while (!dispatch_finished(&crew->state))
		sched_yield();
	for (unsigned i = 0; i < UNITS; i++)
		crew->watched += crew->touched[i];
	return NULL;
}

static void touch(void *argument, uint64_t start, uint64_t end)
{
	struct crew *crew = argument;

	for (uint64_t i = start; i < end; i++)
		crew->touched[i]++;
}

static void *work(void *argument)
{
	struct hand *hand = argument;
	struct crew *crew = hand->crew;

	crew->brought[hand->rank] = 1;
	hand->go = barrier_wait(&crew->barrier, 1ull << 40);
	for (unsigned i = 0; i < THREADS; i++)
		hand->seen += crew->brought[i];
	hand->units = dispatch_work(&crew->state, hand->rank, &crew->log, hand->rank);
	return NULL;
}

static void *work_same_rank(void *argument)
{
	struct hand *hand = argument;

	barrier_wait(&hand->crew->barrier, 1ull << 40);
	hand->units = dispatch_work(&hand->crew->state, 0, &hand->crew->log, 0);
	return NULL;
}

static void share_units(unsigned round, enum dispatch_split split)
{
	static struct claim claims[UNITS + 1];
	struct crew *crew = aligned_alloc(64, sizeof(*crew));
	struct job job = { .function = touch, .argument = crew, .size = UNITS, .align = 1 + round,
			   .max_workers = THREADS - round % 2, .exact_chunk = 1 + round,
			   .split = split };
	struct hand hands[THREADS];
	pthread_t threads[THREADS], watcher;
	uint64_t units = 0, bad;

	memset(crew, 0, sizeof(*crew));
	dispatch_prepare(&crew->state, &job);
	claim_log_init(&crew->log, claims, UNITS + 1);
	barrier_init(&crew->barrier, THREADS);
	assert_int_equal(pthread_create(&watcher, NULL, watch, crew), 0);
	for (uint32_t i = 0; i < THREADS; i++) {
		hands[i] = (struct hand){ crew, i, 0, 0, 0 };
		assert_int_equal(pthread_create(&threads[i], NULL, work, &hands[i]), 0);
	}
	pthread_join(watcher, NULL);
	assert_int_equal(crew->watched, UNITS);
	for (uint32_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		units += hands[i].units;
		assert_true(hands[i].go && hands[i].go == hands[0].go);
		assert_int_equal(hands[i].seen, THREADS);
	}
	assert_int_equal(units, UNITS);
	assert_int_equal(crew->log.count, crew->state.chunk_count);
	assert_true(dispatch_claims_tile(claims, crew->log.count, 0, UNITS, &bad));
	for (unsigned i = 0; i < UNITS; i++)
		assert_int_equal(crew->touched[i], 1);
	if (round % 2)
		assert_int_equal(hands[THREADS - 1].units, 0);
	free(crew);
}

static void test_threads_share_every_unit_once(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < 12; round++) {
		share_units(round, DISPATCH_DYNAMIC);
		share_units(round, DISPATCH_FIXED);
	}
}

/* Several threads under one rank, which nobody should be: still each chunk once. */
static void test_one_rank_for_all_threads(void **unused)
{
	struct crew *crew = aligned_alloc(64, sizeof(*crew));
	struct job job = { .function = touch, .argument = crew, .size = UNITS, .align = 1,
			   .max_workers = 1, .split = DISPATCH_FIXED };
	pthread_t threads[THREADS];
	struct hand hands[THREADS];

	(void)unused;
	for (unsigned round = 0; round < 30; round++) {
		static struct claim claims[THREADS];
		uint64_t units = 0;

		memset(crew, 0, sizeof(*crew));
		dispatch_prepare(&crew->state, &job);
		claim_log_init(&crew->log, claims, THREADS);
		barrier_init(&crew->barrier, THREADS);
		for (uint32_t i = 0; i < THREADS; i++) {
			hands[i] = (struct hand){ crew, 0, 0, 0, 0 };
			pthread_create(&threads[i], NULL, work_same_rank, &hands[i]);
		}
		for (uint32_t i = 0; i < THREADS; i++) {
			pthread_join(threads[i], NULL);
			units += hands[i].units;
		}
		assert_int_equal(units, UNITS);
		assert_int_equal(crew->log.count, 1);
	}
	free(crew);
}

static void test_barrier_of_one_does_not_wait(void **unused)
{
	struct barrier barrier;
	uint64_t before = tsc_ordered();

	(void)unused;
	barrier_init(&barrier, 1);
	assert_true(barrier_wait(&barrier, UINT64_MAX) >= before);
}

/* One worker of two never comes: the other must come back, and so must the latecomer. */
static void test_barrier_gives_up_in_time(void **unused)
{
	struct barrier barrier;
	uint64_t before = tsc_ordered();

	(void)unused;
	barrier_init(&barrier, 2);
	assert_int_equal(barrier_wait(&barrier, 100000), 0);
	assert_true(tsc_ordered() >= before + 100000);
	assert_int_equal(barrier_wait(&barrier, 100000), 0);
}

/* A virtual CPU that did not run for a while must not take an open barrier for a failed one. */
static void test_released_barrier_beats_the_patience(void **unused)
{
	struct barrier barrier;

	(void)unused;
	barrier_init(&barrier, 3);
	barrier.go_tsc = 42;
	assert_int_equal(barrier_wait(&barrier, 1), 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_share_every_unit_once),
		cmocka_unit_test(test_one_rank_for_all_threads),
		cmocka_unit_test(test_barrier_of_one_does_not_wait),
		cmocka_unit_test(test_barrier_gives_up_in_time),
		cmocka_unit_test(test_released_barrier_beats_the_patience),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
