/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines whose cores are of several kinds: which stores each worker uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/run/begin.h"
#include "lab/run/claims.h"
#include "lab/run/memory.h"
#include "lab/run/worker.h"
#include "mm/machine/topology_kinds.h"
#include "tests/host/store_world.h"

/* CPUs 0, 1 and 3 of the usual machine's five are of kind 0. */
static void make_two_kinds(struct world *w)
{
	static const struct core_design designs[] = { { 6, 151, 0x40 }, { 6, 151, 0x20 } };

	for (uint32_t i = 0; i < w->topology.cpu_count; i++)
		topology_add_kind(&w->topology, i, &designs[i == 2 || i == 4]);
	assert_int_equal(w->topology.kind_count, 2);
}

static _Atomic uint32_t worked[2][8]; /* in whose trials which CPU did */

/* Poison, workers, oracle make three calls: the second is the workers'. */
static void run_and_note(void *context, const uint32_t *cpus, uint32_t count,
			 void (*function)(void *argument, uint32_t index), void *argument)
{
	struct world *w = context;
	uint32_t kind = w->progress_count - 1 > 2 * STORE_TRIAL_RUNS * POOR;

	if (w->run_calls % CALLS_PER_RUN == 1)
		for (uint32_t i = 0; i < count; i++)
			worked[kind][cpus[i]]++;
	machine_run(context, cpus, count, function, argument);
}

/* Other winners on each kind. */
static uint64_t late_by_kind(void *context)
{
	struct world *w = context;
	const struct lab_progress *at = &w->progress[w->progress_count - 1];
	bool second = w->progress_count - 1 > 2 * STORE_TRIAL_RUNS * POOR;
	const char *fast = second ? "stosq" : "nti";

	return tsc_ordered() + (strcmp(at->trial, fast) ? 1ull << 33 : 0);
}

static void test_each_kind_of_core_has_its_winners(void **unused)
{
	struct world *w = world_with(STORE_AUTO);

	(void)unused;
	skip_exercise(w);
	make_two_kinds(w);
	memset(worked, 0, sizeof(worked));
	note_progress(w, &(struct lab_progress){ .trial = "" });
	w->machine.now = late_by_kind;
	w->machine.run = run_and_note;
	assert_true(try(w, &poor));
	w->machine.now = machine_now;
	w->machine.run = machine_run;
	assert_true(trials.verified);
	assert_int_equal(trials.kind_count, 2);
	assert_int_equal(w->progress_count - 1, 2 * 2 * STORE_TRIAL_RUNS * POOR);
	assert_int_equal(w->progress[1].count, 2 * 2 * STORE_TRIAL_RUNS * POOR);
	for (uint32_t cpu = 0; cpu < 5; cpu++) {
		uint32_t kind = w->topology.cpus[cpu].kind;

		assert_int_equal(worked[!kind][cpu], 0);
		assert_true(worked[kind][cpu] || cpu == 1); /* a quarter of the CPUs, under ktask */
	}
	assert_int_equal(trials.choice[0].alone, STORE_NTI);
	assert_int_equal(trials.choice[0].with_free, STORE_NTI);
	assert_int_equal(trials.choice[1].alone, STORE_STOSQ);
	assert_int_equal(trials.choice[1].with_free, STORE_STOSQ);
	world_free(w);
}

/* ---- what jobs are told ---------------------------------------------------------------------- */

/* All kernels leave the same bytes: which one a job's function will use shows in its argument. */
static struct lab *prepared_lab(struct world *w, enum policy policy)
{
	const struct init_rules rules = { .policy = policy };
	const struct lab_needs needs = { .passes = PASSES_MAX };
	struct arena arena = { 0 };
	struct lab_capacity c;
	struct init_plan *plan;
	struct lab *lab;

	lab_capacity(&w->input, 0, &needs, &c);
	lab_take_plan(&arena, &c);
	lab_take(&arena, &w->input, &c);
	world_memory(w, arena.used);
	arena = (struct arena){ .memory = w->memory, .bytes = w->bytes };
	plan = lab_take_plan(&arena, &c);
	lab = lab_take(&arena, &w->input, &c);
	assert_true(lab && lab_begin(lab));
	assert_true(init_plan_build(plan, &w->topology, &w->fake.memmap, &w->reserved, &rules));
	assert_true(lab_plan_fits(lab, plan, policy));
	return lab;
}

static void assert_told(struct world *w, enum policy policy, enum store kind_0, enum store kind_1)
{
	const struct lab *lab = prepared_lab(w, policy);

	for (uint32_t node = 0; node < w->topology.node_count; node++) {
		assert_int_equal(lab_args(lab, 0, node)->store, kind_0);
		if (w->topology.kind_count > 1)
			assert_int_equal(lab_args(lab, 1, node)->store, kind_1);
	}
	assert_int_equal(lab->store, kind_0);
}

