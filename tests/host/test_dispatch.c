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
#include "lib/page_units.h"
#include "smp/barrier.h"
#include "smp/dispatch.h"

typedef unsigned __int128 u128;

static uint64_t seed = 0x9e3779b97f4a7c15ull;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint64_t next_any(void)
{
	uint64_t value = next_random();

	return value >> (next_random() % 64);
}

/* What a job's function saw, one thread at a time. */
struct seen {
	struct claim chunks[4096];
	uint64_t count, units;
};

static void note_chunk(void *argument, uint64_t start, uint64_t end)
{
	struct seen *seen = argument;

	assert_true(start < end);
	assert_true(seen->count < 4096);
	seen->chunks[seen->count++] = (struct claim){ start, end, 0 };
	seen->units += end - start;
}

static struct seen *seen_new(void)
{
	return test_calloc(1, sizeof(struct seen));
}

/* The sizing rules once more, in 128 bits. */
static u128 naive_chunk(const struct job *job)
{
	u128 min_chunk = job->min_chunk ? job->min_chunk : 1, align = job->align ? job->align : 1;
	u128 most = job->max_workers ? job->max_workers : 1, workers = job->size / min_chunk, chunk;

	workers = workers < 1 ? 1 : workers > most ? most : workers;
	chunk = job->size / (workers * 4);
	chunk = chunk < min_chunk ? min_chunk : chunk;
	chunk = chunk < 1 ? 1 : chunk;
	return job->exact_chunk ? job->exact_chunk : (chunk + align - 1) / align * align;
}

static void check_job(const struct job *shape)
{
	struct seen *seen = seen_new();
	struct claim claims[4096];
	struct claim_log log;
	struct job_state state;
	struct job job = *shape;
	u128 chunk = naive_chunk(shape);
	uint64_t end = job.start + job.size, bad;

	job.function = note_chunk;
	job.argument = seen;
	dispatch_prepare(&state, &job);
	claim_log_init(&log, claims, 4096);
	assert_true(chunk > UINT64_MAX ? state.chunk == UINT64_MAX : state.chunk == chunk);
	assert_int_equal(dispatch_work(&state, state.workers, &log, 9), 0);
	assert_int_equal(seen->count, 0);
	assert_true(dispatch_work(&state, 0, &log, 7) == job.size);
	assert_true(seen->units == job.size);
	assert_int_equal(seen->count, state.chunk_count);
	assert_int_equal(log.count, state.chunk_count);
	for (uint64_t i = 0; i < seen->count; i++) {
		struct claim *c = &seen->chunks[i];

		assert_true(c->start == job.start || c->start % chunk == 0);
		assert_true(c->end == end || c->end % chunk == 0);
		assert_true(c->end - c->start <= chunk);
		assert_true(claims[i].start == c->start && claims[i].end == c->end);
		assert_int_equal(claims[i].worker, 7);
	}
	assert_true(dispatch_claims_tile(seen->chunks, seen->count, job.start, end, &bad));
	assert_int_equal(dispatch_work(&state, 0, &log, 7), 0);
	assert_true(dispatch_finished(&state));
	test_free(seen);
}

static void test_chunks_tile_any_job(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < 1000; i++) {
		struct job job = { .start = next_any(), .align = 1 + next_any() % 70000 };

		job.max_workers = (uint32_t)(next_random() % 300);
		job.size = next_any() % (UINT64_MAX - job.start);
		job.min_chunk = next_any();
		if (i % 3 == 0) {
			job.start %= 10000;
			job.size %= 10000;
			job.min_chunk %= 50;
			job.align = 1 + job.align % 40;
		}
		check_job(&job);
		job.exact_chunk = job.size / 4000 + 1 + next_any() % (UINT64_MAX / 2);
		check_job(&job);
	}
}

/* `chunk=`: neither the rule's alignment nor its minimum counts; a worker per chunk may work. */
static void test_exact_chunks(void **unused)
{
	struct job job = { .start = SECTION_PAGES + 1024, .size = 3 * SECTION_PAGES - 1024,
			   .align = SECTION_PAGES, .min_chunk = SECTION_PAGES, .max_workers = 200,
			   .exact_chunk = 1024 };
	struct job_state state;

	(void)unused;
	check_job(&job);
	dispatch_prepare(&state, &job);
	assert_int_equal(state.chunk, 1024);
	assert_int_equal(state.chunk_count, 95);
	assert_int_equal(state.workers, 95);
	job.max_workers = 7;
	dispatch_prepare(&state, &job);
	assert_int_equal(state.workers, 7);
	job.size = 0;
	dispatch_prepare(&state, &job);
	assert_int_equal(state.chunk_count, 0);
}

