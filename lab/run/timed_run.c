/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/timed_run.h"

#include "lab/run/all_cpus.h"
#include "lab/run/allocator.h"
#include "lab/run/claims.h"
#include "lab/run/hoard.h"
#include "lab/run/inject.h"
#include "lab/run/times.h"
#include "lab/run/worker.h"
#include "lib/string.h"
#include "mm/init/chunk_early.h"
#include "mm/init/chunk_sized.h"
#include "mm/init/page_init.h"

/* ---- before the clock ----------------------------------------------------------------------- */

static void timed_fill(void *context, uint64_t pfn)
{
	struct fill_meter *meter = context;
	const struct lab_machine *machine = meter->machine;
	uint64_t start = machine->now(machine->context);

	chunk_fill_lazy(meter->buddy, pfn);
	meter->cycles += machine->now(machine->context) - start;
	meter->blocks++;
}

static void reset_allocator(struct lab *lab)
{
	struct buddy *buddy = lab->input->buddy;

	*lab->fill = (struct fill_meter){ lab->input->machine, buddy, 0, 0 };
	buddy->fill = lab->rule->passes == PASS_LAZY ? timed_fill : NULL;
	buddy->fill_context = lab->fill;
	buddy_reset(buddy);
	deferred_init(lab->deferred, lab->plan, buddy);
}

/* The boot CPU's part. */
static void run_early(struct lab *lab, struct run_sample *run)
{
	struct page *base = lab->input->memmap->base;
	uint64_t start = lab_now(lab);

	if (lab->init_only)
		run->early_pages = chunk_early_sized(lab_args(lab, 0, 0));
	else
		run->early_pages = page_init_early(base, lab->plan, lab->store);
	run->early_cycles = lab_now(lab) - start;
	if (lab->init_only)
		return;
	start = lab_now(lab);
	chunk_free_early(lab->input->buddy, lab->plan);
	run->early_free_cycles = lab_now(lab) - start;
}

static bool take_borders(struct lab *lab)
{
	for (uint32_t node = 0; node < lab->capacity.nodes; node++)
		lab->borders[node] = lab->init_only ? 0 : deferred_take(lab->deferred, node);
	return lab_prepare_jobs(lab);
}

/* The barrier's stamp, 0 when a worker waited in vain for others. */
static uint64_t go_stamp(const struct lab *lab)
{
	for (uint32_t i = 0; i < lab->worker_count; i++)
		if (!lab->worker_records[i].go_tsc || !lab->worker_records[i].end_tsc)
			return 0;
	return lab->worker_count ? lab->worker_records[0].go_tsc : 0;
}

static bool boot_cpu_works(const struct lab *lab)
{
	for (uint32_t i = 0; i < lab->worker_count; i++)
		if (lab->worker_cpus[i] == BOOT_CPU)
			return true;
	return false;
}

/* Returns when the decision was made. */
static uint64_t set_off(struct lab *lab, struct run_sample *run, struct hoard *hoard)
{
	const struct lab_machine *machine = lab->input->machine;
	uint64_t start = lab_now(lab);

	run->async.degraded = lab->rule->background && (lab->init_only || boot_cpu_works(lab));
	if (!lab->rule->background || run->async.degraded || !lab->worker_count) {
		lab_run_on(lab, lab->worker_cpus, lab->worker_count, lab_worker_main, lab);
		return start;
	}
	machine->start(machine->context, lab->worker_cpus, lab->worker_count, lab_worker_main, lab);
	lab_allocate_meanwhile(lab, start, &run->async, hoard);
	machine->wait(machine->context);
	return start;
}

/* Policies that count at the end have it done once per node. */
static void count_managed(struct lab *lab)
{
	if (!lab->rule->count_at_end || lab->init_only)
		return;
	for (uint32_t node = 0; node < lab->capacity.nodes; node++)
		if (lab->plan->nodes[node].deferred_pages)
			buddy_count_managed(lab->input->buddy, node,
					    lab->plan->nodes[node].deferred_zone,
					    atomic_load(&lab->freed[node].pages));
}

