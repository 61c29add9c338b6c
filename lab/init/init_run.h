#pragma once
/*
 * Experiment `init`: initialise and free the memmap under each policy, `repeat` times, the policies
 * interleaved in an order that changes with the repetition (lib/interleave.h), check everything
 * after every run, and keep every raw number.
 *
 * The baseline, POLICY_NODE, is always one worker per node with that policy's own chunks;
 * options->threads, chunk_mib and split are for the policies that are compared with it.
 *
 * One run: all CPUs poison the memmap and the pageblocks, which leaves caches and TLBs in one
 * state; the boot CPU initialises and frees the early part and takes each node's border; the
 * workers are woken and meet at a barrier; the last to arrive stamps the clock; they work; each
 * stamps the clock when it finds no more; the checks follow. options->inject puts a deliberate
 * fault into the first run, which is then the last.
 *
 * Repetition 0 is the cold one: the baseline alone, on a memmap that nobody has touched since boot,
 * hence not poisoned; it is left out where somebody has. 1 to `repeat` are warm. In the end comes
 * a run that is not timed, in which the nodes are grown before the workers start.
 *
 * Descriptors of less than 64 bytes are only initialised, since the page allocator needs a struct
 * page: no early part, no freeing, and of policy ktask the first pass alone.
 */
#include <stdbool.h>
#include <stdint.h>

#include "boot/cmdline.h"
#include "lib/anomaly.h"
#include "mm/buddy/buddy.h"
#include "mm/init/plan.h"
#include "mm/machine/memmap.h"
#include "mm/init/store.h"
#include "mm/machine/topology.h"
#include "mm/init/verify.h"

/* Counters of the CPU that reads them; what it does not have is DISTURBANCE_UNKNOWN. */
struct disturbance {
	uint64_t smi;          /* system management interrupts since reset [SDM 4 MSR_SMI_COUNT] */
	uint64_t aperf, mperf; /* actual and nominal cycles [SDM 3B 15.5.5] */
};
#define DISTURBANCE_UNKNOWN UINT64_MAX

/* What an experiment needs of the machine: the kernel's CPUs, or threads in a test. */
struct lab_machine {
	/* function(argument, i) on cpus[i], for all i; returns when all have returned. The calling
	 * CPU may be among them. */
	void (*run)(void *context, const uint32_t *cpus, uint32_t count,
		    void (*function)(void *argument, uint32_t index), void *argument);
	/* The same in two halves, for CPUs other than the calling one. */
	void (*start)(void *context, const uint32_t *cpus, uint32_t count,
		      void (*function)(void *argument, uint32_t index), void *argument);
	void (*wait)(void *context);
	uint64_t (*now)(void *context); /* time stamp counter of the calling CPU */
	void (*disturbance)(void *context, struct disturbance *reading); /* of the calling CPU */
	uint64_t timeout_cycles; /* for what others are waited for, from the moment of arrival */
	void *context;
};

/* A run that is about to begin: a trial, or one that has a result, hence not that with growth. */
struct lab_progress {
	enum experiment experiment;
	enum policy policy;
	uint32_t repetition;
	uint32_t workers;        /* of a sweep's step, per node; else 0 */
	uint64_t chunk_pages;    /* of a sweep's step; 0: by the rules */
	uint32_t index, count;   /* this run, counted from 0, of so many */
	uint64_t elapsed_cycles; /* since the experiment began */
	bool cold;               /* the first run */
	const char *trial;       /* of this store kernel, before the experiment; or NULL */
};

struct init_input {
	const struct lab_machine *machine;
	const struct topology *topology;
	const struct memmap *memmap;
	const struct range_list *reserved; /* frames; final: nothing is allocated any more */
	const struct options *options;
	struct buddy *buddy; /* base, pageblocks and zone spans set */
	void (*progress)(void *context, const struct lab_progress *progress); /* NULL: none */
	void *progress_context;
	struct store_choice stores; /* as all CPUs permit; on the boot CPU's kind of core */
	bool memmap_written;        /* since boot, by others: there is no cold run */
	/* Workers per node under policies that are told (WORKERS_GIVEN); NULL: see init_rules */
	const uint32_t *worker_counts[POLICY_COUNT];
	const struct store_choice *kind_stores; /* by kind of core; NULL: all as `stores` */
	/* Likewise under policies that want the best (policy_rule); NULL: as under the others */
	const struct store_choice *best_stores;
};

