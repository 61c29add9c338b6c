#include "kernel/experiments.h"

#include <stddef.h>

#include "kernel/counters.h"
#include "kernel/paging.h"
#include "lab/init_run.h"
#include "lab/sweep.h"
#include "lib/cpu.h"
#include "lib/format.h"
#include "lib/page_units.h"
#include "mm/buddy_zones.h"
#include "smp/bringup.h"

enum { WORK_TIMEOUT_S = 600, SPARE_RESERVED = 64 };

_Static_assert(COUNTER_MISSING == DISTURBANCE_UNKNOWN, "handed on as it is");

/* Too large for a stack, and needed until the end. */
static struct buddy buddy;
static struct init_results init_results;
static struct sweep_results sweep_results;

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
	if (progress->experiment == EXPERIMENT_SWEEP && progress->chunk_pages)
		format(name, size, "sweep, chunks of %llu MiB",
		       progress->chunk_pages * PAGE_BYTES >> 20);
	else if (progress->experiment == EXPERIMENT_SWEEP)
		format(name, size, "sweep, %u workers a node", progress->workers);
	else
		format(name, size, "policy %s%s", policy_name(progress->policy),
		       progress->cold ? ", cold" : progress->growth ? ", growing" : "");
}

static void show_progress(void *context, const struct lab_progress *progress)
{
	char name[48];

	name_step(name, sizeof(name), progress);
	report_progress(context, name, progress->index, progress->count, tsc_ordered());
}

/* -- The experiments --------------------------------------------------------------------------- */

static void *allocate(struct early_alloc *early, uint64_t bytes)
{
	uint64_t pages = (bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
	uint64_t pfn = early_alloc_pages(early, pages ? pages : 1, 1, NODE_ANY, UINT64_MAX);

	return pfn == EARLY_ALLOC_NONE ? NULL : direct(pfn << PAGE_SHIFT);
}

/* They run one after the other in the same memory. */
static uint64_t bytes_needed(const struct experiments *e, const struct init_input *input)
{
	const bool *chosen = e->options->experiment_chosen;
	uint64_t init = chosen[EXPERIMENT_INIT] ? init_run_bytes(input, SPARE_RESERVED) : 0;
	uint64_t sweep = chosen[EXPERIMENT_SWEEP] ? sweep_run_bytes(input, SPARE_RESERVED) : 0;

	return init > sweep ? init : sweep;
}

static const char *run_init(const struct experiments *e, const struct init_input *input,
			    void *memory, uint64_t bytes)
{
	if (!init_run(input, memory, bytes, &init_results))
		return "experiment init could not start: no CPU, or a table was too small";
	report_plans(e->report, &init_results, e->topology);
	report_init_samples(e->report, &init_results, e->topology);
	report_init_results(e->report, &init_results, e->topology);
	report_init_verification(e->report, &init_results);
	return init_results.verified ? NULL : "the memmap is not as it must be";
}

static const char *run_sweep(const struct experiments *e, const struct init_input *input,
			     void *memory, uint64_t bytes)
{
	if (!sweep_run(input, memory, bytes, &sweep_results))
		return "experiment sweep could not start: no CPU, or a table was too small";
	report_sweep(e->report, &sweep_results, e->topology);
	return sweep_results.verified ? NULL : "a step of the sweep did not pass its checks";
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
	struct init_input input = {
		.machine = &machine,
		.topology = e->topology,
		.memmap = e->memmap,
		.reserved = &e->early->reserved,
		.options = e->options,
		.buddy = &buddy,
		.progress = show_progress,
		.progress_context = e->report,
	};
	const char *fault = NULL;
	uint64_t bytes;
	void *memory;

	buddy.base = e->memmap->base;
	buddy.pageblocks = (uint8_t *)PAGEBLOCK_BASE;
	buddy_set_zones(&buddy, e->topology);
	bytes = bytes_needed(e, &input);
	memory = allocate(e->early, bytes);
	if (!memory)
		return "too little memory for the experiments' own records";
	if (e->options->experiment_chosen[EXPERIMENT_INIT])
		fault = run_init(e, &input, memory, bytes);
	if (!fault && e->options->experiment_chosen[EXPERIMENT_SWEEP])
		fault = run_sweep(e, &input, memory, bytes);
	return fault;
}
