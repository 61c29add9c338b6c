/* SPDX-License-Identifier: GPL-2.0-only */
/* Steps of the experiment `sweep` summed up, and the knees of its nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lab/summary/sweep.h"
#include "tests/host/report_machine.h"

enum { HZ = 2000000000, MS = HZ / 1000 };

static struct sweep_summary summary;

/* Three nodes, five repetitions; node 1 has three CPUs. */
static int make(void **state)
{
	(void)state;
	make_lab(3, 16, 64ull << 18, HZ);
	make_all_policies(1, HZ);
	make_sweep(5, HZ);
	return 0;
}

static void sum_up(void)
{
	summarise_sweep(&summary, &lab.sweep, lab.topology.node_count);
}

/* Every sample of a step on a node, or that of one repetition. */
static void set_ms(uint32_t step, uint32_t node, uint32_t repetition, uint64_t ms)
{
	for (uint32_t i = 0; i < lab.sweep.sample_count; i++) {
		struct step_sample *sample = &lab.sweep.samples[i];

		if (sample->step == step && sample->node == node &&
		    (repetition == UINT32_MAX || sample->repetition == repetition))
			sample->cycles = ms * MS;
	}
}

static void assert_knee(uint32_t node, uint32_t workers, uint64_t ms, uint32_t best_workers,
			uint64_t best_ms)
{
	const struct knee *knee = &summary.knees[node];

	assert_int_equal(knee->node, node);
	assert_int_equal(knee->workers, workers);
	assert_int_equal(knee->cycles, ms * MS);
	assert_int_equal(knee->best_workers, best_workers);
	assert_int_equal(knee->best_cycles, best_ms * MS);
}

/* The slowest node of each run, and its pages in the run nearest to the median. */
static void the_slowest_of_each_run(void **state)
{
	static const uint32_t slow[][2] = { { 2, 1900 }, { 0, 1750 }, { 2, 1800 }, { 0, 1650 },
					    { 2, 1700 } };

	(void)state;
	for (uint32_t i = 0; i < lab.sweep.sample_count; i++)
		if (lab.sweep.samples[i].node == 2)
			lab.sweep.samples[i].pages = 1000000;
	for (uint32_t i = 0; i < 5; i++)
		set_ms(0, slow[i][0], i, slow[i][1]);
	sum_up();
	assert_int_equal(summary.steps[0].cycles.count, 5);
	assert_int_equal(summary.steps[0].cycles.median, 1750ull * MS);
	assert_int_equal(summary.steps[0].cycles.max, 1900ull * MS);
	assert_int_equal(summary.steps[0].pages, 16744382);
	assert_int_equal(summary.one_worker_cycles, 1750ull * MS);
	set_ms(0, 2, 1, 1760);
	sum_up();
	assert_int_equal(summary.steps[0].pages, 1000000);
	assert_int_equal(summary.steps[2].workers, 3);
	assert_int_equal(summary.steps[7].workers, 16);
}

/* 8 workers just within 5 % of 16, 6 just not; by medians, so that one odd run does not count. */
static void the_fewest_near_the_best(void **state)
{
	(void)state;
	set_ms(7, 0, UINT32_MAX, 100);
	set_ms(5, 0, UINT32_MAX, 105);
	set_ms(4, 0, UINT32_MAX, 106);
	sum_up();
	assert_knee(0, 8, 105, 16, 100);
	set_ms(5, 0, 0, 500);
	set_ms(7, 0, 0, 60);
	sum_up();
	assert_knee(0, 8, 105, 16, 100);
	assert_int_equal(summary.knees[0].pages, 16744382);
	for (uint32_t step = 1; step < 8; step++)
		set_ms(step, 2, UINT32_MAX, 700 + step);
	sum_up();
	assert_knee(2, 2, 701, 2, 701);
}

/* Node 1 takes part in steps 2 to 7 with the same three CPUs: the first of them counts. */
static void no_knee_by_luck(void **state)
{
	(void)state;
	set_ms(2, 1, UINT32_MAX, 500);
	set_ms(4, 1, UINT32_MAX, 100);
	sum_up();
	assert_knee(1, 3, 500, 3, 500);
}

static void what_is_missing(void **state)
{
	(void)state;
	sum_up();
	assert_true(summary.has_axis[SWEEP_WORKERS] && summary.has_axis[SWEEP_CHUNK]);
	assert_int_not_equal(summary.knees[0].one_worker_cycles, 0);
	lab.sweep.steps[0].workers = 2;
	for (uint32_t i = 0; i < lab.sweep.sample_count; i++)
		if (!lab.sweep.samples[i].step)
			lab.sweep.samples[i].workers = 2;
	sum_up();
	assert_int_equal(summary.one_worker_cycles, 0);
	assert_int_equal(summary.knees[0].one_worker_cycles, 0);
	lab.sweep.sample_count = 0;
	lab.sweep.step_count = 8;
	sum_up();
	assert_false(summary.has_axis[SWEEP_CHUNK]);
	assert_int_equal(summary.knees[0].workers, 0);
	assert_int_equal(summary.steps[3].cycles.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_slowest_of_each_run, make),
		cmocka_unit_test_setup(the_fewest_near_the_best, make),
		cmocka_unit_test_setup(no_knee_by_luck, make),
		cmocka_unit_test_setup(what_is_missing, make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
