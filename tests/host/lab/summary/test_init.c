/* SPDX-License-Identifier: GPL-2.0-only */
/* What is concluded from the samples of the experiment `init`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lab/summary/verification.h"
#include "mm/init/policy.h"
#include "tests/host/report_machine.h"

enum { HZ = 2000000000, MS = HZ / 1000 };
#define GIB_PAGES 262144ull

/* Two nodes of 384 GiB with 52 CPUs each, five warm repetitions of all policies. */
static void make_all(void)
{
	make_lab(2, 52, 384 * GIB_PAGES, HZ);
	make_all_policies(5, HZ);
}

static const struct init_summary *sum_up(void)
{
	return init_summarise(&lab.results, &lab.topology);
}

static uint32_t index_of(enum policy policy)
{
	for (uint32_t i = 0; i < lab.results.policy_count; i++)
		if (lab.results.policies[i] == policy)
			return i;
	fail_msg("%s did not run", policy_name(policy));
	return 0;
}

static const struct init_policy_summary *of(const struct init_summary *summary, enum policy policy)
{
	return &summary->policies[index_of(policy)];
}

/* The first run of `policy` but the cold one. */
static struct run_sample *warm_run(enum policy policy)
{
	for (uint32_t i = 0; i < lab.results.run_count; i++)
		if (lab.results.runs[i].policy == policy && !lab.results.runs[i].cold)
			return &lab.results.runs[i];
	fail_msg("no warm run of %s", policy_name(policy));
	return NULL;
}

static struct run_verdict judge(const struct run_sample *run)
{
	return judge_run(run, &lab.results.expected, lab.results.init_only);
}

/* The largest machine that the report knows has room in what the experiment leaves. */
static void there_is_room(void **state)
{
	(void)state;
	make_lab(256, 1, GIB_PAGES, HZ);
	make_all_policies(1, HZ);
	assert_true(init_summary_bytes(&lab.results, &lab.topology) <= lab.results.spare_bytes);
}

static void the_cold_run_stands_apart(void **state)
{
	const struct init_summary *summary;

	(void)state;
	make_all();
	summary = sum_up();
	assert_ptr_equal(summary->cold, &lab.results.runs[0]);
	assert_int_equal(summary->cold_warm_cycles, 1785.7 * MS);
	assert_true(of(summary, POLICY_NODE)->was_cold);
	assert_int_equal(of(summary, POLICY_NODE)->cold_cycles, 2 * 1786.7 * MS);
	assert_false(of(summary, POLICY_ZONE)->was_cold);
	assert_int_equal(of(summary, POLICY_NODE)->time.cycles.count, 5);
	assert_int_equal(of(summary, POLICY_NODE)->time.cycles.max, 1786.7 * MS);
	/* Nothing but the cold run: no statistics. */
	lab.results.run_count = lab.results.policy_count = 1;
	lab.results.node_count = lab.topology.node_count;
	summary = sum_up();
	assert_int_equal(summary->cold_warm_cycles, 0);
	assert_int_equal(summary->policies[0].time.cycles.count, 0);
	assert_int_equal(init_node_time(summary, 0, 1)->cycles.count, 0);
	lab.results.runs[0].timed_out = true;
	assert_null(sum_up()->cold);
}

/* serial: 3 s for the 2 x 100630462 pages of both nodes. lazy stores nearly nothing. */
static void pages_that_were_timed(void **state)
{
	const struct init_summary *summary;

	(void)state;
	make_all();
	summary = sum_up();
	assert_int_equal(of(summary, POLICY_SERIAL)->time.pages, 2 * 100630462);
	assert_int_equal(of(summary, POLICY_ZONE)->time.pages, 100630462);
	assert_int_equal(of(summary, POLICY_ZONE)->time.stored_pages, 100630462);
	assert_int_equal(of(summary, POLICY_LAZY)->time.pages, 100630462);
	assert_int_equal(of(summary, POLICY_LAZY)->time.stored_pages, 0);
	assert_int_equal(of(summary, POLICY_ZONE)->time.workers, 52);
	assert_int_equal(of(summary, POLICY_NODE)->time.speedup_milli, 1000);
	assert_int_equal(of(summary, POLICY_ZONE)->time.speedup_milli, 13034);
	lab.results.init_only = true; /* then lazy stores them all */
	assert_int_equal(of(sum_up(), POLICY_LAZY)->time.stored_pages, 100630462);
}

