/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables and records of the experiment `sweep`. */
#include "experiments/table.h"
#include "report/workers/sweep.h"
#include "tests/host/report_rows.h"

enum { HZ = 2000000000 };

static void make_three_nodes(void)
{
	make_lab(3, 16, 64 * GIB_PAGES, HZ);
	make_all_policies(1, HZ);
	make_sweep(5, HZ);
}

static void run_report(void)
{
	start();
	report_lab(&report, &sink);
}

/* Every sample of a step on a node, to `ms` milliseconds. */
static void set_ms(uint32_t step, uint32_t node, uint64_t ms)
{
	for (uint32_t i = 0; i < lab.sweep.sample_count; i++)
		if (lab.sweep.samples[i].step == step && lab.sweep.samples[i].node == node)
			lab.sweep.samples[i].cycles = ms * (HZ / 1000);
}

/* The first of them only. */
static void set_one_ms(uint32_t step, uint32_t node, uint64_t ms)
{
	for (uint32_t i = 0; i < lab.sweep.sample_count; i++)
		if (lab.sweep.samples[i].step == step && lab.sweep.samples[i].node == node &&
		    !lab.sweep.samples[i].repetition)
			lab.sweep.samples[i].cycles = ms * (HZ / 1000);
}

/* 16744382 pages a node. With four workers and more node 1 is the slowest: it has three CPUs. */
static void steps_of_both_axes(void **state)
{
	(void)state;
	make_three_nodes();
	run_report();
	assert_string_equal(find_row("sweep of workers", "1"),
			    "1 5 1 1600.200 1600.000 1600.200 1600.400 0.158 95.57 0.67 1.00");
	assert_string_equal(find_row("sweep of workers", "2"),
			    "2 5 2 800.200 800.000 800.200 800.400 0.158 47.79 1.34 2.00");
	assert_string_equal(find_row("sweep of workers", "16"),
			    "16 5 16 533.532 533.332 533.532 533.732 0.158 31.86 2.01 3.00");
	assert_string_equal(find_row("sweep of chunk sizes", "2048"),
			    "2048 5 16 533.532 533.332 533.532 533.732 0.158 31.86 2.01 3.00");
	assert_string_equal(cell("sweep of chunk sizes", "4", "vs 1 worker"), "3.00");
	assert_true(says("\nEvery run passed the checks of experiment init.\n"));
	assert_record("{'type':'sample','experiment':'sweep','rep':4,'step':17,'node':1}",
		      "{'policy':'zone','scope':'node','axis':'chunk','asked_workers':16,"
		      "'chunk_pages':524288,'store':'clzero','workers':3}");
	assert_record("{'type':'result','experiment':'sweep','scope':'run','step':1}",
		      "{'policy':'zone','axis':'workers','asked_workers':2,'chunk_pages':0,"
		      "'store':'clzero','workers':2,'pages':16744382,'descriptor_bytes':64}");
	assert_unsaid("{'type':'result','experiment':'sweep','scope':'run','step':1}", "node");
	assert_record("{'type':'result','experiment':'sweep','scope':'node','step':1,'node':2}",
		      "{'policy':'zone','workers':2,'count':5}");
}

static void words_without_effect_are_named(void **state)
{
	(void)state;
	make_three_nodes();
	options_parse("run=sweep policy=all split=static repeat=3", false, &experiment_words,
		      &lab.options);
	run_report();
	assert_false(says("ignored:"));
	options_parse("run=sweep", false, &experiment_words, &lab.options);
	run_report();
	assert_false(says("ignored:"));
	options_parse("run=sweep threads=1", false, &experiment_words, &lab.options);
	run_report();
	assert_true(says("\n\nthe sweep sets policy, threads and chunk itself; ignored:\n"
			 "    threads=1\n\nsweep of workers"));
	options_parse("policy=serial,node,ktask,padata,lazy,async threads=4096 chunk=65536", false,
		      &experiment_words, &lab.options);
	run_report();
	assert_true(says("    policy=serial,node,ktask,padata,lazy,async threads=4096 "
			 "chunk=65536\n"));
	options_parse("policy=serial,node,ktask,padata,zone,lazy,async,cores,hmat,calibrated",
		      false, &experiment_words, &lab.options);
	run_report();
	assert_true(says("    policy=serial,node,ktask,padata,zone,lazy,async,cores,hmat,"
			 "calibrated\n"));
}

/* The pages are those of the slowest node in the run nearest to the median. */
static void the_slowest_node_tells_the_pages(void **state)
{
	(void)state;
	make_three_nodes();
	for (uint32_t i = 0; i < lab.sweep.sample_count; i++)
		if (lab.sweep.samples[i].node == 2)
			lab.sweep.samples[i].pages = 1000000;
	set_ms(0, 2, 1900);
	run_report();
	assert_string_equal(find_row("sweep of workers", "1"),
			    "1 5 1 1900.000 1900.000 1900.000 1900.000 0.000 1900.00 0.03 1.00");
}

