/* SPDX-License-Identifier: GPL-2.0-only */
/* Growth on demand, alone and against workers and other growers (B29); also for the thread
 * sanitizer. */
#include <pthread.h>
#include <sched.h>

#include "mm/init/deferred.h"
#include "tests/host/machine_fixture.h"

static struct deferred deferred;

static void open_machine(void)
{
	machine_open();
	machine_early();
	deferred_init(&deferred, plan, &buddy);
}

static uint64_t managed(uint32_t node, enum zone type)
{
	return buddy.zones[node][type].managed_pages;
}

/* What is not grown is the workers': their windows begin at the border. */
static void work_from(uint32_t node, uint64_t border)
{
	for (uint32_t i = 0; i < plan->job_count; i++) {
		struct job job = init_job_from(&plan->jobs[i], border);

		if (plan->jobs[i].node == node && job.size)
			chunk_init_and_free(&chunk_args[node], job.start, job.start + job.size);
	}
}

static void borders_are_taken_once(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 36 * S, 0);
	hand_ram(&topology, 36 * S, 37 * S, 1); /* nothing deferred */
	open_machine();
	assert_int_equal(deferred_take(&deferred, 1), UINT64_MAX);
	assert_false(deferred_grow(&deferred, 1, 0, UINT64_MAX));
	assert_int_equal(deferred_take(&deferred, 0), 33 * S);
	assert_int_equal(deferred_take(&deferred, 0), UINT64_MAX);
	assert_true(deferred_grow(&deferred, 0, 0, 33 * S)); /* moved: try once more */
	assert_false(deferred_grow(&deferred, 0, 0, UINT64_MAX));
	assert_int_equal(deferred.grown_pages, 0);
	assert_int_equal(managed(0, ZONE_NORMAL), S);
	machine_close();
}

/*	sections  | 33 | 34 | 35 | 36 | 37 | 38 |
 *	deferred  [ 100)    [ 900     [ 5  )[300)         1024 frames: 33, 35 and 37 */
static void as_many_sections_as_hold_the_size(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 33 * S + 100, 0);
	hand_ram(&topology, 35 * S + 30000, 35 * S + 30900, 0);
	hand_ram(&topology, 37 * S, 37 * S + 305, 0);
	reserve(37 * S, 37 * S + 10);
	hand_ram(&topology, 38 * S, 38 * S + 300, 0);
	open_machine();
	assert_true(deferred_grow(&deferred, 0, 10, 33 * S));
	assert_int_equal(deferred.grown_pages, 100 + 900 + 295);
	assert_int_equal(managed(0, ZONE_NORMAL), S + 100 + 900 + 295);
	assert_true(deferred_grow(&deferred, 0, 10, 33 * S)); /* somebody was faster */
	assert_int_equal(deferred.grown_pages, 100 + 900 + 295);
	assert_true(deferred_grow(&deferred, 0, 0, 38 * S));
	assert_int_equal(deferred.grown_pages, 100 + 900 + 295 + 300);
	assert_int_equal(deferred_take(&deferred, 0), UINT64_MAX);
	assert_false(deferred_grow(&deferred, 0, 0, UINT64_MAX));
	machine_check(VERIFY_FREED);
	machine_close();
}

static void an_allocation_grows_until_it_fits(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 33 * S, 0);
	reserve(32 * S, 33 * S); /* nothing is free at first */
	for (uint64_t i = 0; i < 30; i++) /* far too small pieces */
		hand_ram(&topology, 33 * S + 1024 * i + 1, 33 * S + 1024 * i + 1023, 0);
	hand_ram(&topology, 35 * S, 36 * S, 0);
	open_machine();
	assert_int_equal(deferred_alloc(&deferred, 0, 10) % 1024, 0);
	assert_int_equal(deferred.grown_pages, S + 30 * 1022);
	for (int i = 1; i < 32; i++)
		assert_true(deferred_alloc(&deferred, 0, 10) != BUDDY_NONE);
	assert_true(deferred_alloc(&deferred, 0, 10) == BUDDY_NONE);
	assert_true(deferred_alloc(&deferred, 0, 8) != BUDDY_NONE);
	assert_true(deferred_alloc(&deferred, 3, 0) == BUDDY_NONE); /* no such node */
	machine_close();
}

