#pragma once
/*
 * The report: result structs in, tables for people and records for programs out, through one sink.
 * The records of a stage follow its tables as one block. No line of a table is wider than 100
 * columns, and none holds a byte outside printable ASCII, whatever firmware or a user wrote.
 */
#include <stdbool.h>
#include <stdint.h>

#include "boot/boot_info.h"
#include "boot/cmdline.h"
#include "report/record.h"
#include "lab/init/init_run.h"
#include "lab/init/store_trial.h"
#include "lab/workers/sweep.h"
#include "lib/anomaly.h"
#include "lib/limits.h"
#include "lib/sink.h"
#include "mm/init/plan.h"
#include "mm/machine/memmap.h"
#include "mm/machine/memory_map.h"
#include "mm/machine/topology.h"
#include "smp/dispatch/cpu_model.h"

/* Too large for a stack: its owner is static. */
struct report {
	const struct sink *sink;
	struct record_stream records;
	bool verbose;               /* tables in full length */
	uint32_t descriptor_bytes;  /* stored per page frame: 64 for a struct page */
	enum vmemmap asked_vmemmap; /* which the machine may not have */
	uint64_t tsc_hz;            /* 0 until report_run: times are then shown as "-" */
	bool tsc_invariant;
	uint32_t cmdline_issues;    /* words that were not understood */
	uint32_t anomalies;         /* entries of the log that have been reported */
	uint32_t anomalies_dropped; /* likewise, of those the log had no room for */
	uint64_t progress_start_tsc, progress_shown_tsc;
	/* scratch */
	uint32_t home_sections[NODE_MAX], remote_sections[NODE_MAX];
	uint64_t samples[REPEAT_MAX], sample_pages[REPEAT_MAX];
};

struct report_run_facts {
	const char *build_id;
	enum boot_protocol protocol;
	bool efi;
	const char *loader;
	const char *cmdline;
	uint64_t image; /* physical address */
	uint64_t tsc_hz;
	const char *tsc_source;
	bool tsc_invariant;
	uint64_t overhead_cycles; /* of an empty measurement */
	struct cpu_model cpu;     /* the boot CPU */
};

/* A part of the boot. The first phase starts at the first instruction. */
struct report_phase {
	const char *name;
	uint64_t start_tsc, end_tsc;
};

/* How the other CPUs were started. */
struct report_bringup {
	bool x2apic;
	uint32_t started, arrived; /* without the boot CPU */
	uint64_t cycles;           /* from the first start-up message to the end of waiting */
	uint64_t direct_gib_pages; /* pages of 1 GiB in the direct map */
};

/* `options` is read here only. */
void report_open(struct report *report, const struct sink *sink, const struct options *options);

/* First: who booted what on which CPU, the clock, the faults of the command line; record `run`. */
void report_run(struct report *report, const struct report_run_facts *facts,
		const struct options *options);

/* The entries added to `log` since the last call. */
void report_anomalies(struct report *report, const struct anomaly_log *log);

void report_phases(struct report *report, const struct report_phase *phases, uint32_t count);

void report_memory_map(struct report *report, const struct memory_map *map);

/* Nodes, CPUs, distances and bandwidths, once the CPUs are online or given up and their clocks have
 * been compared. */
void report_topology(struct report *report, const struct topology *topology);

void report_bringup(struct report *report, const struct report_bringup *facts);

void report_memmap(struct report *report, const struct memmap *memmap,
		   const struct topology *topology);

/* Which store kernels there are, which is used and why, on which kind of core. */
void report_stores(struct report *report, const struct store_trials *trials,
		   const struct topology *topology);

/* After the runs: which to use. */
void report_best_stores(const struct report *report, const struct store_trials *trials);

/* Who initialises what under every policy. */
void report_plans(struct report *report, const struct init_results *results,
		  const struct topology *topology);

/* A long experiment says what it is at: `done` of `total` runs are over and one of `what` begins.
 * Prints at most one line per two seconds; `done` 0 starts the clock. */
void report_progress(struct report *report, const char *what, uint32_t done, uint32_t total,
		     uint64_t now_tsc);

/* Experiment `init`: every raw number as records; on the console one line per run where verbose. */
void report_init_samples(struct report *report, const struct init_results *results,
			 const struct topology *topology);

/* The summaries, then what verification found: of the struct pages, and of the page allocator. */
void report_init_results(struct report *report, const struct init_results *results,
			 const struct topology *topology);
void report_init_verification(struct report *report, const struct init_results *results);

/* Experiment `sweep`: which of the options it does not follow, samples, tables of both axes, the
 * knee of every node. */
void report_sweep(struct report *report, const struct sweep_results *results,
		  const struct options *options, const struct topology *topology);

/* What the boot CPU counted from `before` to `after` an experiment on the page allocator. */
void report_disturbed(const struct report *report, const struct disturbance *before,
		      const struct disturbance *after);

/* `verdict` and `end` records: nothing may follow. `text` says why in one clause. */
void report_verdict(struct report *report, bool ok, const char *text);