/* The pages are those of the slowest node in the run that is nearest to the median. */
static void pages_of_the_slowest_node(void **state)
{
	(void)state;
	make_all();
	for (uint32_t i = 0; i < lab.results.node_count; i++)
		if (lab.results.nodes[i].policy == POLICY_ZONE && lab.results.nodes[i].node == 1)
			lab.results.nodes[i].pages = 77;
	assert_int_equal(of(sum_up(), POLICY_ZONE)->time.pages, 100630462);
	for (uint32_t i = 0; i < lab.results.node_count; i++)
		if (lab.results.nodes[i].policy == POLICY_ZONE && lab.results.nodes[i].node == 1)
			lab.results.nodes[i].cycles += MS;
	assert_int_equal(of(sum_up(), POLICY_ZONE)->time.pages, 77);
}

/* Deviations are 0.791 ms; of lazy that is a fifth of its time, of the others at most 0.6 %. */
static void what_is_not_to_be_quoted(void **state)
{
	(void)state;
	make_all();
	for (uint32_t i = 0; i < POLICY_COUNT; i++) {
		assert_int_equal(sum_up()->policies[i].scatters,
				 lab.results.policies[i] == POLICY_LAZY);
		assert_false(sum_up()->policies[i].vague);
	}
	warm_run(POLICY_NODE)->cycles += 400000000; /* 4.9 % */
	assert_false(of(sum_up(), POLICY_NODE)->scatters);
	warm_run(POLICY_NODE)->cycles += 20000000; /* 5.1 % */
	assert_true(of(sum_up(), POLICY_NODE)->scatters);
	lab.topology.cpus[7].tsc_bounded = true;
	lab.topology.cpus[7].tsc_high = 80000; /* of 8000000 cycles */
	assert_false(of(sum_up(), POLICY_LAZY)->vague);
	lab.topology.cpus[7].tsc_high++;
	assert_true(of(sum_up(), POLICY_LAZY)->vague);
	assert_false(of(sum_up(), POLICY_ZONE)->vague);
	/* Of the boot CPU alone no other clock is asked. */
	lab.topology.cpus[7].tsc_low = INT64_MAX;
	lab.topology.cpus[7].tsc_high = INT64_MIN;
	assert_true(of(sum_up(), POLICY_ZONE)->vague);
	assert_false(of(sum_up(), POLICY_SERIAL)->vague);
}

static void passes_and_early_part(void **state)
{
	const struct init_policy_summary *ktask;

	(void)state;
	make_all();
	ktask = of(sum_up(), POLICY_KTASK);
	assert_int_equal(ktask->all_workers, 104);
	assert_int_equal(ktask->early_pages, 65668);
	assert_int_equal(ktask->early.median, 2 * MS);
	assert_int_equal(ktask->early_free.median, MS);
	assert_int_equal(ktask->first_pass.median, 150 * MS);
	assert_int_equal(ktask->second_pass.median, 50 * MS);
	assert_int_equal(of(sum_up(), POLICY_PADATA)->first_pass.median, 0);
	lab.results.init_only = true;
	assert_int_equal(of(sum_up(), POLICY_ZONE)->early.count, 5);
	assert_int_equal(of(sum_up(), POLICY_ZONE)->early_free.count, 0);
}

