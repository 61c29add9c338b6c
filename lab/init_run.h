#pragma once
/*
 * Experiment `init`: initialise the memmap under each policy, `repeat` times, the policies
 * interleaved, verify it after every run, and keep every raw number.
 *
 * The baseline, POLICY_NODE, is always one worker per node with that policy's own chunks;
 * options->threads and options->chunk_mib are for the policies that are compared with it.
 *
 * One run: poison the memmap; the boot CPU does the early part; the workers are woken and meet at a
 * barrier; the last to arrive stamps the clock; they initialise; each stamps the clock when it
 * finds no more work; the oracle checks everything. options->inject puts a deliberate fault into
 * the first run.
 */
#include <stdbool.h>
#include <stdint.h>

#include "boot/cmdline.h"
#include "lib/anomaly.h"
#include "mm/buddy.h"
#include "mm/init_plan.h"
#include "mm/memmap.h"
#include "mm/topology.h"
#include "mm/verify.h"

/* What the experiment needs of the machine: the kernel's CPUs, or threads in a test. */
/* Counters of the CPU that reads them; what it does not have is DISTURBANCE_UNKNOWN. */
struct disturbance {
	uint64_t smi;          /* system management interrupts since reset [SDM 4 MSR_SMI_COUNT] */
	uint64_t aperf, mperf; /* actual and nominal cycles [SDM 3B 15.5.5] */
};
#define DISTURBANCE_UNKNOWN UINT64_MAX

struct lab_machine {
	void (*run)(void *context, const uint32_t *cpus, uint32_t count,
		    void (*function)(void *argument, uint32_t index), void *argument);
	uint64_t (*now)(void *context); /* time stamp counter of the calling CPU */
	uint64_t timeout_cycles;        /* for barriers, from the moment at which a CPU arrives */
	void *context;
};

struct init_input {
	const struct lab_machine *machine;
	const struct topology *topology;
	const struct memmap *memmap;
	const struct range_list *reserved; /* frames; final: nothing is allocated any more */
	const struct options *options;
	struct buddy *buddy; /* base, pageblocks and zone spans set */
	void (*progress)(void *context, enum policy policy, uint32_t repetition); /* NULL: none */
	void *progress_context;
};

/* All cycles are counted from the barrier's stamp unless said otherwise. */
struct init_node_sample {
	enum policy policy;
	uint32_t repetition;
	uint32_t node;
	uint32_t workers;
	uint64_t pages;        /* deferred frames initialised */
	uint64_t cycles;       /* until the node's last chunk was done */
};

struct init_cpu_sample {
	enum policy policy;
	uint32_t repetition;
	uint32_t cpu;
	uint32_t chunks;
	uint64_t pages;
	uint64_t cycles;       /* until this worker found no more work */
};

/* The page allocator after a run. */
struct init_allocator_sample {
	struct buddy_census census;
	uint64_t expected_free_pages;       /* from the map and the reservations */
	uint64_t pageblocks, expected_pageblocks; /* typed exactly once; that hold any frame of RAM */
	uint64_t poison_reads, typed_twice, double_frees;
	/* Everything allocated and freed again, by order 0 and by order 10: only in the first repetition. */
	bool exercised;
	uint64_t taken_pages[2], taken_twice[2];
	bool restored[2];                   /* the census was the same afterwards */
};

/* Policy lazy: the cost moved to first use, by allocating everything as 4 KiB pages on the boot CPU,
 * against the same under a policy that left nothing to do. */
struct init_lazy_sample {
	uint64_t filled_blocks;
	uint64_t fill_cycles;               /* inside the fill function */
	uint64_t first_use_cycles;          /* the whole pass of allocations */
};

/* Policy async: the boot CPU allocates while the workers run. Cycles from the workers' start. */
struct init_async_sample {
	uint64_t first_success_cycles;      /* until an allocation of ORDER_MAX first succeeded */
	uint64_t allocations, failures;
	uint64_t min_cycles, median_cycles, p99_cycles, max_cycles; /* of one successful allocation */
	uint64_t histogram[64];             /* by floor(log2(cycles)) */
};

struct init_run_sample {
	enum policy policy;
	uint32_t repetition;
	uint32_t workers;      /* CPUs that took part */
	uint64_t pages;        /* deferred frames of all nodes */
	uint64_t early_pages, early_cycles; /* the boot CPU's part, before the barrier */
	uint64_t early_free_cycles; /* handing its early free frames to the allocator */
	uint64_t wake_cycles;  /* from the decision to wake the workers to the barrier's stamp */
	uint64_t first_pass_cycles; /* PASS_TWO: until the slowest node was initialised; else 0 */
	uint64_t cycles;       /* until the slowest node was done */
	bool cold;             /* the first run of all: the memmap had not been touched since boot */
	uint64_t smi;          /* SMIs on any worker during the run, summed; DISTURBANCE_UNKNOWN */
	uint64_t aperf, mperf; /* likewise, passed during the run */
	struct init_allocator_sample allocator;
	struct init_lazy_sample lazy;
	struct init_async_sample async;
	struct verify_totals totals;
	bool tiled;            /* every chunk claimed exactly once */
	uint64_t bad_pfn;      /* where not tiled: first frame missing or claimed twice */
	bool timed_out;        /* not all workers met at the barrier: the rest does not count */
};

struct init_results {
	enum policy policies[POLICY_COUNT]; /* in the order run, first POLICY_NODE, the baseline */
	uint32_t policy_count;
	struct init_plan *plans[POLICY_COUNT]; /* per entry of policies */
	struct init_run_sample *runs;
	uint32_t run_count;
	struct init_node_sample *nodes; /* only nodes with deferred pages */
	uint32_t node_count;
	struct init_cpu_sample *cpus;
	uint32_t cpu_count;
	struct verify_totals expected;
	bool verified; /* every run tiled, no mismatch, totals as expected */
};

/* Bytes of scratch that init_run needs for this input; an upper bound, taken before `reserved`
 * is final: `extra_reserved` more ranges are allowed for. */
uint64_t init_run_bytes(const struct init_input *input, uint32_t extra_reserved);

/* Runs the experiment in `memory` (64-byte aligned, `bytes` long). Results point into it. False
 * when the memory is too small or no CPU could work. Stops after the first run that fails
 * verification. */
bool init_run(const struct init_input *input, void *memory, uint64_t bytes,
	      struct init_results *results);