/* ---- a fixed split --------------------------------------------------------------------------- */

/* The smallest multiple of `align` of which `workers` pieces from the border at or below the start
 * reach the end. */
static u128 naive_share(const struct job *job, u128 workers)
{
	u128 align = job->align ? job->align : 1, min_chunk = job->min_chunk ? job->min_chunk : 1;
	u128 first = job->start / align * align, end = (u128)job->start + job->size;
	u128 need = (end - first + workers - 1) / workers, chunk;

	need = need < min_chunk ? min_chunk : need;
	chunk = (need + align - 1) / align * align;
	assert_true(first + chunk * workers >= end);
	return chunk;
}

static void check_fixed(const struct job *shape)
{
	struct seen *seen = seen_new();
	struct job job = *shape;
	struct job_state *state = aligned_alloc(64, sizeof(*state));
	uint64_t end = job.start + job.size, bad, min_chunk = job.min_chunk ? job.min_chunk : 1;
	uint64_t most = job.max_workers ? job.max_workers : 1, start, stop;
	u128 workers = job.size / min_chunk, chunk;

	most = most < CPU_MAX ? most : CPU_MAX;
	workers = workers < 1 ? 1 : workers > most ? most : workers;
	chunk = naive_share(shape, workers);
	job.function = note_chunk;
	job.argument = seen;
	job.split = DISPATCH_FIXED;
	dispatch_prepare(state, &job);
	assert_true(state->workers == workers);
	assert_true(chunk > UINT64_MAX ? state->chunk == UINT64_MAX : state->chunk == chunk);
	assert_true(state->chunk_count <= workers);
	for (uint32_t rank = state->workers + 2; rank-- > 0;) {
		uint64_t before = seen->count;

		dispatch_work(state, rank, NULL, 0);
		assert_int_equal(seen->count - before, rank < state->chunk_count);
		assert_false(dispatch_claim(state, rank, &start, &stop));
	}
	for (uint64_t i = 0; i < seen->count; i++)
		assert_true(seen->chunks[i].end == end ||
			    seen->chunks[i].end % (job.align ? job.align : 1) == 0);
	assert_true(dispatch_claims_tile(seen->chunks, seen->count, job.start, end, &bad));
	assert_true(dispatch_finished(state));
	free(state);
	test_free(seen);
}

static void test_fixed_shares_tile_any_job(void **unused)
{
	struct job last = { .start = UINT64_MAX - 5, .size = 5, .align = 1ull << 63 };

	(void)unused;
	for (unsigned i = 0; i < 1000; i++) {
		struct job job = { .start = next_any(), .align = next_any() % 70000 };

		job.max_workers = (uint32_t)(next_random() % 300);
		job.size = next_any() % (UINT64_MAX - job.start);
		job.min_chunk = i % 2 ? next_any() : 0;
		job.exact_chunk = next_any(); /* has no say */
		if (i % 3 == 0) {
			job.start %= 1000;
			job.size %= 1000;
			job.min_chunk %= 50;
			job.align %= 40;
		}
		check_fixed(&job);
	}
	check_fixed(&last);
}

/* 10 units for 3: nobody is left over, as the rest of a division once was in a memory tester. */
static void test_fixed_shares_lose_no_rest(void **unused)
{
	struct job job = { .size = 10, .max_workers = 3, .align = 1, .split = DISPATCH_FIXED };
	struct job_state state;
	uint64_t start, end;

	(void)unused;
	dispatch_prepare(&state, &job);
	assert_true(dispatch_claim(&state, 2, &start, &end));
	assert_int_equal(start, 8);
	assert_int_equal(end, 10);
	assert_true(dispatch_claim(&state, 0, &start, &end));
	assert_int_equal(end, 4);
	assert_false(dispatch_claim(&state, 0, &start, &end));
	assert_false(dispatch_claim(&state, 3, &start, &end));
}

/* More ranks than there are bits for. */
static void test_fixed_split_among_very_many(void **unused)
{
	struct job job = { .size = 1ull << 40, .max_workers = UINT32_MAX, .align = 1,
			   .split = DISPATCH_FIXED };
	struct job_state state;
	uint64_t start, end;

	(void)unused;
	dispatch_prepare(&state, &job);
	assert_int_equal(state.workers, CPU_MAX);
	assert_true(dispatch_claim(&state, CPU_MAX - 1, &start, &end));
	assert_int_equal(end, 1ull << 40);
	assert_false(dispatch_claim(&state, CPU_MAX, &start, &end));
	dispatch_prepare(&state, &job);
	assert_true(dispatch_claim(&state, CPU_MAX - 1, &start, &end));
}

