/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/experiments.h"

#include <stddef.h>

#include "kernel/counters.h"
#include "kernel/experiments_alloc.h"
#include "kernel/paging.h"
#include "lab/init/init_run.h"
#include "lab/init/store_trial.h"
#include "lab/summary/sweep_summary.h"
#include "lab/summary/worker_verdict.h"
#include "lab/workers/bandwidth.h"
#include "lab/workers/calibrate.h"
#include "lab/workers/compare.h"
#include "lab/workers/rule_numbers.h"
#include "lab/workers/sweep.h"
#include "lib/cpu.h"
#include "lib/format.h"
#include "lib/page_units.h"
#include "mm/buddy/buddy_zones.h"
#include "report/init/init.h"
#include "report/machine/store.h"
#include "report/progress.h"
#include "report/workers/advice.h"
#include "report/workers/bandwidth.h"
#include "report/workers/calibration.h"
#include "report/workers/compare.h"
#include "report/workers/how_many.h"
#include "report/workers/sweep.h"
#include "smp/start/vector_state.h"
#include "smp/start/work.h"

enum { WORK_TIMEOUT_S = 600, SPARE_RESERVED = 64 };
/* What comparing numbers of workers may take, or as long as the experiment init took. */
enum { COMPARE_S = 60 };
/* What run=bandwidth takes: an eighth of the free memory at most, about half a minute. */
enum { BANDWIDTH_SHARE = 8, BANDWIDTH_SLICE_US = 20000, BANDWIDTH_TOTAL_MS = 30000 };

_Static_assert(COUNTER_MISSING == DISTURBANCE_UNKNOWN, "handed on as it is");

/* Too large for a stack, and needed until the end. */
static struct buddy buddy;
static struct init_results init_results;
static struct sweep_results sweep_results;
static struct sweep_summary sweep_summary;
static struct store_trials store_trials;
static struct calibration calibration;
static struct bandwidth_results bandwidth_results;
static struct worker_verdict worker_verdict;
static struct compare_results compare_results;
static struct rule_numbers rule_numbers;

/* -- What the laboratory needs of the machine -------------------------------------------------- */

static void machine_run(void *context, const uint32_t *cpus, uint32_t count,
			void (*function)(void *argument, uint32_t index), void *argument)
{
	(void)context;
	smp_run(cpus, count, function, argument, WORK_TIMEOUT_S * 1000000ull);
}

static void machine_start(void *context, const uint32_t *cpus, uint32_t count,
			  void (*function)(void *argument, uint32_t index), void *argument)
{
	(void)context;
	smp_begin(cpus, count, function, argument);
}

static void machine_wait(void *context)
{
	(void)context;
	smp_wait(WORK_TIMEOUT_S * 1000000ull);
}

static uint64_t machine_now(void *context)
{
	(void)context;
	return tsc_ordered();
}

static void machine_disturbance(void *context, struct disturbance *reading)
{
	(void)context;
	*reading = (struct disturbance){
		.smi = counter_read(COUNTER_SMI),
		.aperf = counter_read(COUNTER_APERF),
		.mperf = counter_read(COUNTER_MPERF),
	};
}

/* -- Progress ---------------------------------------------------------------------------------- */

static void name_step(char *name, size_t size, const struct lab_progress *progress)
{
	if (progress->trial)
		format(name, size, "trial of store=%s", progress->trial);
	else if (progress->experiment == EXPERIMENT_SWEEP && progress->chunk_pages)
		format(name, size, "sweep, chunks of %llu MiB",
		       progress->chunk_pages * PAGE_BYTES >> 20);
	else if (progress->experiment == EXPERIMENT_SWEEP)
		format(name, size, "sweep, %u workers a node", progress->workers);
	else
		format(name, size, "policy %s%s", policy_name(progress->policy),
		       progress->cold ? ", cold" : "");
}

static void show_progress(void *context, const struct lab_progress *progress)
{
	char name[48];

	name_step(name, sizeof(name), progress);
	report_progress(context, name, progress->index, progress->count, tsc_ordered());
}

/* -- The experiments --------------------------------------------------------------------------- */

