#include "smp/dispatch.h"

#include "lib/sort.h"

static uint64_t at_least(uint64_t value, uint64_t least)
{
	return value < least ? least : value;
}

/* `value` rounded up to `align`; if too large UINT64_MAX, which no job reaches beyond. */
static uint64_t round_up(uint64_t value, uint64_t align)
{
	uint64_t rest = value % align;

	if (!rest)
		return value;
	return value > UINT64_MAX - (align - rest) ? UINT64_MAX : value + (align - rest);
}

static uint32_t worker_count(uint64_t size, uint64_t min_chunk, uint32_t max_workers)
{
	uint64_t workers = at_least(size / min_chunk, 1);

	return (uint32_t)(workers < max_workers ? workers : max_workers);
}

/*
 *   units    0        chunk     2*chunk    3*chunk    4*chunk
 *            |----------|----------|----------|----------|
 *   job            [start                   end)
 *   chunks         [ 0  )[   1    )[   2   )              first_chunk = 0, chunk_count = 3
 */
void dispatch_prepare(struct job_state *state, const struct job *job)
{
	uint64_t min_chunk = at_least(job->min_chunk, 1);
	uint32_t max_workers = (uint32_t)at_least(job->max_workers, 1);
	uint64_t share;

	state->job = *job;
	state->workers = worker_count(job->size, min_chunk, max_workers);
	share = job->size / ((uint64_t)state->workers * DISPATCH_LOAD_BALANCE);
	state->chunk = round_up(at_least(share, min_chunk), at_least(job->align, 1));
	state->first_chunk = job->start / state->chunk;
	state->chunk_count = 0;
	if (job->size)
		state->chunk_count = (job->start + job->size - 1) / state->chunk -
				     state->first_chunk + 1;
	atomic_store_explicit(&state->next, 0, memory_order_relaxed);
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
 * whoever starts the workers and waits for them orders all the rest. The load in front keeps those
 * who poll a finished job from counting on for ever and from taking the cache line away from each
 * other.
 */
bool dispatch_claim(struct job_state *state, uint32_t rank, uint64_t *start, uint64_t *end)
{
	const struct job *job = &state->job;
	uint64_t number, border;

	if (rank >= state->workers ||
	    atomic_load_explicit(&state->next, memory_order_relaxed) >= state->chunk_count)
		return false;
	number = atomic_fetch_add_explicit(&state->next, 1, memory_order_relaxed);
	if (number >= state->chunk_count)
		return false;
	border = (state->first_chunk + number) * state->chunk;
	*start = at_least(border, job->start);
	*end = job->start + job->size;
	if (*end - border > state->chunk)
		*end = border + state->chunk;
	return true;
}

uint64_t dispatch_work(struct job_state *state, uint32_t rank, struct claim_log *log,
		       uint64_t worker)
{
	uint64_t start, end, done = 0;

	while (dispatch_claim(state, rank, &start, &end)) {
		if (log)
			claim_log_add(log, start, end, worker);
		state->job.function(state->job.argument, start, end);
		done += end - start;
	}
	return done;
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
			*bad = claims[i].start < next ? claims[i].start : next;
			return false;
		}
		next = claims[i].end;
	}
	if (next == end)
		return true;
	*bad = next < end ? next : end;
	return false;
}