/* The last units that there are: borders beyond 2^64 must not wrap to 0. */
static void test_jobs_at_the_end_of_the_world(void **unused)
{
	const uint64_t top = UINT64_MAX;
	const struct job jobs[] = {
		{ .start = 0, .size = top, .align = 1, .min_chunk = 0, .max_workers = 4 },
		{ .start = 0, .size = top, .align = top, .min_chunk = top, .max_workers = 1 },
		{ .start = 1, .size = top - 1, .align = SECTION_PAGES, .max_workers = 255 },
		{ .start = top - 1, .size = 1, .align = top, .min_chunk = 1, .max_workers = 3 },
		{ .start = top - 5, .size = 5, .align = 3, .min_chunk = 2, .max_workers = 2 },
		{ .start = top - 5, .size = 5, .align = 1ull << 63, .min_chunk = top },
		{ .start = top, .size = 0, .align = 1, .max_workers = 1 },
		{ .start = 0, .size = 0, .align = 1, .max_workers = 1 },
		{ .start = 5, .size = 100, .align = 1, .min_chunk = 1, .max_workers = UINT32_MAX },
	};

	(void)unused;
	for (unsigned i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		check_job(&jobs[i]);
}

static struct job_state sized(uint64_t start, uint64_t size, uint32_t workers)
{
	struct job job = { .function = note_chunk, .start = start, .size = size,
			   .align = SECTION_PAGES, .min_chunk = SECTION_PAGES,
			   .max_workers = workers };
	struct job_state state;

	dispatch_prepare(&state, &job);
	return state;
}

/* 384 GiB by 52 threads, 64 GiB by 16, 4 GiB by 4, and two threads need 256 MiB. */
static void test_worked_examples_of_padata(void **unused)
{
	struct job_state s = sized(0, 3072 * SECTION_PAGES, 52);

	(void)unused;
	assert_int_equal(s.workers, 52);
	assert_int_equal(s.chunk, 15 * SECTION_PAGES);
	assert_int_equal(s.chunk_count, 205);
	s = sized(0, 512 * SECTION_PAGES, 16);
	assert_int_equal(s.chunk, 8 * SECTION_PAGES);
	assert_int_equal(s.chunk_count, 64);
	s = sized(0, 32 * SECTION_PAGES, 4);
	assert_int_equal(s.chunk, 2 * SECTION_PAGES);
	assert_int_equal(sized(0, 2 * SECTION_PAGES - 1, 2).workers, 1);
	assert_int_equal(sized(0, 2 * SECTION_PAGES, 2).workers, 2);
}

/* A range that begins inside a section: the first chunk ends on the border. */
static void test_first_chunk_ends_on_a_border(void **unused)
{
	struct job_state s = sized(SECTION_PAGES + 100, 4 * SECTION_PAGES - 100, 1);
	struct seen *seen = seen_new();

	(void)unused;
	s.job.argument = seen;
	dispatch_work(&s, 0, NULL, 0);
	assert_int_equal(s.chunk_count, 4);
	assert_int_equal(seen->chunks[0].start, SECTION_PAGES + 100);
	assert_int_equal(seen->chunks[0].end, 2 * SECTION_PAGES);
	assert_int_equal(seen->chunks[3].end, 5 * SECTION_PAGES);
	test_free(seen);
}

/* Linux before 6.9 divided by a chunk size of 0. */
static void test_no_minimum_and_more_workers_than_units(void **unused)
{
	struct job job = { .start = 0, .size = 3, .align = 0, .min_chunk = 0, .max_workers = 64 };

	(void)unused;
	check_job(&job);
}

static void test_polls_after_the_end_do_not_count_on(void **unused)
{
	struct job_state s = sized(0, 32 * SECTION_PAGES, 4);
	struct seen *seen = seen_new();

	(void)unused;
	s.job.argument = seen;
	dispatch_work(&s, 0, NULL, 0);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(dispatch_work(&s, i % 4, NULL, 0), 0);
	assert_int_equal(s.next, s.chunk_count);
	test_free(seen);
}

static void test_full_log_is_noticed(void **unused)
{
	struct claim claims[2] = { { 0, 0, 0 }, { 5, 5, 5 } };
	struct claim_log log;

	(void)unused;
	claim_log_init(&log, claims, 1);
	claim_log_add(&log, 1, 2, 3);
	claim_log_add(&log, 2, 3, 3);
	assert_int_equal(log.count, 2);
	assert_int_equal(claims[0].end, 2);
	assert_int_equal(claims[1].end, 5);
}

/* A map of units against the verdict, with claims left out, repeated, shifted. */
static void test_tiling_against_a_map_of_units(void **unused)
{
	enum { UNITS = 40, START = 10, END = 30 };

	(void)unused;
	for (unsigned round = 0; round < 10000; round++) {
		struct claim claims[24];
		unsigned map[UNITS] = { 0 };
		uint64_t count = 0, bad = UINT64_MAX, expected = UINT64_MAX;

		for (uint64_t at = START; at < END;) {
			uint64_t length = 1 + next_random() % 6;

			length = at + length > END ? END - at : length;
			if (next_random() % 24)
				claims[count++] = (struct claim){ at, at + length, 0 };
			if (next_random() % 24 == 0)
				claims[count++] = (struct claim){ at - next_random() % 3,
								  at + length, 0 };
			at += length;
			if (count > 20)
				break;
		}
		for (uint64_t i = count; i-- > 1;) {
			uint64_t j = next_random() % (i + 1);
			struct claim spare = claims[i];

			claims[i] = claims[j];
			claims[j] = spare;
		}
		for (uint64_t i = 0; i < count; i++)
			for (uint64_t u = claims[i].start; u < claims[i].end; u++)
				map[u]++;
		for (uint64_t u = UNITS; u-- > 0;)
			if (map[u] != (u >= START && u < END))
				expected = u;
		assert_int_equal(dispatch_claims_tile(claims, count, START, END, &bad),
				 expected == UINT64_MAX);
		assert_true(bad == expected);
	}
}

static void test_tiling_of_nothing_and_of_empty_claims(void **unused)
{
	struct claim odd[] = { { 5, 5, 0 }, { 5, 6, 0 } };
	uint64_t bad = 0;

	(void)unused;
	assert_true(dispatch_claims_tile(NULL, 0, 5, 5, &bad));
	assert_false(dispatch_claims_tile(NULL, 0, 5, 6, &bad));
	assert_int_equal(bad, 5);
	assert_false(dispatch_claims_tile(odd, 2, 5, 6, &bad));
	assert_int_equal(bad, 5);
}

/* ---- threads; also meant for the thread sanitizer ----------------------------------------- */

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
	hand->go = barrier_wait(&crew->barrier, tsc_ordered() + (1ull << 40));
	for (unsigned i = 0; i < THREADS; i++)
		hand->seen += crew->brought[i];
	hand->units = dispatch_work(&crew->state, hand->rank, &crew->log, hand->rank);
	return NULL;
}

