/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/dispatch/dispatch.h"

#include "lib/minmax.h"
#include "lib/round.h"
#include "lib/sort.h"

#define NO_CHUNK UINT64_MAX

/* Number of the chunk that holds the job's last unit. */
static uint64_t count_chunks(const struct job_state *state)
{
	const struct job *job = &state->job;

	if (!job->size)
		return 0;
	return (job->start + job->size - 1 - state->first_border) / state->chunk + 1;
}

/*
 *   units    0        chunk     2*chunk    3*chunk    4*chunk
 *            |----------|----------|----------|----------|
 *   job            [start                   end)
 *   chunks         [ 0  )[   1    )[   2   )              first_border = 0, chunk_count = 3
 */
static void size_dynamic(struct job_state *state, uint64_t min_chunk, uint32_t max_workers)
{
	const struct job *job = &state->job;
	uint64_t share;

	state->workers = (uint32_t)clamp_u64(job->size / min_chunk, 1, max_workers);
	share = job->size / ((uint64_t)state->workers * DISPATCH_LOAD_BALANCE);
	state->chunk = round_up_u64(max_u64(share, min_chunk), max_u64(job->align, 1));
	if (job->exact_chunk)
		state->chunk = job->exact_chunk;
	state->first_border = round_down_u64(job->start, state->chunk);
	state->chunk_count = count_chunks(state);
	if (job->exact_chunk)
		state->workers = (uint32_t)clamp_u64(state->chunk_count, 1, max_workers);
}

/*
 *   units    0     align     ...
 *            |----|----|----|----|----|----|----|----|----|
 *   job                  [start                   end)
 *   chunks               [   0    )[    1    )[  2   )    three workers; first_border = 2*align
 */
static void size_fixed(struct job_state *state, uint64_t min_chunk, uint32_t max_workers)
{
	const struct job *job = &state->job;
	uint64_t align = max_u64(job->align, 1), lead = job->start % align, share;

	max_workers = min_u32(max_workers, CPU_MAX);
	state->workers = (uint32_t)clamp_u64(job->size / min_chunk, 1, max_workers);
	share = div_round_up_u64(job->size + lead, state->workers);
	state->chunk = round_up_u64(max_u64(share, min_chunk), align);
	state->first_border = job->start - lead;
	state->chunk_count = count_chunks(state);
	for (uint32_t i = 0; i < CPU_MAX / 64; i++)
		atomic_store_explicit(&state->taken[i], 0, memory_order_relaxed);
}

void dispatch_prepare(struct job_state *state, const struct job *job)
{
	uint64_t min_chunk = max_u64(job->min_chunk, 1);
	uint32_t max_workers = max_u32(job->max_workers, 1);

	state->job = *job;
	if (job->split == DISPATCH_FIXED)
		size_fixed(state, min_chunk, max_workers);
	else
		size_dynamic(state, min_chunk, max_workers);
	atomic_store_explicit(&state->next, 0, memory_order_relaxed);
	atomic_store_explicit(&state->finished, 0, memory_order_relaxed);
}

void claim_log_init(struct claim_log *log, struct claim *claims, uint64_t capacity)
{
	log->claims = claims;
	log->capacity = capacity;
	atomic_store_explicit(&log->count, 0, memory_order_relaxed);
}

void claim_log_add(struct claim_log *log, uint64_t start, uint64_t end, uint64_t worker)
{
	uint64_t slot = atomic_fetch_add_explicit(&log->count, 1, memory_order_relaxed);

	if (slot < log->capacity)
		log->claims[slot] = (struct claim){ start, end, worker };
}

/*
 * Relaxed is enough: a claim orders nothing but claims, the chunks of a job are disjoint, and
 * the caller that starts the workers and waits for them orders all the rest. The load in front
 * keeps workers that poll a finished job from counting on for ever and from taking the cache line
 * away from each other.
 */
static uint64_t claim_next(struct job_state *state)
{
	if (atomic_load_explicit(&state->next, memory_order_relaxed) >= state->chunk_count)
		return NO_CHUNK;
	return atomic_fetch_add_explicit(&state->next, 1, memory_order_relaxed);
}

/* The chunk of a rank has the rank's number. */
static uint64_t claim_own(struct job_state *state, uint32_t rank)
{
	uint64_t bit = 1ull << rank % 64, before;

	before = atomic_fetch_or_explicit(&state->taken[rank / 64], bit, memory_order_relaxed);
	return before & bit ? NO_CHUNK : rank;
}

bool dispatch_claim(struct job_state *state, uint32_t rank, uint64_t *start, uint64_t *end)
{
	const struct job *job = &state->job;
	uint64_t number, border;

	if (rank >= state->workers)
		return false;
	number = job->split == DISPATCH_FIXED ? claim_own(state, rank) : claim_next(state);
	if (number >= state->chunk_count)
		return false;
	border = state->first_border + number * state->chunk;
	*start = max_u64(border, job->start);
	*end = job->start + job->size;
	if (*end - border > state->chunk)
		*end = border + state->chunk;
	return true;
}

uint64_t dispatch_work_with(struct job_state *state, void *argument, uint32_t rank,
			    struct claim_log *log, uint64_t worker)
{
	uint64_t start, end, done = 0;

	while (dispatch_claim(state, rank, &start, &end)) {
		if (log)
			claim_log_add(log, start, end, worker);
		state->job.function(argument, start, end);
		atomic_fetch_add_explicit(&state->finished, 1, memory_order_release);
		done += end - start;
	}
	return done;
}

uint64_t dispatch_work(struct job_state *state, uint32_t rank, struct claim_log *log,
		       uint64_t worker)
{
	return dispatch_work_with(state, state->job.argument, rank, log, worker);
}

bool dispatch_finished(const struct job_state *state)
{
	return atomic_load_explicit(&state->finished, memory_order_acquire) == state->chunk_count;
}

static bool claim_before(const void *a, const void *b)
{
	const struct claim *left = a, *right = b;

	return left->start != right->start ? left->start < right->start : left->end < right->end;
}

/* In ascending order the first claim that does not begin where the last ended names the unit. */
bool dispatch_claims_tile(struct claim *claims, uint64_t count, uint64_t start, uint64_t end,
			  uint64_t *bad)
{
	uint64_t next = start;

	sort(claims, count, sizeof(claims[0]), claim_before);
	for (uint64_t i = 0; i < count; i++) {
		if (claims[i].start != next || claims[i].end <= next) {
			*bad = min_u64(claims[i].start, next);
			return false;
		}
		next = claims[i].end;
	}
	if (next == end)
		return true;
	*bad = min_u64(next, end);
	return false;
}
