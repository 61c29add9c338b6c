/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What one timed and checked run yields. Cycles are counted from the barrier's stamp unless said
 * otherwise. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/machine.h"
#include "mm/buddy/buddy.h"
#include "mm/buddy/buddy_census.h"
#include "mm/init/policy.h"
#include "mm/init/store.h"
#include "mm/init/verify.h"

/* All memory is allocated and given back twice, by blocks of these orders. */
enum { EXERCISES = 2 };
static inline uint32_t exercise_order(uint32_t exercise)
{
	return exercise ? ORDER_MAX : 0;
}

/* The page allocator after a run. */
struct allocator_sample {
	struct buddy_census census;
	uint64_t expected_free_pages;       /* from the map and the reservations */
	uint64_t pageblocks;          /* typed */
	uint64_t expected_pageblocks; /* that hold any frame of RAM */
	uint64_t poison_reads, typed_twice, double_frees;
	/* Everything allocated and freed again, by exercise: in each policy's first run, unless
	 * there is more than 64 GiB of RAM or it is too far apart. */
	bool exercised;
	uint64_t taken_pages[EXERCISES], taken_twice[EXERCISES];
	bool restored[EXERCISES];           /* the census was the same afterwards */
};

/* Where lazy is among the policies: the cost moved to first use, by allocating everything (of more
 * than 64 GiB so much) as 4 KiB pages on the boot CPU. In the first five warm runs of lazy and of
 * the baseline to compare with, which leaves nothing to do; above 64 GiB in the first. */
#define FIRST_USE_PAGES_MAX (64ull << 18)
enum { FIRST_USE_RUNS_MAX = 5 };
struct lazy_sample {
	uint64_t filled_blocks;             /* blocks of 4 MiB */
	uint64_t fill_cycles;               /* inside the fill function */
	uint64_t first_use_pages;           /* 0: not measured in this run */
	uint64_t first_use_cycles;          /* the whole pass of allocations */
};

/* Policy async: the boot CPU allocates blocks of ORDER_MAX while the workers run, from its own node
 * first, and gives them back after the measurement. It begins as soon as it has woken them, before
 * the barrier opens. */
struct async_sample {
	bool degraded;                 /* the boot CPU was needed as a worker: ran as zone does */
	uint64_t first_success_cycles; /* from the decision to wake the workers */
	uint64_t allocations, failures;
	/* of one successful allocation */
	uint64_t min_cycles, median_cycles, p99_cycles, max_cycles;
	uint64_t histogram[64];        /* by floor(log2(cycles)) */
};

struct run_sample {
	enum policy policy;
	uint32_t repetition;
	uint32_t workers;      /* CPUs that took part */
	enum store store;      /* what wrote the struct pages, on the boot CPU's kind of core */
	uint64_t pages;        /* deferred frames of all nodes */
	uint64_t early_pages, early_cycles; /* the boot CPU's part, before the barrier */
	uint64_t early_free_cycles; /* handing its early free frames to the allocator */
	uint64_t wake_cycles;  /* from the decision to wake the workers to the barrier's stamp */
	uint64_t first_pass_cycles; /* PASS_TWO: until the slowest node was initialised; else 0 */
	uint64_t cycles;       /* until the slowest node was done */
	bool cold;             /* repetition 0: the memmap had not been touched since boot */
	uint64_t smi;          /* SMIs on any worker during the run, summed; DISTURBANCE_UNKNOWN */
	uint64_t aperf, mperf; /* of all workers during the run, or DISTURBANCE_UNKNOWN */
	struct allocator_sample allocator;
	struct lazy_sample lazy;
	struct async_sample async;
	struct verify_totals totals;
	bool tiled;            /* every chunk claimed exactly once */
	uint64_t bad_pfn;      /* where not tiled: first frame missing or claimed twice */
	bool timed_out;        /* not all workers met in time: the rest does not count */
	bool good;             /* all checks passed */
};

/* Of experiments that compare steps: one node in one run. */
struct step_sample {
	uint32_t step;         /* index into the experiment's steps */
	uint32_t repetition;   /* from 0 */
	uint32_t node;
	uint32_t workers;      /* that took part on this node */
	uint64_t pages, cycles;
};
