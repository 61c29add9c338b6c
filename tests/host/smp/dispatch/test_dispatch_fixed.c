/* SPDX-License-Identifier: GPL-2.0-only */
/* A fixed split: one chunk for each worker, told apart by rank. */
#include "tests/host/dispatch_seen.h"

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
		struct job job = { .start = random_any(&seed), .align = random_any(&seed) % 70000 };

		job.max_workers = (uint32_t)(random_next(&seed) % 300);
		job.size = random_any(&seed) % (UINT64_MAX - job.start);
		job.min_chunk = i % 2 ? random_any(&seed) : 0;
		job.exact_chunk = random_any(&seed); /* has no say */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_shares_tile_any_job),
		cmocka_unit_test(test_fixed_shares_lose_no_rest),
		cmocka_unit_test(test_fixed_split_among_very_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