/* One policy is the best of a node only if it is as fair as the others, whatever its time. */
static void the_best_of_each_node(void **state)
{
	const struct init_summary *summary;

	(void)state;
	make_all();
	summary = sum_up();
	assert_int_equal(init_best_time(summary, 1)->policy, POLICY_ZONE);
	assert_int_equal(init_best_time(summary, 1)->cycles.median, 273980000);
	assert_int_equal(init_best_time(summary, 1)->baseline_cycles,
			 init_node_time(summary, 0, 1)->cycles.median);
	assert_int_equal(init_best_time(summary, 1)->speedup_milli, 13035);
	for (uint32_t i = 0; i < lab.results.node_count; i++)
		if (lab.results.nodes[i].node == 1 &&
		    lab.results.nodes[i].policy != POLICY_SERIAL &&
		    lab.results.nodes[i].policy != POLICY_LAZY)
			lab.results.nodes[i].node = 0;
	summary = sum_up();
	assert_null(init_best_time(summary, 1));
	assert_int_equal(init_node_time(summary, index_of(POLICY_LAZY), 1)->cycles.count, 5);
	assert_int_equal(init_node_time(summary, index_of(POLICY_LAZY), 1)->speedup_milli, 0);
}

static void first_use_beside_initialisation(void **state)
{
	const struct init_first_use *use;

	(void)state;
	make_all();
	use = &of(sum_up(), POLICY_LAZY)->first_use;
	assert_int_equal(use->cycles.count, 3);
	assert_int_equal(use->cycles.median, 3000ull * MS);
	assert_int_equal(use->fill.median, 1000ull * MS);
	assert_int_equal(use->filled_blocks, 196543);
	assert_int_equal(use->filled_pages, 196543ull * 1023);
	assert_true(use->both_known);
	assert_int_equal(use->both_cycles, 3004ull * MS);
	use = &of(sum_up(), POLICY_NODE)->first_use;
	assert_int_equal(use->both_cycles, 3785.7 * MS);
	assert_int_equal(use->filled_blocks, 0);
	use = &of(sum_up(), POLICY_ZONE)->first_use;
	assert_int_equal(use->cycles.count, 0);
	assert_false(use->both_known);
}

static void async_and_its_latencies(void **state)
{
	const struct init_async *async;

	(void)state;
	make_all();
	async = &sum_up()->async;
	assert_int_equal(async->runs, 5);
	assert_false(async->degraded);
	assert_int_equal(async->cycles, 151 * MS);
	assert_true(async->both_known);
	assert_int_equal(async->waiting_cycles, 137 * MS);
	assert_int_equal(async->first_success_cycles, 60000);
	assert_int_equal(async->failures, 3);
	assert_int_equal(async->bucket_count, 3);
	assert_int_equal(async->largest, 3700);
	assert_int_equal(async->buckets[0].from_cycles, 64);
	assert_int_equal(async->buckets[0].end_cycles, 128);
	assert_int_equal(async->buckets[0].allocations, 1250);
	assert_int_equal(async->buckets[0].share_permille, 250);
	assert_int_equal(async->buckets[2].from_cycles, 65536);
	assert_int_equal(async->buckets[2].up_to_here_permille, 1000);
	warm_run(POLICY_ASYNC)->async.degraded = true;
	assert_true(sum_up()->async.degraded);
	lab.results.init_only = true;
	assert_int_equal(sum_up()->async.runs, 0);
	make_lab(2, 52, 384 * GIB_PAGES, HZ);
	assert_int_equal(sum_up()->async.runs, 0);
}

static void disturbance_of_runs(void **state)
{
	const struct init_disturbed *zone;
	struct run_sample *run;

	(void)state;
	make_all();
	assert_false(sum_up()->disturbance_known);
	run = warm_run(POLICY_ZONE);
	for (uint32_t i = 0; i < lab.results.run_count; i++)
		if (lab.results.runs[i].policy == POLICY_ZONE)
			lab.results.runs[i].smi = 0;
	run->smi = 3;
	run->aperf = 3000000;
	run->mperf = 2000000;
	assert_true(sum_up()->disturbance_known);
	zone = &of(sum_up(), POLICY_ZONE)->disturbed;
	assert_int_equal(zone->runs, 5);
	assert_int_equal(zone->smi_known, 5);
	assert_int_equal(zone->smi_hit, 1);
	assert_int_equal(zone->smi, 3);
	assert_int_equal(zone->permille.count, 1);
	assert_int_equal(zone->permille.median, 1500);
	assert_int_equal(of(sum_up(), POLICY_LAZY)->disturbed.smi_known, 0);
}