static struct bandwidth_input bandwidth_input_of(const struct experiments *e,
						 const struct lab_input *input)
{
	return (struct bandwidth_input){
		.machine = input->machine,
		.topology = e->topology,
		.reserved = &e->early->reserved,
		.base = direct(0),
		.store = input->stores.alone,
		.tsc_hz = e->tsc_hz,
		.share = BANDWIDTH_SHARE,
		.slice_us = BANDWIDTH_SLICE_US,
		.total_ms = BANDWIDTH_TOTAL_MS,
	};
}

/* Whether anything chosen rests on the rules for numbers of workers, or compares them. */
static bool asks_how_many(const struct options *options)
{
	bool asked = options->experiment_chosen[EXPERIMENT_BANDWIDTH];

	for (int policy = POLICY_CORES; policy <= POLICY_AUTO; policy++)
		asked |= options->policy_chosen[policy];
	return asked;
}

/* Experiment bandwidth alone leaves the rules without times. */
static bool compares(const struct options *options)
{
	return asks_how_many(options) && (options->experiment_chosen[EXPERIMENT_INIT] ||
					  options->experiment_chosen[EXPERIMENT_SWEEP]);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* They run one after the other in the same memory. */
static uint64_t bytes_needed(const struct experiments *e, const struct lab_input *input,
			     const struct store_features *features)
{
	const bool *chosen = e->options->experiment_chosen;
	struct bandwidth_input bandwidth = bandwidth_input_of(e, input);
	uint64_t bytes = store_trial_bytes(input, features, SPARE_RESERVED);

	if (asks_how_many(e->options))
		bytes = larger(bytes, calibrate_bytes(input, SPARE_RESERVED));
	if (compares(e->options))
		bytes = larger(bytes, compare_bytes(input, SPARE_RESERVED));
	if (chosen[EXPERIMENT_BANDWIDTH])
		bytes = larger(bytes, bandwidth_bytes(&bandwidth));
	if (chosen[EXPERIMENT_INIT])
		bytes = larger(bytes, init_run_bytes(input, SPARE_RESERVED));
	if (chosen[EXPERIMENT_SWEEP])
		bytes = larger(bytes, sweep_run_bytes(input, SPARE_RESERVED));
	bytes = larger(bytes, experiments_alloc_bytes(e, input, SPARE_RESERVED));
	return bytes;
}

/* Decides on the store kernels. */
static const char *choose_stores(const struct experiments *e, struct lab_input *input,
				 const struct store_features *features, void *memory,
				 uint64_t bytes)
{
	if (!store_trial_run(input, features, memory, bytes, &store_trials))
		return "the store kernels could not be tried: no CPU, or a table was too small";
	input->stores = store_trials.choice[0];
	input->kind_stores = store_trials.choice;
	input->best_stores = store_trials.best;
	input->memmap_written = store_trials.tried;
	report_stores(e->report, &store_trials, e->topology);
	return store_trials.verified ? NULL : "a store kernel did not pass the checks";
}

static const char *run_bandwidth(const struct experiments *e, const struct lab_input *input,
				 void *memory, uint64_t bytes)
{
	struct bandwidth_input bandwidth = bandwidth_input_of(e, input);

	if (!bandwidth_run(&bandwidth, memory, bytes, &bandwidth_results))
		return "experiment bandwidth could not start: no CPU, or a table was too small";
	report_bandwidth(e->report, &bandwidth_results, e->topology);
	return NULL;
}

/* Numbers of workers for the policies that are told, from firmware and measurement. */
static const char *choose_workers(const struct experiments *e, struct lab_input *input,
				  void *memory, uint64_t bytes)
{
	struct calibrate_input calibrate_input = { input, e->tsc_hz, true };
	struct worker_facts facts = {
		.topology = e->topology,
		.hmat = e->hmat,
		.core_mbps = e->options->core_mbps,
		.measured_mbps = calibration.core_mbps,
		.curves = calibration.curves,
	};

	if (!calibrate(&calibrate_input, memory, bytes, &calibration))
		return "the calibration could not start: no CPU, or a table was too small";
	input->memmap_written = true;
	report_calibration(e->report, &calibration, e->topology);
	rule_numbers_find(&rule_numbers, &facts);
	worker_verdict_begin(&worker_verdict, e->topology, &rule_numbers);
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		input->worker_counts[policy] =
			rule_numbers_for(&rule_numbers, (enum policy)policy);
	return NULL;
}

static const char *compare_workers(const struct experiments *e, const struct lab_input *input,
				   uint64_t init_cycles, void *memory, uint64_t bytes)
{
	struct compare_input compare_input = {
		.init = input,
		.workers = (const uint32_t (*)[NODE_MAX])rule_numbers.workers,
		.limit_cycles = larger(init_cycles, COMPARE_S * e->tsc_hz),
	};

	if (!compare_run(&compare_input, memory, bytes, &compare_results))
		return "the comparison could not start: no CPU, or a table was too small";
	report_comparison(e->report, &compare_results, e->topology);
	worker_verdict_add(&worker_verdict, &compare_results);
	return compare_results.verified ? NULL :
					  "a run of the comparison did not pass its checks";
}

static const char *run_init(const struct experiments *e, const struct lab_input *input,
			    void *memory, uint64_t bytes)
{
	if (!init_run(input, memory, bytes, &init_results))
		return "experiment init could not start: no CPU, or a table was too small";
	report_init(e->report, &init_results, init_summarise(&init_results, e->topology),
		    e->topology);
	return init_results.verified ? NULL : "the memmap is not as it must be";
}

static const char *run_sweep(const struct experiments *e, const struct lab_input *input,
			     void *memory, uint64_t bytes)
{
	if (!sweep_run(input, memory, bytes, &sweep_results))
		return "experiment sweep could not start: no CPU, or a table was too small";
	summarise_sweep(&sweep_summary, &sweep_results, e->topology->node_count);
	report_sweep(e->report, &sweep_results, &sweep_summary, e->options, e->topology);
	return sweep_results.verified ? NULL : "a step of the sweep did not pass its checks";
}

static const char *run_chosen(const struct experiments *e, struct lab_input *input, void *memory,
			      uint64_t bytes)
{
	const bool *chosen = e->options->experiment_chosen;
	bool how_many = asks_how_many(e->options);
	uint64_t start, init_cycles;
	const char *fault = NULL;

	if (chosen[EXPERIMENT_BANDWIDTH])
		fault = run_bandwidth(e, input, memory, bytes);
	if (!fault && how_many)
		fault = choose_workers(e, input, memory, bytes);
	start = tsc_ordered();
	if (!fault && chosen[EXPERIMENT_INIT])
		fault = run_init(e, input, memory, bytes);
	init_cycles = tsc_ordered() - start;
	if (!fault && chosen[EXPERIMENT_SWEEP])
		fault = run_sweep(e, input, memory, bytes);
	if (!fault && compares(e->options))
		fault = compare_workers(e, input, init_cycles, memory, bytes);
	if (!fault && how_many) {
		report_how_many(e->report, &worker_verdict, &calibration);
		report_advice(e->report, &worker_verdict);
		report_best_stores(e->report, &store_trials);
	}
	return fault ? fault : experiments_alloc_run(e, input, memory, bytes);
}

const char *experiments_run(const struct experiments *e)
{
	struct lab_machine machine = {
		.run = machine_run,
		.start = machine_start,
		.wait = machine_wait,
		.now = machine_now,
		.disturbance = machine_disturbance,
		.timeout_cycles = WORK_TIMEOUT_S * e->tsc_hz,
	};
	struct lab_input input = {
		.machine = &machine,
		.topology = e->topology,
		.memmap = e->memmap,
		.reserved = &e->early->reserved,
		.options = e->options,
		.buddy = &buddy,
		.progress = show_progress,
		.progress_context = e->report,
	};
	struct store_features features;
	const char *fault;
	uint64_t bytes;
	void *memory;

	buddy.base = e->memmap->base;
	buddy.pageblocks = (uint8_t *)PAGEBLOCK_BASE;
	buddy_set_zones(&buddy, e->topology);
	vector_state_common(&features);
	bytes = bytes_needed(e, &input, &features);
	memory = early_alloc_bytes(e->early, bytes, direct(0));
	if (!memory)
		return "too little memory for the experiments' own records";
	fault = choose_stores(e, &input, &features, memory, bytes);
	return fault ? fault : run_chosen(e, &input, memory, bytes);
}
