/* SPDX-License-Identifier: GPL-2.0-only */
/* What is concluded from a comparison of numbers of workers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lab/summary/compare_rules.h"
#include "tests/host/worker_results.h"

enum { US = WORKERS_HZ / 1000000 };

static int make(void **state)
{
	(void)state;
	make_two_nodes();
	return 0;
}

static void assert_number(const struct step_summary *number, uint32_t workers, uint64_t us)
{
	assert_int_equal(number->workers, workers);
	assert_int_equal(number->cycles.count, 5);
	assert_int_equal(number->cycles.median, us * US);
	assert_int_equal(number->pages, 1 << 20);
}

/* Ascending, and those for which a node has no use are left out. 6 is a rule's, not the sweep's. */
static void numbers_of_the_sweep(void **state)
{
	struct step_summary of_node[COMPARE_STEPS_MAX];

	(void)state;
	make_comparison(5);
	assert_int_equal(summarise_numbers(&compared, 0, of_node), 5);
	assert_number(&of_node[0], 1, 1600200);
	assert_number(&of_node[1], 2, 800200);
	assert_number(&of_node[2], 4, 400200);
	assert_number(&of_node[3], 8, 200200);
	assert_number(&of_node[4], 16, 208200);
	assert_int_equal(summarise_numbers(&compared, 1, of_node), 4);
	assert_number(&of_node[3], 8, 200199);
}

static void assert_time(uint32_t node, enum worker_rule rule, uint32_t ran, uint64_t us)
{
	const struct worker_time *time = &verdict.times[node][rule];

	assert_int_equal(time->ran, ran);
	assert_int_equal(time->cycles.median, us * US);
}

static void every_rule_has_its_time(void **state)
{
	(void)state;
	judge_comparison(5);
	assert_time(0, RULE_QUARTER, 4, 400200);
	assert_time(0, RULE_ALL, 16, 208200);
	assert_time(0, RULE_CORES, 8, 200200);
	assert_time(0, RULE_HMAT, 6, 266866);
	assert_time(1, RULE_ALL, 8, 208199);
	assert_int_equal(verdict.best[0].workers, 8);
	assert_int_equal(verdict.best[0].cycles, 200200 * US);
	assert_int_equal(verdict.all[RULE_QUARTER].median, 400200 * US);
	assert_int_equal(verdict.all_best_cycles, 200200 * US);
	/* the rules that fall back have the number of another, which is not their own */
	assert_int_equal(verdict.times[0][RULE_CALIBRATED].same_as, RULE_CORES);
	assert_int_equal(verdict.times[0][RULE_AUTO].same_as, RULE_CORES);
	assert_false(verdict.times[0][RULE_CALIBRATED].own);
	assert_true(verdict.times[0][RULE_CORES].own && verdict.times[0][RULE_HMAT].own);
	assert_int_equal(verdict.times[0][RULE_ALL].same_as, RULE_ALL);
	assert_int_equal(verdict.step_same_as[RULE_AUTO], RULE_CORES);
}

/* 200 / 208 in each run. On node 1 none took part. */
static void siblings_in_the_way(void **state)
{
	(void)state;
	judge_comparison(5);
	assert_true(verdict.any_siblings && verdict.has_siblings[0] && verdict.has_siblings[1]);
	assert_int_equal(verdict.ratios[0].count, 5);
	assert_int_equal(verdict.ratios[0].interval.median, 961);
	assert_int_equal(verdict.ratios[0].effect, SIBLINGS_HINDER);
	assert_int_equal(verdict.ratios[1].count, 0);
}

/* With one worker per CPU, the second step, half of the time; or now more, now less than equal. */
static void siblings_that_help_or_may(void **state)
{
	(void)state;
	make_comparison(5);
	for (uint32_t i = 0; i < compared.sample_count; i++)
		if (samples[i].step == compared.rule_steps[RULE_ALL])
			samples[i].cycles /= 2;
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
	assert_int_equal(verdict.ratios[0].effect, SIBLINGS_HELP);
	for (uint32_t i = 0; i < compared.sample_count; i++)
		if (samples[i].step == compared.rule_steps[RULE_ALL])
			samples[i].cycles = (samples[i].repetition % 2 ? 190000ull : 210000) * US;
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
	assert_int_equal(verdict.ratios[0].effect, SIBLINGS_UNDECIDED);
}

static void without_siblings(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < lab.topology.cpu_count; i++)
		lab.topology.cpus[i].core = i;
	make_comparison(5);
	compared.rule_steps[RULE_CORES] = compared.rule_steps[RULE_ALL];
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
	assert_false(verdict.any_siblings || verdict.has_siblings[0]);
	assert_int_equal(verdict.ratios[0].count, 0);
	assert_int_equal(verdict.all_ratio.count, 0);
}

static void the_fewest_near_the_best(void **state)
{
	(void)state;
	judge_comparison(5);
	assert_int_equal(verdict.advice[0].rule, RULE_CORES);
	assert_int_equal(verdict.advice[0].workers, 8);
	assert_int_equal(verdict.advice[0].doubt, DOUBT_NONE);
	assert_int_equal(verdict.all_advice.rule, RULE_CORES);
	assert_int_equal(verdict.all_advice.workers, 16);
	/* 4 workers at exactly 5 % above the best are near, a cycle more is not */
	for (uint32_t i = 0; i < compared.sample_count; i++)
		if (!samples[i].step)
			samples[i].cycles = 210210 * US;
	worker_verdict_add(&verdict, &compared);
	assert_int_equal(verdict.advice[0].rule, RULE_QUARTER);
	assert_int_equal(verdict.advice[0].workers, 4);
	for (uint32_t i = 0; i < compared.sample_count; i++)
		if (!samples[i].step)
			samples[i].cycles++;
	worker_verdict_add(&verdict, &compared);
	assert_int_equal(verdict.advice[0].rule, RULE_CORES);
}