/* All cycles are counted from the barrier's stamp unless said otherwise. */
struct init_node_sample {
	enum policy policy;
	uint32_t repetition;   /* 0: the cold run */
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
	uint64_t pageblocks;          /* typed */
	uint64_t expected_pageblocks; /* that hold any frame of RAM */
	uint64_t poison_reads, typed_twice, double_frees;
	/* Everything allocated and freed again, by order 0 and by order 10: in each policy's first
	 * run, unless there is more than 64 GiB of RAM or it is too far apart. */
	bool exercised;
	uint64_t taken_pages[2], taken_twice[2];
	bool restored[2];                   /* the census was the same afterwards */
};

/* Where lazy is among the policies: the cost moved to first use, by allocating everything (of more
 * than 64 GiB so much) as 4 KiB pages on the boot CPU. In the first five warm runs of lazy and of
 * the baseline to compare with, which leaves nothing to do; above 64 GiB in the first. */
#define FIRST_USE_PAGES_MAX (64ull << 18)
enum { FIRST_USE_RUNS_MAX = 5 };
struct init_lazy_sample {
	uint64_t filled_blocks;             /* blocks of 4 MiB */
	uint64_t fill_cycles;               /* inside the fill function */
	uint64_t first_use_pages;           /* 0: not measured in this run */
	uint64_t first_use_cycles;          /* the whole pass of allocations */
};

/* Policy async: the boot CPU allocates blocks of ORDER_MAX while the workers run, from its own node
 * first, and gives them back after the measurement. It begins as soon as it has woken them, before
 * the barrier opens. */
struct init_async_sample {
	bool degraded;                 /* the boot CPU was needed as a worker: ran as zone does */
	uint64_t first_success_cycles; /* from the decision to wake the workers */
	uint64_t allocations, failures;
	/* of one successful allocation */
	uint64_t min_cycles, median_cycles, p99_cycles, max_cycles;
	uint64_t histogram[64];        /* by floor(log2(cycles)) */
};

struct init_run_sample {
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
	uint64_t aperf, mperf; /* likewise, passed during the run */
	struct init_allocator_sample allocator;
	struct init_lazy_sample lazy;
	struct init_async_sample async;
	struct verify_totals totals;
	bool tiled;            /* every chunk claimed exactly once */
	uint64_t bad_pfn;      /* where not tiled: first frame missing or claimed twice */
	bool timed_out;        /* not all workers met in time: the rest does not count */
	bool good;             /* all checks passed */
};

/* The run in which the nodes were grown, by allocating from each until that happened. */
struct init_growth {
	bool done;
	enum policy policy;
	uint64_t allocated_blocks; /* of ORDER_MAX, all given back */
	uint64_t grown_pages;
	bool good;                 /* all checks passed, and as much grown as the borders moved */
};

struct init_results {
	enum policy policies[POLICY_COUNT]; /* ascending, but first POLICY_NODE, the baseline */
	uint32_t policy_count;
	struct init_plan *plans[POLICY_COUNT]; /* per entry of policies */
	enum store stores[POLICY_COUNT];       /* likewise: what wrote the struct pages */
	struct init_run_sample *runs;
	uint32_t run_count;
	struct init_node_sample *nodes; /* only nodes with deferred pages */
	uint32_t node_count;
	struct init_cpu_sample *cpus;
	uint32_t cpu_count;
	struct verify_totals expected;
	uint32_t page_size;             /* bytes per descriptor */
	bool init_only;                 /* page_size is not 64: no totals, no page allocator */
	struct init_growth growth;
	bool verified;                  /* every run was good, and growth where it was done */
};

/* Of experiments that compare steps: one node in one run. */
struct step_sample {
	uint32_t step;         /* index into the experiment's steps */
	uint32_t repetition;   /* from 0 */
	uint32_t node;
	uint32_t workers;      /* that took part on this node */
	uint64_t pages, cycles;
};

/* Takes back from `options` what the machine has not got: more workers per node than any node has
 * CPUs online. Noted in `log`. */
void init_check_options(struct options *options, const struct topology *topology,
			struct anomaly_log *log);

/* Bytes of scratch that init_run needs for this input; an upper bound, taken before `reserved`
 * is final: `extra_reserved` more ranges are allowed for. */
uint64_t init_run_bytes(const struct init_input *input, uint32_t extra_reserved);

/* Runs the experiment in `memory` (64-byte aligned, `bytes` long), on the boot CPU. Results point
 * into it. False when the memory is too small or no CPU could work. Stops after the first run that
 * is not good. */
bool init_run(const struct init_input *input, void *memory, uint64_t bytes,
	      struct init_results *results);
