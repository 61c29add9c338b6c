/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/run/latencies.h"
#include "lab/run/timed_run.h"
#include "lib/interleave.h"
#include "tests/host/odd_machine.h"

/* The baseline cold, then all policies, each time in another order, then growth. */
static void test_all_policies_interleaved(void **unused)
{
	static const enum policy order[POLICY_COUNT] = {
		POLICY_NODE,  POLICY_SERIAL, POLICY_KTASK, POLICY_PADATA,     POLICY_ZONE,
		POLICY_LAZY,  POLICY_ASYNC,  POLICY_CORES, POLICY_HMAT,       POLICY_CALIBRATED,
		POLICY_AUTO };
	const uint32_t runs = 1 + 2 * POLICY_COUNT;
	struct world *w = world_usual();
	const struct init_results *r = &w->results;

	(void)unused;
	choose_all(w);
	w->options.repeat = 2;
	assert_true(world_run(w));
	assert_true(r->verified);
	assert_int_equal(r->policy_count, POLICY_COUNT);
	assert_int_equal(r->run_count, runs);
	assert_int_equal(r->node_count, 3 * runs);
	assert_int_equal(w->progress_count, runs); /* growth has no result of its own */
	for (uint32_t i = 0; i < r->run_count; i++) {
		const struct run_sample *run = &r->runs[i];
		const struct lab_progress *p = &w->progress[i];
		uint32_t rep = (i + POLICY_COUNT - 1) / POLICY_COUNT;
		uint32_t place = (i + POLICY_COUNT - 1) % POLICY_COUNT;

		assert_int_equal(run->policy,
				 order[rep ? interleave(POLICY_COUNT, rep - 1, place) : 0]);
		assert_int_equal(run->repetition, rep);
		assert_int_equal(run->cold, i == 0);
		assert_int_equal(run->allocator.exercised,
				 i == 0 || (run->repetition == 1 && run->policy != POLICY_NODE));
		assert_run_good(w, run);
		assert_true(p->experiment == EXPERIMENT_INIT && p->policy == run->policy);
		assert_true(p->repetition == run->repetition && p->cold == run->cold);
		assert_true(p->index == i && p->count == r->run_count);
		assert_true(i == 0 || p->elapsed_cycles > p[-1].elapsed_cycles);
	}
	assert_true(r->runs[1 + POLICY_COUNT].policy != r->runs[1].policy);
	assert_int_equal(run_of(w, POLICY_SERIAL, 1)->workers, 1);
	assert_int_equal(run_of(w, POLICY_NODE, 1)->workers, 3);
	world_free(w);
}

static void test_baseline_alone(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	choose(w, POLICY_NODE);
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.policy_count, 1);
	assert_int_equal(w->results.run_count, 2);
	assert_run_good(w, &w->results.runs[0]);
	assert_run_good(w, &w->results.runs[1]);
	world_free(w);
}

static uint32_t lent(const struct world *w, const struct init_plan *plan, uint32_t from,
		     uint32_t node)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->visit_count; i++)
		count += plan->visits[i].node == node &&
			 w->topology.cpus[plan->visits[i].cpu].node == from;
	return count;
}

/* Pages that the CPUs of node 0 did in the run. */
static uint64_t done_by_node_0(const struct world *w, const struct run_sample *run)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < w->results.cpu_count; i++) {
		const struct init_cpu_sample *s = &w->results.cpus[i];

		if (s->policy == run->policy && s->repetition == run->repetition &&
		    w->topology.cpus[s->cpu].node == 0)
			pages += s->pages;
	}
	return pages;
}