/* What a pause of the machine leaves: nothing but time that is missing. */
static void a_run_that_took_far_too_long(void **state)
{
	const struct init_disturbed *zone;
	uint64_t median;

	(void)state;
	make_all();
	median = of(sum_up(), POLICY_ZONE)->time.cycles.median;
	assert_int_equal(of(sum_up(), POLICY_ZONE)->disturbed.stalled, 0);
	warm_run(POLICY_ZONE)->cycles = 40 * median;
	zone = &of(sum_up(), POLICY_ZONE)->disturbed;
	assert_int_equal(zone->stalled, 1);
	assert_true(zone->stalled_cycles >= 38 * median && zone->stalled_cycles <= 40 * median);
	assert_int_equal(of(sum_up(), POLICY_LAZY)->disturbed.stalled, 0);
}

static void disturbance_of_the_boot_cpu(void **state)
{
	const struct disturbance before = { 5, 1000, 1000 }, after = { 7, 4000, 3000 };
	const struct disturbance unknown = { DISTURBANCE_UNKNOWN, DISTURBANCE_UNKNOWN,
					     DISTURBANCE_UNKNOWN };
	struct cpu_disturbed cpu = cpu_disturbed(&before, &after);

	(void)state;
	assert_true(cpu.smi_known);
	assert_int_equal(cpu.smi, 2);
	assert_int_equal(cpu.permille, 1500);
	cpu = cpu_disturbed(&before, &before); /* it stood still */
	assert_int_equal(cpu.permille, 0);
	cpu = cpu_disturbed(&unknown, &unknown);
	assert_false(cpu.smi_known);
	assert_int_equal(cpu.permille, 0);
}

/* ---- verdicts ------------------------------------------------------------------------------- */

static void every_memmap_check_counts(void **state)
{
	for (int which = 0; which < 4; which++) {
		struct run_verdict verdict;
		struct run_sample *run;

		(void)state;
		make_all();
		run = warm_run(POLICY_PADATA);
		assert_true(judge(run).memmap_good);
		assert_null(judge(run).bad_field);
		run->timed_out = which == 0;
		run->totals.mismatches = which == 1;
		run->totals.first_bad_pfn = 0x12345;
		run->totals.pages[FRAME_HOLE] += which == 2;
		run->tiled = which != 3;
		run->bad_pfn = 0x98000;
		verdict = judge(run);
		assert_false(verdict.memmap_good);
		assert_int_equal(verdict.miscounted, which == 2);
		assert_int_equal(verdict.bad_pfn, which == 1 ? 0x12345 :
						  which == 3 ? 0x98000 :
							       UINT64_MAX);
		if (which == 1)
			assert_string_equal(verdict.bad_field, "other");
		else if (which == 3)
			assert_string_equal(verdict.bad_field, "claim");
		else
			assert_null(verdict.bad_field);
		assert_int_equal(sum_up()->memmaps_good, 55);
	}
}