/* ---- checks --------------------------------------------------------------------------------- */

static bool totals_good(const struct lab *lab, const struct verify_totals *totals)
{
	return !totals->mismatches &&
	       !memcmp(totals->pages, lab->expected.pages, sizeof(totals->pages));
}

static enum verify_stage stage_of(const struct lab *lab)
{
	if (lab->init_only)
		return VERIFY_INITIALISED;
	return lab->rule->passes == PASS_LAZY ? VERIFY_FREED_LAZY : VERIFY_FREED;
}

static bool check(struct lab *lab, struct run_sample *run)
{
	run->tiled = lab_claims_good(lab, &run->bad_pfn);
	lab_verify(lab, stage_of(lab), &run->totals);
	if (lab->init_only)
		return run->tiled && totals_good(lab, &run->totals);
	if (!lab_check_allocator(lab, &run->allocator) || !run->tiled ||
	    !totals_good(lab, &run->totals) || !lab_try_allocator(lab, run))
		return false;
	if (!run->allocator.exercised && !run->lazy.first_use_pages)
		return true;
	/* all of it once more, as it was given back; where all was taken no lazy block is left */
	lab_verify(lab, run->allocator.exercised ? VERIFY_FREED : stage_of(lab), &run->totals);
	return totals_good(lab, &run->totals);
}

/* ---- a run ---------------------------------------------------------------------------------- */

static bool measure(struct lab *lab, struct run_sample *run)
{
	struct hoard hoard = { BUDDY_NONE, 0, ORDER_MAX };
	uint64_t start;

	lab_poison(lab);
	reset_allocator(lab);
	run_early(lab, run);
	if (lab->request->grow)
		lab_grow(lab, &hoard);
	lab->grown_blocks = hoard.blocks;
	if (!take_borders(lab))
		return false;
	barrier_init(lab->barrier, lab->worker_count);
	atomic_store_explicit(&lab->done, 0, memory_order_relaxed);
	start = set_off(lab, run, &hoard);
	lab->go_tsc = go_stamp(lab);
	run->timed_out = lab->worker_count && !lab->go_tsc;
	if (run->timed_out)
		return false;
	run->wake_cycles = cycles_between(start, lab->go_tsc);
	hoard_give_back(lab, &hoard);
	count_managed(lab);
	lab_inject(lab);
	lab_add_cycles(lab, run);
	lab_add_disturbance(lab, run);
	run->pages = lab_tally(lab);
	return check(lab, run);
}

static void take_up(struct lab *lab, const struct init_plan *plan, enum policy policy)
{
	lab->plan = plan;
	lab->rule = policy_rule(policy);
	lab->pass_count = lab->rule->passes == PASS_TWO && !lab->init_only ? 2 : 1;
	lab->store = lab_store(lab, 0);
	memset(lab->borders, 0, lab->capacity.nodes * sizeof(*lab->borders));
}

bool lab_run(struct lab *lab, const struct run_request *request, struct run_sample *run)
{
	*run = (struct run_sample){
		.policy = request->policy,
		.repetition = request->repetition,
		.cold = request->cold,
		.smi = DISTURBANCE_UNKNOWN,
		.aperf = DISTURBANCE_UNKNOWN,
		.mperf = DISTURBANCE_UNKNOWN,
		.bad_pfn = UINT64_MAX,
		.allocator.census.first_bad_pfn = BUDDY_NONE,
	};
	verify_totals_init(&run->totals);
	lab->request = request;
	take_up(lab, request->plan, request->policy);
	lab_find_workers(lab);
	run->workers = lab->worker_count;
	run->store = lab->store;
	run->good = lab_prepare_jobs(lab) && measure(lab, run);
	return run->good;
}

bool lab_plan_fits(struct lab *lab, const struct init_plan *plan, enum policy policy)
{
	take_up(lab, plan, policy);
	return lab_prepare_jobs(lab);
}
