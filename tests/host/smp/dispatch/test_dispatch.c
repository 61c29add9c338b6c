/* SPDX-License-Identifier: GPL-2.0-only */
/* Chunks of a job that is dealt out as it goes: sizes, borders, extremes. */
#include "lib/page_units.h"
#include "tests/host/dispatch_seen.h"

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
		struct job job = { .start = random_any(&seed),
				   .align = 1 + random_any(&seed) % 70000 };

		job.max_workers = (uint32_t)(random_next(&seed) % 300);
		job.size = random_any(&seed) % (UINT64_MAX - job.start);
		job.min_chunk = random_any(&seed);
		if (i % 3 == 0) {
			job.start %= 10000;
			job.size %= 10000;
			job.min_chunk %= 50;
			job.align = 1 + job.align % 40;
		}
		check_job(&job);
		job.exact_chunk = job.size / 4000 + 1 + random_any(&seed) % (UINT64_MAX / 2);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chunks_tile_any_job),
		cmocka_unit_test(test_exact_chunks),
		cmocka_unit_test(test_jobs_at_the_end_of_the_world),
		cmocka_unit_test(test_worked_examples_of_padata),
		cmocka_unit_test(test_first_chunk_ends_on_a_border),
		cmocka_unit_test(test_no_minimum_and_more_workers_than_units),
		cmocka_unit_test(test_polls_after_the_end_do_not_count_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
