/* SPDX-License-Identifier: GPL-2.0-only */
/* All ways of freeing a mapping, on threads, leave what one CPU leaves; for the thread sanitizer
 * too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <pthread.h>

#include "lib/cpu.h"
#include "mm/buddy/buddy_census.h"
#include "mm/unmap/unmap_batch.h"
#include "tests/host/space_fixture.h"

struct run {
	struct unmap_job job;
	struct unmap_rank ranks[SPACE_CPUS];
	const struct unmap_way *way;
	pthread_barrier_t start;
};

struct thread {
	struct run *run;
	uint32_t rank;
	pthread_t thread;
};

static void *thread_main(void *argument)
{
	struct thread *t = argument;

	pthread_barrier_wait(&t->run->start);
	t->run->way->work(&t->run->job, t->rank);
	return NULL;
}

static struct run *run_open(struct space_fixture *s, enum free_way way, uint32_t ranks,
			    uint32_t gather, bool pieces)
{
	struct run *run = aligned_alloc(64, (sizeof(*run) + 63) & ~63ull);

	run->way = unmap_way(way);
	run->job = (struct unmap_job){
		.space = &s->space,
		.ranks = run->ranks,
		.rank_count = ranks,
		.gather = gather,
		.pieces = pieces,
		.patience_cycles = UINT64_MAX,
	};
	for (uint32_t i = 0; i < SPACE_CPUS; i++)
		run->ranks[i] = (struct unmap_rank){ .cpu = i, .node = i % 2 };
	space_begin_way(s, run->way->pcp);
	run->job.state = aligned_alloc(64, (run->way->bytes(&run->job) + 127) & ~63ull);
	memset(run->job.state, 0xa5, run->way->bytes(&run->job));
	run->way->prepare(&run->job);
	return run;
}

static void run_close(struct run *run)
{
	free(run->job.state);
	free(run);
}

static void run_threads(struct run *run)
{
	struct thread threads[SPACE_CPUS];

	pthread_barrier_init(&run->start, NULL, run->job.rank_count);
	for (uint32_t i = 0; i < run->job.rank_count; i++) {
		threads[i] = (struct thread){ .run = run, .rank = i };
		assert_int_equal(pthread_create(&threads[i].thread, NULL, thread_main,
						&threads[i]), 0);
	}
	for (uint32_t i = 0; i < run->job.rank_count; i++)
		pthread_join(threads[i].thread, NULL);
	pthread_barrier_destroy(&run->start);
}

static void add_ranks(const struct run *run, uint64_t *queued, uint64_t *flushes)
{
	*queued = *flushes = 0;
	for (uint32_t i = 0; i < run->job.rank_count; i++) {
		*queued += run->ranks[i].queued;
		*flushes += run->ranks[i].flushes;
	}
}

static void unmap(struct space_fixture *s, enum free_way way, uint32_t ranks, uint32_t gather,
		  uint64_t chains)
{
	struct run *run = run_open(s, way, ranks, gather, ranks != 2);
	uint64_t queued, flushes;

	run_threads(run);
	space_assert_free(s);
	add_ranks(run, &queued, &flushes);
	assert_int_equal(queued, way == FREE_BATCH && ranks > 1 ? chains : 0);
	assert_true(flushes > 0);
	run_close(run);
}

static void all_ways(struct space_fixture *s, enum mapping mapping, uint64_t entries,
		     uint32_t gather)
{
	for (int way = 0; way < FREE_COUNT; way++)
		for (uint32_t ranks = 1; ranks <= SPACE_CPUS; ranks++)
			for (uint32_t fragment = 0; fragment <= 100; fragment += 50) {
				if (way == FREE_VANILLA && ranks > 1)
					continue;
				space_build(s, mapping, entries, fragment);
				unmap(s, (enum free_way)way, ranks, gather,
				      unmap_batch_chains(entries, gather));
			}
}

static void small_pages(void **state)
{
	struct space_fixture *s = space_fixture_open();

	(void)state;
	all_ways(s, MAPPING_4K, 30011, 3);
	all_ways(s, MAPPING_4K, 1, 3);
	all_ways(s, MAPPING_4K, 700, 1);
	space_fixture_close(s);
}

/* 2 MiB entries are too few for a chain; the tables are not. */
static void huge_pages(void **state)
{
	struct space_fixture *s = space_fixture_open();

	(void)state;
	all_ways(s, MAPPING_2M, 100, 1);
	all_ways(s, MAPPING_2M, 1, 1);
	space_fixture_close(s);
}

/* The published settings: 256K pages for the first, which is less than the batches of either hold.
 * Per 1 TiB these are so many chains. */
static void chains_of_the_series(void **state)
{
	(void)state;
	assert_int_equal(BATCH_GATHER_DEFAULT, 515);
	assert_int_equal(unmap_batch_chains(262143, 515), 0);
	assert_int_equal(unmap_batch_chains(262144, 515), 1);
	assert_int_equal(unmap_batch_chains(262658, 515), 1);
	assert_int_equal(unmap_batch_chains(262658 + 262144, 515), 2);
	assert_int_equal(unmap_batch_chains(262143, 1030), 0);
	assert_int_equal(unmap_batch_chains(262144, 1030), 1);
	assert_int_equal(unmap_batch_chains(525308, 1030), 1);
	assert_int_equal(unmap_batch_chains(1ull << 28, 515), 1021);
	assert_int_equal(unmap_batch_chains(1ull << 28, 1030), 511);
	assert_int_equal(unmap_batch_chains(509, 1), 0);
	assert_int_equal(unmap_batch_chains(510, 1), 1);
}

