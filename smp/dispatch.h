#pragma once
/*
 * The work-chunk dispatcher. A job is plain data; it knows nothing of pages. Chunk sizes follow
 * padata_do_multithreaded [Linux 5.8 to 6.18]:
 *   workers = clamp(size / min_chunk, 1, max_workers)
 *   chunk   = round_up(max(size / (workers * 4), min_chunk, 1), align)
 * Chunk borders are multiples of `chunk`, so the first and the last may be shorter. Workers claim chunk
 * numbers with one atomic addition, each exactly once.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { DISPATCH_LOAD_BALANCE = 4 };

struct job {
	void (*function)(void *argument, uint64_t start, uint64_t end); /* [start, end), never empty */
	void *argument;
	uint64_t start, size; /* units; size 0 is a job with no chunks; start + size does not wrap */
	uint64_t align;       /* at least 1 */
	uint64_t min_chunk;   /* 0 counts as 1 */
	uint32_t max_workers; /* 0 counts as 1 */
};

struct job_state {
	struct job job;
	uint32_t workers;     /* ranks at or above this find no work here */
	uint64_t chunk;       /* units */
	uint64_t chunk_count;
	_Alignas(64) _Atomic uint64_t next; /* chunk number to claim, on a cache line of its own */
	_Alignas(64) uint64_t end_of_line;
};

struct claim {
	uint64_t start, end;
	uint32_t job; /* number given to dispatch_work */
	uint32_t worker;
};

/* Who claimed what, one log per worker. `count` goes on past `capacity`: a full log is noticed. */
struct claim_log {
	struct claim *claims;
	uint64_t count, capacity;
};

/* Sizes the job and rewinds it. */
void dispatch_prepare(struct job_state *state, const struct job *job);

/* Claims and runs chunks as worker `rank` until none is left; returns the units done. Each claim is
 * appended to `log` with `job_number`. Safe on any number of CPUs at once. */
uint64_t dispatch_work(struct job_state *state, uint32_t job_number, uint32_t rank,
		       struct claim_log *log);

/* Whether the `count` claims, which are sorted in place, tile [start, end) exactly once. On false
 * *bad is the first unit missing or claimed twice. */
bool dispatch_claims_tile(struct claim *claims, uint64_t count, uint64_t start, uint64_t end,
			  uint64_t *bad);
