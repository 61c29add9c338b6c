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
#include "mm/init_plan.h"
#include "mm/memmap.h"
#include "mm/topology.h"
#include "mm/verify.h"

/* What the experiment needs of the machine: the kernel's CPUs, or threads in a test. */
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

struct init_run_sample {
	enum policy policy;
	uint32_t repetition;
	uint32_t workers;      /* CPUs that took part */
	uint64_t pages;        /* deferred frames of all nodes */
	uint64_t early_pages, early_cycles; /* the boot CPU's part, before the barrier */
	uint64_t wake_cycles;  /* from the decision to wake the workers to the barrier's stamp */
	uint64_t cycles;       /* until the slowest node was done */
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
	/* The clock of this CPU is at least so far from that of another, and so may be the figures:
	 * it arrived at a barrier after the stamp of its opening, or left it before. */
	uint64_t skew_cycles;
	uint32_t skew_cpu;
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