static void the_run_nearest_to_the_median_does(void **state)
{
	static const uint32_t slow[][2] = { { 2, 1900 }, { 0, 1750 }, { 2, 1800 }, { 0, 1650 },
					    { 2, 1700 } };

	(void)state;
	make_three_nodes();
	for (uint32_t i = 0; i < lab.sweep.sample_count; i++) {
		struct step_sample *sample = &lab.sweep.samples[i];

		if (sample->node == 2)
			sample->pages = 1000000;
		if (!sample->step && sample->node == slow[sample->repetition][0])
			sample->cycles = slow[sample->repetition][1] * (HZ / 1000ull);
	}
	run_report();
	assert_string_equal(find_row("sweep of workers", "1"),
			    "1 5 1 1760.000 1650.000 1750.000 1900.000 96.177 104.51 0.61 1.00");
}

/* Node 0: 8 workers are the best, 12 and 16 are slower. Node 1: three CPUs, whatever is asked. */
static void the_knee_of_every_node(void **state)
{
	(void)state;
	make_three_nodes();
	run_report();
	assert_string_equal(find_row("the knee of every", "0"),
			    "0 1600.200 8 200.200 8 200.200 100.0 11.96 5.35 7.99");
	assert_string_equal(find_row("the knee of every", "1"),
			    "1 1600.199 3 533.532 3 533.532 100.0 31.86 2.01 3.00");
	/* The same three CPUs once more, by luck faster: no better number of workers. */
	set_ms(4, 1, 100);
	run_report();
	assert_string_equal(find_row("the knee of every", "1"),
			    "1 1600.199 3 533.532 3 533.532 100.0 31.86 2.01 3.00");
	/* 16 workers in 100 ms; 8 are just within 5 % of it, 6 just not. */
	set_ms(7, 0, 100);
	set_ms(5, 0, 105);
	set_ms(4, 0, 106);
	run_report();
	assert_string_equal(find_row("the knee of every", "0"),
			    "0 1600.200 16 100.000 8 105.000 105.0 6.27 10.21 15.24");
	/* By medians: a run that something disturbed does not count. */
	set_one_ms(5, 0, 500);
	set_one_ms(7, 0, 60);
	run_report();
	assert_string_equal(find_row("the knee of every", "0"),
			    "0 1600.200 16 100.000 8 105.000 105.0 6.27 10.21 15.24");
	assert_int_equal(count("knee"), 3);
	assert_record("{'type':'knee','node':0}",
		      "{'pages':16744382,'workers':8,'median_cycles':210000000,'best_workers':16,"
		      "'best_median_cycles':200000000,'one_worker_median_cycles':3200400000}");
	/* Two workers are already enough when more do not help. */
	for (uint32_t step = 1; step < 8; step++)
		set_ms(step, 2, 700 + step);
	run_report();
	assert_string_equal(find_row("the knee of every", "2"),
			    "2 1600.198 2 701.000 2 701.000 100.0 41.86 1.53 2.28");
}

static void without_one_worker_no_speed_up(void **state)
{
	(void)state;
	make_three_nodes();
	lab.sweep.steps[0].workers = 2;
	for (uint32_t i = 0; i < lab.sweep.sample_count; i++)
		if (!lab.sweep.samples[i].step)
			lab.sweep.samples[i].workers = 2;
	run_report();
	assert_string_equal(find_row("sweep of workers", "4"),
			    "4 5 4 533.532 533.332 533.532 533.732 0.158 31.86 2.01 -");
	assert_string_equal(find_row("the knee of every", "1"),
			    "1 - 3 533.532 3 533.532 100.0 31.86 2.01 -");
	assert_unsaid("{'type':'knee','node':1}", "one_worker_median_cycles");
}

/* A sweep that was cut short: by a fault, before its first run, or with an axis missing. */
static void cut_short(void **state)
{
	(void)state;
	make_three_nodes();
	lab.sweep.sample_count = 3;
	lab.sweep.verified = false;
	lab.sweep.expected = lab.results.expected;
	lab.sweep.last_step = 4;
	lab.sweep.last = lab.results.runs[0];
	lab.sweep.last.policy = POLICY_ZONE;
	lab.sweep.last.repetition = 2;
	lab.sweep.last.totals.mismatches = 3;
	lab.sweep.last.totals.first_bad_pfn = 0x777;
	lab.sweep.last.allocator.poison_reads = 9;
	run_report();
	assert_true(says("FAULT: in the step of workers 6:\n"
			 "FAULT: zone, run 2: 3 pages wrong, the first pfn 0x777: field other\n"
			 "FAULT: zone, run 2: 9 merges read"));
	assert_string_equal(find_row("sweep of workers", "2"), "2 0 0 - - - - - - - -");
	assert_int_equal(count("knee"), 3);
	lab.sweep.sample_count = 0;
	lab.sweep.step_count = 8;
	run_report();
	assert_false(has_table("sweep of chunk sizes"));
	assert_int_equal(count("knee"), 0);
	lab.sweep.steps[0] = lab.sweep.steps[8];
	lab.sweep.step_count = 1;
	run_report();
	assert_false(has_table("sweep of workers"));
	assert_false(has_table("the knee of every"));
	assert_true(has_table("sweep of chunk sizes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_of_both_axes),
		cmocka_unit_test(words_without_effect_are_named),
		cmocka_unit_test(the_slowest_node_tells_the_pages),
		cmocka_unit_test(the_run_nearest_to_the_median_does),
		cmocka_unit_test(the_knee_of_every_node),
		cmocka_unit_test(without_one_worker_no_speed_up),
		cmocka_unit_test(cut_short),
	};

	return cmocka_run_group_tests_name("report_sweep", tests, NULL, NULL);
}
