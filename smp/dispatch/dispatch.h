/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The work-chunk dispatcher. A job is plain data; it knows nothing of pages. Chunk sizes follow
 * padata_do_multithreaded [Linux 5.8 to 6.18]:
 *   workers = clamp(size / min_chunk, 1, max_workers)
 *   chunk   = round_up(max(size / (workers * 4), min_chunk, 1), align)
 * Chunk borders are multiples of `chunk`, so the first and the last may be shorter. Workers claim
 * chunk numbers with one atomic addition, each exactly once.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/limits.h"

enum { DISPATCH_LOAD_BALANCE = 4 };

/* Dynamic: workers claim chunk after chunk. Fixed: at most one chunk a worker, chosen by its rank,
 * so that no worker helps another:
 *   chunk = round_up(max(ceil((size + start % align) / workers), min_chunk), align)
 * with borders every `chunk` units from round_down(start, align) on. Rounding up can leave the last
 * ranks without work. At most CPU_MAX ranks. */
enum dispatch_split { DISPATCH_DYNAMIC, DISPATCH_FIXED };

struct job {
	void (*function)(void *argument, uint64_t start, uint64_t end); /* never empty */
	void *argument;
	uint64_t start, size; /* units; size 0: no chunks; start + size does not wrap */
	uint64_t align;       /* at least 1 */
	uint64_t min_chunk;   /* 0 counts as 1 */
	/* 0: by the rule. Else the size of every dynamic chunk, regardless of `align` and
	 * `min_chunk`, with one worker a chunk up to max_workers. A fixed split ignores it. */
	uint64_t exact_chunk;
	uint32_t max_workers; /* 0 counts as 1 */
	enum dispatch_split split;
};

struct job_state {
	struct job job;
	uint32_t workers;     /* ranks at or above this find no work here */
	uint64_t chunk;       /* units */
	uint64_t first_border; /* where the chunk that holds job.start would begin */
	uint64_t chunk_count;
	_Alignas(64) _Atomic uint64_t next; /* chunk to claim, on a cache line of its own */
	_Alignas(64) _Atomic uint64_t finished; /* chunks whose function has returned */
	_Alignas(64) _Atomic uint64_t taken[CPU_MAX / 64]; /* fixed: ranks that have theirs */
};

struct claim {
	uint64_t start, end;
	uint64_t worker; /* number given to dispatch_work */
};

/* What was claimed of one job, by all its workers, in no particular order. `count` goes on past
 * `capacity`: a full log is noticed. One more than the job has chunks is room enough to see a chunk
 * claimed twice. */
struct claim_log {
	struct claim *claims;
	uint64_t capacity;
	_Alignas(64) _Atomic uint64_t count;
};

/* Sizes the job and rewinds it. */
void dispatch_prepare(struct job_state *state, const struct job *job);

/* Makes `log` empty over `claims`. */
void claim_log_init(struct claim_log *log, struct claim *claims, uint64_t capacity);

/* Appends a claim. Safe on any number of CPUs at once. */
void claim_log_add(struct claim_log *log, uint64_t start, uint64_t end, uint64_t worker);

/* The next chunk for worker `rank`; false when none is left for it. For work that wants more
 * than a job's function is told; `finished` does not count it. Safe on any number of CPUs at
 * once. */
bool dispatch_claim(struct job_state *state, uint32_t rank, uint64_t *start, uint64_t *end);

/* Claims and runs chunks as worker `rank` until none is left; returns the units done. Each claim
 * is appended to `log` (NULL: none is kept) under the number `worker`. Safe on any number of
 * CPUs at once. */
uint64_t dispatch_work(struct job_state *state, uint32_t rank, struct claim_log *log,
		       uint64_t worker);

/* The same with another argument for the job's function: for work that is done in a way of the
 * worker's own. */
uint64_t dispatch_work_with(struct job_state *state, void *argument, uint32_t rank,
			    struct claim_log *log, uint64_t worker);

/* Whether the function has returned for every chunk. Who reads true sees all that the workers
 * wrote. */
bool dispatch_finished(const struct job_state *state);

/* Whether the `count` claims, which are sorted in place, tile [start, end) exactly once. On false
 * *bad is the first unit missing or claimed twice or, beyond the ends, claimed at all. */
bool dispatch_claims_tile(struct claim *claims, uint64_t count, uint64_t start, uint64_t end,
			  uint64_t *bad);