/* A page that two entries map is named; the one that none maps is lost, and seen to be. One CPU
 * frees both, for on two at the same moment only the zone would notice. */
static void a_double_free_is_named(void **state)
{
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (int way = 0; way < FREE_COUNT; way++) {
		uint64_t *near, *far, pfn, lost;
		struct buddy_census now;
		struct run *run;

		space_build(s, MAPPING_4K, 20000, 0);
		near = address_space_leaf(&s->space, 1);
		far = address_space_leaf(&s->space, 36);
		pfn = entry_pfn(near[3]);
		lost = entry_pfn(far[200]);
		far[200] = near[3];
		run = run_open(s, (enum free_way)way, way == FREE_BATCH ? 2 : 1, 2, true);
		run_threads(run);
		page_allocator_drain(&s->allocator);
		assert_int_equal(s->allocator.fault_count, 1);
		assert_int_equal(s->allocator.fault.kind, FREE_FAULT_DOUBLE);
		assert_int_equal(s->allocator.fault.pfn, pfn);
		assert_int_equal(s->allocator.fault.order, 0);
		buddy_census(s->f.buddy, &s->f.fake.memmap, &now);
		assert_int_equal(now.free_pages, s->before.free_pages - 1);
		s->allocator.fault_count = 0;
		page_free(&s->allocator, 0, lost, 0);
		space_assert_free(s);
		run_close(run);
	}
	space_fixture_close(s);
}

/* ---- batch ---- */

/* A worker that never comes: the walker gives up waiting for it, and the pages are missed. */
static void a_lost_worker(void **state)
{
	struct space_fixture *s = space_fixture_open();
	struct buddy_census now;
	struct run *run;

	(void)state;
	space_build(s, MAPPING_4K, 2 * 518, 0);
	run = run_open(s, FREE_BATCH, 2, 1, true);
	run->job.patience_cycles = 1000000;
	run->way->work(&run->job, 0);
	assert_int_equal(run->ranks[0].queued, 2);
	page_allocator_drain(&s->allocator);
	buddy_census(s->f.buddy, &s->f.fake.memmap, &now);
	assert_int_equal(now.free_pages, SPACE_PAGES - 2 * 511);
	run->way->work(&run->job, 1); /* late */
	space_assert_free(s);
	run_close(run);
	/* and one whom the walker leaves alone */
	space_build(s, MAPPING_4K, 5, 0);
	run = run_open(s, FREE_BATCH, 2, 1, true);
	run->job.patience_cycles = 1000000;
	run->way->work(&run->job, 1);
	run->way->work(&run->job, 0);
	space_assert_free(s);
	run_close(run);
	space_fixture_close(s);
}

/* The order of the series: chains to workers, the bundle freed by the walker. */
static void who_frees_what(void **state)
{
	struct space_fixture *s = space_fixture_open();
	struct run *run;

	(void)state;
	space_build(s, MAPPING_4K, 10 * 518 + 100, 0);
	run = run_open(s, FREE_BATCH, 2, 1, true);
	run->job.patience_cycles = 1000000; /* the worker comes after the walker */
	run->way->work(&run->job, 0);
	assert_int_equal(run->ranks[0].queued, 10);
	/* tables: 11 of level 1, and three; a batch for what is left in the end */
	assert_int_equal(s->allocator.stats[0].frees, 10 * 8 + 100 + 11 + 3 + 1);
	run->way->work(&run->job, 1);
	assert_int_equal(s->allocator.stats[1].frees, 10 * 511);
	space_assert_free(s);
	run_close(run);
	space_fixture_close(s);
}

/* ---- pieces ---- */

static uint64_t holds(struct space_fixture *s, bool pieces)
{
	struct zone_lock *lock = &s->f.buddy->zones[0][ZONE_DMA32].lock;
	uint64_t acquisitions;
	struct run *run;

	space_build(s, MAPPING_4K, 30000, 100);
	run = run_open(s, FREE_PIECES, 1, 1, pieces);
	acquisitions = lock->acquisitions;
	run_threads(run);
	acquisitions = lock->acquisitions - acquisitions;
	space_assert_free(s);
	run_close(run);
	return acquisitions;
}

/* More holds, each of them shorter. */
static void drains_in_pieces(void **state)
{
	struct space_fixture *s = space_fixture_open();
	uint64_t whole, pieces;

	(void)state;
	whole = holds(s, false);
	pieces = holds(s, true);
	assert_true(pieces > whole);
	space_fixture_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_pages),
		cmocka_unit_test(huge_pages),
		cmocka_unit_test(chains_of_the_series),
		cmocka_unit_test(a_double_free_is_named),
		cmocka_unit_test(a_lost_worker),
		cmocka_unit_test(who_frees_what),
		cmocka_unit_test(drains_in_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