/* Node 2 lies as near to node 0 as to node 1. Nobody helps anybody: so much work is node 0's. */
static void test_two_nodes_share_a_third(void **unused)
{
	static const uint32_t counts[NODE_MAX] = { 2, 3, 3 };
	struct world *w = world_usual();
	const struct run_sample *run;
	const struct init_plan *plan;

	(void)unused;
	choose(w, POLICY_AUTO);
	w->input.worker_counts[POLICY_AUTO] = counts;
	w->topology.bandwidth[0][2].write_mbps = 20000;
	w->topology.bandwidth[1][2].write_mbps = 10000;
	for (int split = SPLIT_DYNAMIC; split <= SPLIT_STATIC; split++) {
		w->options.split = (enum split)split;
		assert_true(world_run(w));
		assert_true(w->results.verified);
		plan = plan_of(w, POLICY_AUTO);
		run = run_of(w, POLICY_AUTO, 1);
		assert_run_good(w, run);
		assert_int_equal(plan->nodes[2].worker_count, 2); /* of two sections' use */
		assert_int_equal(lent(w, plan, 0, 2), 1);
		assert_int_equal(lent(w, plan, 1, 2), 1);
	}
	assert_true(done_by_node_0(w, run) > plan->nodes[0].deferred_pages + SECTION_PAGES / 2);
	world_free(w);
}

/* Each frame is handed out once, by single pages and by blocks of 4 MiB, and taken back. */
static void test_exercise(void **unused)
{
	struct world *w = world_usual();
	const struct allocator_sample *a;

	(void)unused;
	assert_true(world_run(w));
	a = &run_of(w, POLICY_PADATA, 1)->allocator;
	assert_true(a->exercised);
	for (int i = 0; i < 2; i++) {
		assert_true(a->restored[i]);
		assert_int_equal(a->taken_pages[i], w->results.expected.pages[FRAME_FREE]);
		assert_int_equal(a->taken_twice[i], 0);
	}
	world_free(w);
}

/* A machine that says it has more than 64 GiB, and one whose RAM lies far apart. */
static void test_no_exercise_of_too_much(void **unused)
{
	struct world *w = world_usual();
	uint64_t bytes = init_bytes(&w->input, 0);

	(void)unused;
	skip_exercise(w);
	assert_true(init_bytes(&w->input, 0) < bytes);
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_false(w->results.runs[0].allocator.exercised);
	w->topology.ram_pages = 64ull << 18;
	assert_int_equal(init_bytes(&w->input, 0), bytes);
	w->topology.ram[3].end_pfn = 513ull << 18;
	assert_true(init_bytes(&w->input, 0) < bytes + (64 << 10));
	world_free(w);
}

static void test_lazy_moves_the_cost_to_first_use(void **unused)
{
	struct world *w = world_usual();
	const struct run_sample *lazy, *node, *later;

	(void)unused;
	skip_exercise(w);
	choose(w, POLICY_LAZY);
	w->options.repeat = 2;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	lazy = run_of(w, POLICY_LAZY, 1);
	node = run_of(w, POLICY_NODE, 1);
	later = run_of(w, POLICY_LAZY, 2);
	assert_int_equal(lazy->lazy.first_use_pages, w->results.expected.pages[FRAME_FREE]);
	assert_int_equal(lazy->lazy.filled_blocks, lazy->allocator.census.lazy_blocks);
	assert_true(lazy->lazy.filled_blocks > 100 && lazy->lazy.fill_cycles);
	assert_true(lazy->lazy.first_use_cycles > lazy->lazy.fill_cycles);
	assert_int_equal(node->lazy.first_use_pages, lazy->lazy.first_use_pages);
	assert_true(node->lazy.first_use_cycles && !node->lazy.filled_blocks);
	assert_int_equal(w->results.runs[0].lazy.first_use_pages, 0); /* cold: not to compare */
	assert_int_equal(later->allocator.census.lazy_blocks, lazy->allocator.census.lazy_blocks);
	assert_true(!later->lazy.first_use_pages && !later->lazy.filled_blocks);
	world_free(w);
}

/* Up to 64 GiB it is not left to one run, but not done a hundred times either. */
static void test_first_use_is_repeated(void **unused)
{
	struct world *w = world_new();

	(void)unused;
	add_cpus(w, 0, 2);
	fake_ram(&w->topology, 256, 2 * SECTION_PAGES, 0);
	world_populate(w, 2);
	choose(w, POLICY_LAZY);
	w->options.repeat = FIRST_USE_RUNS_MAX + 1;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.run_count, 1 + 2 * w->options.repeat);
	for (uint32_t i = 0; i < w->results.run_count; i++) {
		const struct run_sample *run = &w->results.runs[i];
		bool timed = run->repetition && run->repetition <= FIRST_USE_RUNS_MAX;

		assert_int_equal(run->lazy.first_use_pages,
				 timed ? w->results.expected.pages[FRAME_FREE] : 0);
		assert_int_equal(run->lazy.filled_blocks,
				 timed ? run->allocator.census.lazy_blocks : 0);
	}
	world_free(w);
}