static void grown_here_and_there(void **state)
{
	(void)state;
	seed = 0x9e3779b97f4a7c15;
	for (int round = 0; round < 30; round++) {
		machine_random();
		rules.policy = round % 2 ? POLICY_ZONE : POLICY_PADATA;
		open_machine();
		for (int i = 0; i < 6; i++) {
			uint32_t node = (uint32_t)random_below(3);

			deferred_grow(&deferred, node, (uint32_t)random_below(11),
				      deferred.nodes[node].first_pfn);
		}
		for (uint32_t node = 0; node < 3; node++)
			work_from(node, deferred_take(&deferred, node));
		machine_check(VERIFY_FREED);
		machine_close();
	}
}

/* ---- threads -------------------------------------------------------------------------------- */

enum { GROWERS = 3, TAKEN_MAX = 256 };

struct grower {
	uint32_t node;
	uint64_t taken[TAKEN_MAX];
	uint32_t orders[TAKEN_MAX];
	uint32_t count;
};

/* Allocates until there is nothing, also while the workers are at it. */
static void *grow_main(void *argument)
{
	struct grower *g = argument;

	while (g->count < TAKEN_MAX) {
		uint32_t order = g->count % 3 ? 10 : 4;
		uint64_t pfn = deferred_alloc(&deferred, g->node, order);

		if (pfn == BUDDY_NONE)
			break;
		g->orders[g->count] = order;
		g->taken[g->count++] = pfn;
		if (g->count % 16 == 0)
			sched_yield();
	}
	return NULL;
}

struct worker {
	uint32_t node;
	uint32_t delay;
};

static void *work_main(void *argument)
{
	const struct worker *w = argument;

	for (uint32_t i = 0; i < w->delay; i++)
		sched_yield();
	work_from(w->node, deferred_take(&deferred, w->node));
	return NULL;
}

static void race(uint32_t delay)
{
	static struct grower growers[GROWERS];
	struct worker workers[2] = { { 0, delay }, { 1, 2 * delay } };
	pthread_t threads[GROWERS + 2];

	memset(growers, 0, sizeof(growers));
	for (uint32_t i = 0; i < GROWERS; i++) {
		growers[i].node = i % 2;
		assert_int_equal(pthread_create(&threads[i], NULL, grow_main, &growers[i]), 0);
	}
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[GROWERS + i], NULL, work_main,
						&workers[i]), 0);
	for (uint32_t i = 0; i < GROWERS + 2; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < GROWERS; i++)
		for (uint32_t j = 0; j < growers[i].count; j++)
			buddy_free(&buddy, growers[i].taken[j], growers[i].orders[j]);
}

/* Two nodes that share a section and a block, three growers, two workers, who come sooner or later:
 * nothing is initialised twice, since then a page would be free twice, and nothing is left out. */
static void growers_against_workers(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 35 * S + 7777, 0);
	hand_ram(&topology, 35 * S + 7777, 39 * S, 1);
	for (uint64_t i = 0; i < 60; i++)
		reserve(34 * S + 777 * i, 34 * S + 777 * i + i);
	for (uint32_t round = 0; round < 12; round++) {
		rules.policy = round % 2 ? POLICY_ZONE : POLICY_PADATA;
		open_machine();
		race(round * round * 4);
		machine_check(VERIFY_FREED);
		machine_close();
	}
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(borders_are_taken_once),
		TEST(as_many_sections_as_hold_the_size),
		TEST(an_allocation_grows_until_it_fits),
		TEST(grown_here_and_there),
		TEST(growers_against_workers),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