/* The best may be a number that no rule gives. */
static void no_rule_is_good(void **state)
{
	(void)state;
	make_comparison(5);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		compared.rule_steps[rule] = 4; /* 2 workers */
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
	assert_int_equal(verdict.advice[0].rule, RULE_COUNT);
	assert_int_equal(verdict.all_advice.rule, RULE_COUNT);
	assert_int_equal(verdict.best[0].workers, 8);
}

/* A median of runs that differ by more than what it is to decide is not passed on as advice. */
static void reasons_for_doubt(void **state)
{
	(void)state;
	make_comparison(5);
	for (uint32_t i = 0; i < compared.sample_count; i++)
		if (samples[i].repetition == 4)
			samples[i].cycles = samples[i].cycles * 5 / 4;
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
	assert_int_equal(verdict.advice[0].rule, RULE_CORES);
	assert_int_equal(verdict.advice[0].doubt, DOUBT_SCATTER);
	judge_comparison(4);
	assert_int_equal(verdict.advice[0].doubt, DOUBT_FEW_RUNS);
	assert_int_equal(verdict.ratios[0].effect, SIBLINGS_TOO_FEW_RUNS);
}

/* RAM without CPUs: when a node is done depends on where its workers begin. */
static void nodes_that_share_cpus(void **state)
{
	(void)state;
	judge_comparison(5);
	assert_false(verdict.nodes_share_cpus);
	for (uint32_t i = 0; i < lab.topology.cpu_count; i++)
		lab.topology.cpus[i].node = 0;
	judge_comparison(5);
	assert_true(verdict.nodes_share_cpus);
	assert_int_equal(verdict.all_ratio.count, 5);
	assert_int_equal(verdict.all_ratio.interval.median, 961);
	assert_int_equal(verdict.all_advice.rule, RULE_CORES);
}

/* What node 0 did beside another number of node 1 is not the same. With a knee rule auto does not
 * fall back: it is calibrated's number. */
static void same_number_in_other_runs(void **state)
{
	(void)state;
	facts.core_mbps = 8500; /* 68000 / 8500 = 8 workers on node 0, 2 on node 1 */
	for (uint32_t node = 0; node < 2; node++)
		calibration.curves[node] = (struct worker_curve){
			{ { 4, 4000 }, { 8, 2000 }, { 16, 2000 } }, 3, true };
	judge_comparison(5);
	assert_int_equal(numbers.workers[RULE_HMAT][0], 8);
	assert_int_equal(numbers.workers[RULE_HMAT][1], 2);
	assert_int_equal(verdict.times[0][RULE_CALIBRATED].same_as, RULE_CORES);
	assert_int_equal(verdict.times[0][RULE_HMAT].same_as, RULE_HMAT);
	assert_true(verdict.times[0][RULE_CALIBRATED].own && verdict.times[0][RULE_AUTO].own);
}

static void nothing_was_timed(void **state)
{
	(void)state;
	lab.topology.nodes[1].pages = 0;
	begin_verdict();
	assert_int_equal(verdict.all_best_cycles, 0);
	assert_int_equal(verdict.best[0].cycles, 0);
	assert_int_equal(verdict.advice[0].rule, RULE_COUNT);
	assert_int_equal(numbers.workers[RULE_ALL][0], 16);
	assert_int_equal(numbers.workers[RULE_ALL][1], 0);
	assert_true(verdict.has_siblings[0] && !verdict.has_siblings[1]);
}

static void policies_are_told_their_rule(void **state)
{
	(void)state;
	begin_verdict();
	assert_ptr_equal(rule_numbers_for(&numbers, POLICY_HMAT), numbers.workers[RULE_HMAT]);
	assert_ptr_equal(rule_numbers_for(&numbers, POLICY_CALIBRATED),
			 numbers.workers[RULE_CALIBRATED]);
	assert_ptr_equal(rule_numbers_for(&numbers, POLICY_AUTO), numbers.workers[RULE_AUTO]);
	assert_null(rule_numbers_for(&numbers, POLICY_CORES));
	assert_null(rule_numbers_for(&numbers, POLICY_PADATA));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(numbers_of_the_sweep, make),
		cmocka_unit_test_setup(every_rule_has_its_time, make),
		cmocka_unit_test_setup(siblings_in_the_way, make),
		cmocka_unit_test_setup(siblings_that_help_or_may, make),
		cmocka_unit_test_setup(without_siblings, make),
		cmocka_unit_test_setup(the_fewest_near_the_best, make),
		cmocka_unit_test_setup(no_rule_is_good, make),
		cmocka_unit_test_setup(reasons_for_doubt, make),
		cmocka_unit_test_setup(nodes_that_share_cpus, make),
		cmocka_unit_test_setup(same_number_in_other_runs, make),
		cmocka_unit_test_setup(nothing_was_timed, make),
		cmocka_unit_test_setup(policies_are_told_their_rule, make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