static void assert_allocations_good(const struct world *w, const struct async_sample *a)
{
	uint64_t sum = 0;

	for (int i = 0; i < 64; i++) {
		sum += a->histogram[i];
		if (a->histogram[i]) {
			assert_true(a->max_cycles >= 1ull << i);
			assert_true(a->min_cycles < 2ull << i);
		}
	}
	assert_int_equal(sum, a->allocations);
	assert_true(a->allocations && !a->degraded);
	assert_true(a->first_success_cycles >= a->min_cycles);
	assert_true(a->allocations <= w->results.expected.pages[FRAME_FREE] / BLOCK_PAGES);
	assert_true(a->min_cycles && a->min_cycles <= a->median_cycles &&
		    a->median_cycles <= a->p99_cycles && a->p99_cycles <= a->max_cycles);
}

static void test_async_allocates_meanwhile(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	skip_exercise(w);
	choose(w, POLICY_ASYNC);
	w->options.repeat = 5;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->start_calls, 6);
	for (uint32_t i = 1; i <= 5; i++) {
		assert_run_good(w, run_of(w, POLICY_ASYNC, i));
		assert_allocations_good(w, &run_of(w, POLICY_ASYNC, i)->async);
		assert_int_equal(run_of(w, POLICY_NODE, i)->async.allocations, 0);
	}
	for (uint32_t i = 0; i < w->results.cpu_count; i++)
		assert_true(w->results.cpus[i].policy != POLICY_ASYNC || w->results.cpus[i].cpu);
	world_free(w);
}

/* The boot CPU's own node has no memory. */
static void test_async_allocates_from_other_nodes(void **unused)
{
	struct world *w = world_new();

	(void)unused;
	add_cpus(w, 1, 1);
	add_cpus(w, 0, 2);
	fake_ram(&w->topology, 256, 4 * SECTION_PAGES, 0);
	world_populate(w, 4);
	skip_exercise(w);
	choose(w, POLICY_ASYNC);
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_allocations_good(w, &run_of(w, POLICY_ASYNC, 1)->async);
	world_free(w);
}

static void test_latencies(void **unused)
{
	uint64_t cycles[1000];
	struct async_sample sample = { 0 };

	(void)unused;
	for (uint64_t i = 0; i < 1000; i++)
		cycles[i] = 1000 - i;
	lab_sum_latencies(cycles, 1000, &sample);
	assert_true(sample.min_cycles == 1 && sample.median_cycles == 500);
	assert_true(sample.p99_cycles == 990 && sample.max_cycles == 1000);
	assert_int_equal(sample.histogram[0], 1);
	assert_int_equal(sample.histogram[8], 256);
	assert_int_equal(sample.histogram[9], 1000 - 511);
	cycles[0] = 0;
	sample = (struct async_sample){ 0 };
	lab_sum_latencies(cycles, 1, &sample);
	assert_true(!sample.p99_cycles && !sample.max_cycles && sample.histogram[0] == 1);
	lab_sum_latencies(cycles, 0, &sample);
	assert_int_equal(sample.histogram[0], 1);
}

/* One CPU for three nodes goes from one to the next, and has no time to allocate meanwhile. */
static void test_one_cpu_serves_all_nodes(void **unused)
{
	struct world *w = world_usual();
	const struct run_sample *async;

	(void)unused;
	skip_exercise(w);
	choose_all(w);
	for (uint32_t i = 1; i < w->topology.cpu_count; i++)
		w->topology.cpus[i].online = false;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.node_count, 3 * ALL_RUNS);
	assert_int_equal(w->results.cpu_count, ALL_RUNS);
	for (uint32_t i = 0; i < ALL_RUNS; i++)
		assert_run_good(w, &w->results.runs[i]);
	async = run_of(w, POLICY_ASYNC, 1);
	assert_true(async->async.degraded && !async->async.allocations);
	assert_false(run_of(w, POLICY_ZONE, 1)->async.degraded);
	assert_int_equal(w->start_calls, 0);
	world_free(w);
}