static void *work_same_rank(void *argument)
{
	struct hand *hand = argument;

	barrier_wait(&hand->crew->barrier, tsc_ordered() + (1ull << 40));
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
static void test_barrier_gives_up_at_the_deadline(void **unused)
{
	struct barrier barrier;
	uint64_t deadline = tsc_ordered() + 100000;

	(void)unused;
	barrier_init(&barrier, 2);
	assert_int_equal(barrier_wait(&barrier, deadline), 0);
	assert_true(tsc_ordered() > deadline);
	assert_int_equal(barrier_wait(&barrier, deadline), 0);
}

/* A virtual CPU that did not run for a while must not take an open barrier for a failed one. */
static void test_released_barrier_beats_the_deadline(void **unused)
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
		cmocka_unit_test(test_chunks_tile_any_job),
		cmocka_unit_test(test_exact_chunks),
		cmocka_unit_test(test_fixed_shares_tile_any_job),
		cmocka_unit_test(test_fixed_shares_lose_no_rest),
		cmocka_unit_test(test_fixed_split_among_very_many),
		cmocka_unit_test(test_jobs_at_the_end_of_the_world),
		cmocka_unit_test(test_worked_examples_of_padata),
		cmocka_unit_test(test_first_chunk_ends_on_a_border),
		cmocka_unit_test(test_no_minimum_and_more_workers_than_units),
		cmocka_unit_test(test_polls_after_the_end_do_not_count_on),
		cmocka_unit_test(test_full_log_is_noticed),
		cmocka_unit_test(test_tiling_against_a_map_of_units),
		cmocka_unit_test(test_tiling_of_nothing_and_of_empty_claims),
		cmocka_unit_test(test_threads_share_every_unit_once),
		cmocka_unit_test(test_one_rank_for_all_threads),
		cmocka_unit_test(test_barrier_of_one_does_not_wait),
		cmocka_unit_test(test_barrier_gives_up_at_the_deadline),
		cmocka_unit_test(test_released_barrier_beats_the_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