static void test_jobs_use_the_choice(void **unused)
{
	struct world *w = world_with(STORE_PLAIN);

	(void)unused;
	w->input.stores = (struct store_choice){ .alone = STORE_CLZERO, .with_free = STORE_V512 };
	assert_told(w, POLICY_KTASK, STORE_CLZERO, 0);
	assert_told(w, POLICY_ZONE, STORE_V512, 0);
	assert_told(w, POLICY_LAZY, STORE_V512, 0);
	w->options.page_size = 8;
	assert_told(w, POLICY_KTASK, STORE_PLAIN, 0);
	world_free(w);
}

static const struct store_choice on_kinds[CORE_KINDS_MAX] = { { STORE_NTI, STORE_V256 },
							      { STORE_STOSQ, STORE_LINUX } };

static void test_each_kind_is_told_its_own(void **unused)
{
	static const struct store_choice best[CORE_KINDS_MAX] = { { STORE_NT512, STORE_V512 },
								  { STORE_CLZERO, STORE_NT128 } };
	struct world *w = world_with(STORE_PLAIN);

	(void)unused;
	make_two_kinds(w);
	w->input.kind_stores = on_kinds;
	assert_told(w, POLICY_KTASK, STORE_NTI, STORE_STOSQ);
	assert_told(w, POLICY_AUTO, STORE_V256, STORE_LINUX);
	w->input.best_stores = best;
	assert_told(w, POLICY_AUTO, STORE_V512, STORE_NT128);
	assert_told(w, POLICY_ZONE, STORE_V256, STORE_LINUX);
	w->options.page_size = 8;
	assert_told(w, POLICY_AUTO, STORE_PLAIN, STORE_PLAIN);
	world_free(w);
}

static uint32_t told_right, told_wrong;
static enum store expected_store;

static void note_store(void *args, uint64_t start_pfn, uint64_t end_pfn)
{
	const struct chunk_args *a = args;

	(void)start_pfn;
	(void)end_pfn;
	told_right += a->store == expected_store;
	told_wrong += a->store != expected_store;
}

/* Each worker alone, at jobs that only look at what they are told. */
static void test_each_worker_uses_its_kinds_kernel(void **unused)
{
	struct world *w = world_with(STORE_PLAIN);
	struct lab *lab;

	(void)unused;
	make_two_kinds(w);
	w->input.kind_stores = on_kinds;
	lab = prepared_lab(w, POLICY_ZONE);
	lab_find_workers(lab);
	assert_int_equal(lab->worker_count, 5);
	for (uint32_t i = 0; i < lab->worker_count; i++) {
		uint32_t kind = w->topology.cpus[lab->worker_cpus[i]].kind;

		assert_true(lab_prepare_jobs(lab));
		for (uint32_t job = 0; job < lab->plan->job_count; job++)
			lab->passes[0].jobs[job].job.function = note_store;
		barrier_init(lab->barrier, 1);
		told_right = told_wrong = 0;
		expected_store = on_kinds[kind].with_free;
		lab_worker_main(lab, i);
		assert_true(told_right);
		assert_int_equal(told_wrong, 0);
	}
	world_free(w);
}

/* Threads of two kinds, kernels that any host has: the same struct pages. */
static void test_kinds_of_core_work_together(void **unused)
{
	static const struct store_choice kinds[CORE_KINDS_MAX] = { { STORE_NTI, STORE_NT128 },
								   { STORE_STOSQ, STORE_LINUX } };
	static const struct store_choice best[CORE_KINDS_MAX] = { { STORE_NTI, STORE_TEMPLATE },
								  { STORE_PLAIN, STORE_STOSQ } };
	struct world *w = world_with(STORE_PLAIN);

	(void)unused;
	choose_all(w);
	make_two_kinds(w);
	w->input.kind_stores = kinds;
	w->input.best_stores = best;
	w->input.memmap_written = true;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	for (uint32_t i = 0; i < w->results.run_count; i++) {
		const struct run_sample *run = &w->results.runs[i];

		assert_run_good(w, run);
		assert_int_equal(run->store, run->policy == POLICY_KTASK ? STORE_NTI :
					     run->policy == POLICY_AUTO	 ? STORE_TEMPLATE :
									   STORE_NT128);
	}
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_kind_of_core_has_its_winners),
		cmocka_unit_test(test_jobs_use_the_choice),
		cmocka_unit_test(test_each_kind_is_told_its_own),
		cmocka_unit_test(test_each_worker_uses_its_kinds_kernel),
		cmocka_unit_test(test_kinds_of_core_work_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