/* Each check on its own makes a run a bad one. */
static void every_allocator_check_counts(void **state)
{
	(void)state;
	for (int which = 0; which < 10; which++) {
		struct allocator_sample *sample;
		struct allocator_faults faults;

		make_all();
		sample = &warm_run(POLICY_PADATA)->allocator;
		assert_false(allocator_faults(sample).any);
		sample->census.faults += which == 0;
		sample->census.free_pages -= which == 1;
		sample->census.managed_pages += which == 2;
		sample->pageblocks -= which == 3;
		sample->typed_twice += which == 4;
		sample->poison_reads += which == 5;
		sample->double_frees += which == 6;
		sample->taken_pages[1] -= which == 7;
		sample->taken_twice[0] += which == 8;
		sample->restored[0] = which != 9;
		faults = allocator_faults(sample);
		assert_true(faults.any);
		assert_int_equal(faults.lists, which == 0);
		assert_int_equal(faults.totals, which == 1 || which == 2);
		assert_int_equal(faults.pageblocks, which == 3 || which == 4);
		assert_int_equal(faults.poison_reads, which == 5);
		assert_int_equal(faults.double_frees, which == 6);
		assert_int_equal(faults.exercises[0], which >= 8);
		assert_int_equal(faults.exercises[1], which == 7);
		assert_false(judge(warm_run(POLICY_PADATA)).allocator_good);
		assert_int_equal(sum_up()->allocators_good, 55);
		assert_int_equal(of(sum_up(), POLICY_PADATA)->allocator.good, 4);
	}
}

/* What was not exercised has not failed. */
static void a_good_run_is_shown(void **state)
{
	const struct init_allocator *zone;

	(void)state;
	make_all();
	zone = &of(sum_up(), POLICY_ZONE)->allocator;
	assert_int_equal(zone->runs, 5);
	assert_int_equal(zone->good, 5);
	assert_true(zone->sample->exercised);
	warm_run(POLICY_ZONE)->allocator.double_frees = 1; /* the one that was exercised */
	zone = &of(sum_up(), POLICY_ZONE)->allocator;
	assert_int_equal(zone->good, 4);
	assert_false(zone->sample->exercised);
	for (uint32_t i = 0; i < lab.results.run_count; i++)
		lab.results.runs[i].timed_out = true;
	zone = &of(sum_up(), POLICY_ZONE)->allocator;
	assert_int_equal(zone->good, 0);
	assert_null(zone->sample);
	assert_int_equal(sum_up()->allocators_good, 0);
}

/* A check of the lab's own that failed is not passed over. */
static void no_fault_stays_unsaid(void **state)
{
	struct run_sample *run;

	(void)state;
	make_all();
	run = warm_run(POLICY_NODE);
	assert_false(judge(run).unexplained);
	run->good = false;
	assert_true(judge(run).unexplained);
	run->allocator.double_frees = 1;
	assert_false(judge(run).unexplained);
	lab.results.init_only = true; /* then there is no allocator to have failed */
	assert_true(judge(run).unexplained);
	run->tiled = false;
	assert_false(judge(run).unexplained);
}

static void nothing_deferred(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, HZ);
	lab.plans[POLICY_NODE].deferred_pages = 0;
	assert_true(sum_up()->anything_deferred);
	lab.plans[POLICY_PADATA].deferred_pages = 0;
	assert_false(sum_up()->anything_deferred);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_room),
		cmocka_unit_test(the_cold_run_stands_apart),
		cmocka_unit_test(pages_that_were_timed),
		cmocka_unit_test(pages_of_the_slowest_node),
		cmocka_unit_test(what_is_not_to_be_quoted),
		cmocka_unit_test(passes_and_early_part),
		cmocka_unit_test(the_best_of_each_node),
		cmocka_unit_test(first_use_beside_initialisation),
		cmocka_unit_test(async_and_its_latencies),
		cmocka_unit_test(disturbance_of_runs),
		cmocka_unit_test(a_run_that_took_far_too_long),
		cmocka_unit_test(disturbance_of_the_boot_cpu),
		cmocka_unit_test(every_memmap_check_counts),
		cmocka_unit_test(every_allocator_check_counts),
		cmocka_unit_test(a_good_run_is_shown),
		cmocka_unit_test(no_fault_stays_unsaid),
		cmocka_unit_test(nothing_deferred),
	};

	return cmocka_run_group_tests_name("init_summary", tests, NULL, NULL);
}
