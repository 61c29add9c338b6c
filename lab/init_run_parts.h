#pragma once
/* What the files of the experiment share: its memory, and one run's duties and stamps. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init_run.h"
#include "mm/page_init.h"
#include "smp/barrier.h"
#include "smp/dispatch.h"

struct init_worker {
	uint32_t cpu;
	uint32_t first_visit, visit_count; /* in plan->visits */
};

/* Each written by one CPU while all work, hence on a cache line of its own. */
struct worker_record {
	_Alignas(64) uint64_t go_tsc; /* the barrier's stamp; 0: it did not open in time */
	uint64_t arrive_tsc, seen_tsc; /* own clock before the barrier and behind it */
	uint64_t end_tsc;
};

struct visit_record {
	_Alignas(64) uint64_t last_tsc; /* after the last chunk of this visit; 0: there was none */
};

struct check_record {
	_Alignas(64) struct verify_totals totals;
};

/* How much of everything there may be. */
struct init_capacity {
	uint64_t spans, claims;
	uint32_t jobs, visits;         /* of one plan */
	uint32_t policies, runs;
	uint32_t cpus, nodes;
};

struct init_state {
	const struct init_input *input;
	struct init_results *results;
	struct init_capacity capacity;

	/* all online CPUs, for poisoning and verifying */
	uint32_t *online;
	uint32_t online_count;
	struct job_state *sweep; /* over memmap->sections */
	struct check_record *checks;

	/* the run in hand */
	const struct init_plan *plan;
	struct init_worker *workers;
	uint32_t *worker_cpus;
	uint32_t worker_count;
	struct worker_record *worker_records;
	struct visit_record *visit_records; /* as plan->visits */
	struct job_state *jobs;             /* as plan->jobs */
	struct claim_log *logs;             /* one per job */
	struct claim *claims;               /* of all jobs, one after the other */
	struct page_init_args *args;        /* one per node */
	struct barrier *barrier;
};

/* Lays the experiment out in `memory`, plans and results too; NULL when `bytes` is too small. */
struct init_state *init_memory_lay_out(const struct init_input *input, void *memory, uint64_t bytes,
				       struct init_results *results);

/* Fills the job states, logs and arguments for state->plan. False when its chunks do not fit. */
bool init_jobs_prepare(struct init_state *state);

/* Whether the claims of the run in hand tile every job, and no two jobs of a node overlap. On false
 * *bad_pfn is the first frame missing or claimed twice. */
bool init_claims_good(const struct init_state *state, uint64_t *bad_pfn);

/* Appends the samples of the run in hand, per node and per CPU, and sums them up in `run`. */
void init_samples_add(const struct init_state *state, struct init_run_sample *run, uint64_t go_tsc);

/* later - earlier of two stamps that different CPUs took: their clocks may differ by a little. */
static inline uint64_t cycles_between(uint64_t earlier, uint64_t later)
{
	return later > earlier ? later - earlier : 0;
}