static void test_more_cpus_than_sections(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	skip_exercise(w);
	add_cpus(w, 0, 20);
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_run_good(w, run_of(w, POLICY_PADATA, 1));
	world_free(w);
}

/* A machine of less than a section: the boot CPU does it all. */
static void test_nothing_deferred(void **unused)
{
	struct world *w = world_new();

	(void)unused;
	fake_ram(&w->topology, 1, 159, 0);
	fake_ram(&w->topology, 256, 20000, 0);
	add_cpus(w, 0, 2);
	world_populate(w, 2);
	choose_all(w);
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.run_count, ALL_RUNS);
	for (uint32_t i = 0; i < ALL_RUNS; i++) {
		assert_int_equal(w->results.runs[i].workers, 0);
		assert_int_equal(w->results.runs[i].pages, 0);
		assert_int_equal(w->results.runs[i].early_pages, SECTION_PAGES);
		assert_true(w->results.runs[i].smi == DISTURBANCE_UNKNOWN);
		assert_true(w->results.runs[i].aperf == DISTURBANCE_UNKNOWN);
		assert_true(w->results.runs[i].mperf == DISTURBANCE_UNKNOWN);
		assert_run_good(w, &w->results.runs[i]);
	}
	assert_int_equal(w->results.node_count + w->results.cpu_count, 0);
	assert_int_equal(w->results.growth.grown_pages, 0);
	world_free(w);
}

/* Each node with a deferred part is grown by whole sections; then all is as it must be. */
static void test_growth(void **unused)
{
	struct world *w = world_usual();
	const struct init_growth *growth = &w->results.growth;

	(void)unused;
	skip_exercise(w);
	for (int policy = 0; policy < POLICY_COUNT; policy++) {
		choose(w, (enum policy)policy);
		assert_true(world_run(w));
		assert_true(w->results.verified && growth->done && growth->good);
		assert_int_equal(growth->policy, policy);
		assert_in_range(growth->grown_pages, 3 * SECTION_PAGES / 2, 3 * SECTION_PAGES);
		assert_true(growth->allocated_blocks > 3 * 20);
	}
	world_free(w);
}

static void test_disturbance_is_summed(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	skip_exercise(w);
	assert_true(world_run(w));
	for (uint32_t i = 0; i < w->results.run_count; i++) {
		const struct run_sample *run = &w->results.runs[i];

		assert_int_equal(run->smi, run->workers);
		assert_int_equal(run->aperf, 10 * run->workers);
		assert_int_equal(run->mperf, 20 * run->workers);
	}
	w->no_counters = true;
	assert_true(world_run(w));
	assert_true(w->results.runs[0].smi == DISTURBANCE_UNKNOWN);
	assert_int_equal(w->results.runs[0].aperf, 10 * w->results.runs[0].workers);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_policies_interleaved),
		cmocka_unit_test(test_baseline_alone),
		cmocka_unit_test(test_two_nodes_share_a_third),
		cmocka_unit_test(test_exercise),
		cmocka_unit_test(test_no_exercise_of_too_much),
		cmocka_unit_test(test_lazy_moves_the_cost_to_first_use),
		cmocka_unit_test(test_first_use_is_repeated),
		cmocka_unit_test(test_async_allocates_meanwhile),
		cmocka_unit_test(test_async_allocates_from_other_nodes),
		cmocka_unit_test(test_latencies),
		cmocka_unit_test(test_one_cpu_serves_all_nodes),
		cmocka_unit_test(test_more_cpus_than_sections),
		cmocka_unit_test(test_nothing_deferred),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_disturbance_is_summed),
	};

	return cmocka_run_group_tests_name("init_run", tests, NULL, NULL);
}
