/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of experiment bandwidth, of the calibration, and of how many workers to take. */
#include "report/opening.h"
#include "report/workers/worker_advice.h"
#include "report/workers/bandwidth.h"
#include "report/workers/calibration.h"
#include "report/workers/compare_rules.h"
#include "report/workers/how_many.h"
#include "tests/host/report_rows.h"
#include "tests/host/worker_results.h"

enum { HZ = WORKERS_HZ };

static struct sibling_row rows[2];
static struct node_pair pairs[4];
static struct bandwidth_results bandwidth;

static int make(void **state)
{
	(void)state;
	make_two_nodes();
	rows[0] = (struct sibling_row){ 0, 1, 1,
					{ { 11200, 12000 }, { 1, 2 }, { 3, 4 }, { 5, 6 } } };
	rows[1] = (struct sibling_row){ 0, 2, 1, { { 0 } } };
	pairs[0] = (struct node_pair){ 0, 0, { 11000, 60000 }, { 9000, 30000 }, 100000 };
	pairs[1] = (struct node_pair){ 0, 1, { 5000, 21000 }, { 4000, 11000 }, 301000 };
	bandwidth = (struct bandwidth_results){ .rows = rows, .row_count = 2, .pairs = pairs,
						.pair_count = 2, .slice_us = 20000, .cycles = HZ };
	bandwidth.reasons[1] = "no CPU online";
	bandwidth.blocks[0] = bandwidth.blocks[1] = bandwidth.cpus[0] = 16;
	lab.options.verbose = false;
	return 0;
}

static void begin(void)
{
	start();
	report_open(&report, &sink, &lab.options);
	report_run(&report, &lab.facts, &lab.options);
}

static void bandwidths_and_claims(void **state)
{
	(void)state;
	begin();
	report_bandwidth(&report, &bandwidth, &lab.topology);
	assert_string_equal(find_row("siblings: GB/s", "0"),
			    "0 1 1 11.20 12.00 0.00 0.00 0.00 0.00 0.01 0.01");
	assert_true(says("Node 1 has no row: no CPU online; in the matrix it is only as "
			 "memory.\n"));
	assert_record("{'type':'unmeasured'}", "{'node':1,'reason':'no CPU online'}");
	assert_int_equal(count("unmeasured"), 1);
	assert_string_equal(find_row("node matrix", "0 0"), "0 0 11.00 60.00 9.00 30.00 100.0");
	/* writes: 30 of 68 GB/s claimed; latency 2.01 x; distance 3.01 instead of 2.00 */
	assert_string_equal(find_row("what firmware claims", "0 0"),
			    "0 0 68.00 0.88 68.00 0.44 80 1.25 - - OFF");
	assert_string_equal(find_row("what firmware claims", "0 1"),
			    "0 1 20.00 1.05 20.00 0.55 150 2.01 2.00 1.51 OFF");
	assert_true(says("OFF: 2 of the firmware's figures are off by more than 2x: do not size "
			 "anything by them.\n"));
	assert_int_equal(count("stream"), 2 * 8);
	assert_int_equal(count("matrix"), 2);
	assert_record("{'type':'stream','workers':1,'kind':'write-nt','order':'random'}",
		      "{'node':0,'cores':1,'mbps':3}");
	assert_record("{'type':'matrix','target':1}",
		      "{'initiator':0,'read_one_mbps':5000,'read_all_mbps':21000,"
		      "'write_one_mbps':4000,'write_all_mbps':11000,'latency_ps':301000,"
		      "'hmat_read_mbps':20000,'hmat_write_mbps':20000,'hmat_read_latency_ns':150,"
		      "'distance':20,'read_off':false,'write_off':false,'latency_off':true,"
		      "'distance_off':false}");
	assert_unsaid("{'type':'matrix','target':0}", "distance_off");
	/* exactly twice is not more than that */
	pairs[0].write_mbps[BANDWIDTH_ALL_CORES] = 34000;
	pairs[1].latency_ps = 300000;
	begin();
	report_bandwidth(&report, &bandwidth, &lab.topology);
	assert_true(has_row("what firmware claims", "0 0 68.00 0.88 68.00 0.50"));
	assert_false(says("OFF"));
	bandwidth.reasons[1] = "no RAM";
	bandwidth.blocks[1] = 0;
	begin();
	report_bandwidth(&report, &bandwidth, &lab.topology);
	assert_true(says("Node 1 has no row: no RAM; nor is it in the matrix.\n"));
	bandwidth.cpus[1] = 2;
	begin();
	report_bandwidth(&report, &bandwidth, &lab.topology);
	assert_true(says("Node 1 has no row: no RAM; in the matrix it is only by its CPUs.\n"));
	bandwidth.timed_out = true;
	lab.topology.bandwidth_from_hmat = lab.topology.distance_from_slit = false;
	begin();
	report_bandwidth(&report, &bandwidth, &lab.topology);
	assert_false(has_table("what firmware claims"));
	assert_true(says("workers did not all meet in time"));
}

static void calibrations(void **state)
{
	(void)state;
	calibration.nodes[0] = (struct calibrated_node){
		.cpu = 3, .sample_pages = 16384, .core_cycles = 2ull * HZ / 1000, .probes = 3,
		.sample = { 128, 262144, 260000, 262144, 524288, 2621 } };
	calibration.core_mbps[0] = 8000;
	calibration.nodes[1].reason = "no RAM";
	calibration.curves[0] = (struct worker_curve){
		{ { 1, 16 << 20 }, { 2, 8 << 20 }, { 3, 8 << 20 } }, 3, true };
	calibration.search_cycles = HZ / 1000;
	calibration.limit_cycles = 2ull * HZ / 1000;
	calibration.estimate_cycles = 40ull * HZ / 1000;
	calibration.steps[0] = (struct calibrate_step){ 2, 900, 800, 700 };
	calibration.step_count = 1;
	begin();
	report_calibration(&report, &calibration, &lab.topology);
	assert_string_equal(find_row("what one core", "0"), "0 3 128 8.00 8.00 1.0 200 2.000");
	assert_string_equal(find_row("the search", "0 1"), "0 1 8.000 1.00");
	assert_string_equal(find_row("the search", "0 2"), "0 2 4.000 2.00 knee");
	assert_true(says("It took 1.000 ms, 2.5 % of the 40.000 ms that the initialisation takes "
			 "at least; 5 % are for"));
	assert_false(says("too long") || says("first touches"));
	assert_record("{'type':'search_step','step':0}",
		      "{'cpus':2,'left_cycles':900,'predicted_cycles':800,'cycles':700}");
	assert_record("{'type':'calibration','node':0}",
		      "{'cpu':3,'pages':16384,'count':128,'mean_cycles':262144,"
		      "'stddev_cycles':2621,'core_mbps':8000,'took_cycles':4000000}");
	assert_unsaid("{'type':'calibration','node':0}", "reason");
	assert_record("{'type':'calibration','node':1}", "{'reason':'no RAM'}");
	assert_unsaid("{'type':'calibration','node':1}", "count");
	assert_record("{'type':'curve','workers':2}",
		      "{'node':0,'pages':1048576,'cycles':8388608,'complete':true}");
	assert_record("{'type':'search'}", "{'steps':1,'estimate_cycles':80000000,"
		      "'touch_cycles':0,'cycles':2000000,'limit_cycles':4000000}");
	assert_int_equal(count("calibration"), 2);
	assert_int_equal(count("curve"), 3);
	assert_int_equal(count("search"), 1);
	calibration.curves[0].complete = false;
	calibration.curves[0].count = 2;
	begin();
	report_calibration(&report, &calibration, &lab.topology);
	assert_string_equal(find_row("the search", "0 2"), "0 2 4.000 2.00 time over");
	calibration.search_cycles = 3ull * HZ / 1000;
	calibration.touch_cycles = HZ / 100;
	begin();
	report_calibration(&report, &calibration, &lab.topology);
	assert_true(says("That is 1.000 ms too long"));
	assert_true(says("its frames were touched, in 10.000 ms"));
	calibration.search_cycles = 0;
	begin();
	report_calibration(&report, &calibration, &lab.topology);
	assert_false(has_table("the search"));
	assert_int_equal(count("search"), 0);
}

static void report_verdict_of_workers(void)
{
	report_how_many(&report, &verdict, &calibration);
	report_advice(&report, &verdict);
}

static void how_many(uint32_t repetitions)
{
	judge_comparison(repetitions);
	begin();
	report_comparison(&report, &compared, &lab.topology);
	report_verdict_of_workers();
}

static void comparisons(void **state)
{
	(void)state;
	how_many(5);
	assert_string_equal(find_row("numbers of workers", "0 1"),
			    "0 1 1600.200 0.158 1526.07 0.04 1.00");
	assert_string_equal(find_row("numbers of workers", "0 8"),
			    "0 8 200.200 0.158 190.93 0.34 7.99");
	assert_string_equal(find_row("numbers of workers", "0 16"),
			    "0 16 208.200 0.158 198.55 0.32 7.69");
	assert_string_equal(find_row("numbers of workers", "1 8"),
			    "1 8 200.199 0.158 190.92 0.34 7.99");
	assert_false(has_row("numbers of workers", "1 16")); /* 8 took part */
	assert_true(says("freed block by block, store=nti, all nodes at once:"));
	assert_true(says("all of it took 3000.000 ms."));
	assert_true(says("Every run passed the checks"));
	assert_false(says("CUT"));
	assert_int_equal(count("compared"), 6 * 2 * 5);
	assert_int_equal(count("comparison"), 1);
	assert_record("{'type':'compared','step':3,'rep':0,'node':1}",
		      "{'asked_workers':6,'swept':0,'workers':6,'pages':1048576,"
		      "'cycles':533330000}");
	assert_record("{'type':'comparison'}",
		      "{'steps':6,'left_out':0,'repetitions':5,'cycles':6000000000,"
		      "'limit_cycles':120000000000,'store':'nti'}");
	compared.left_out = 2;
	compared.wanted = 7;
	begin();
	report_comparison(&report, &compared, &lab.topology);
	assert_true(says("CUT: 2 steps of the sweep"));
	assert_true(says("CUT: 5 of 7 repetitions fitted into 60000"));
	compared.verified = false;
	compared.last.timed_out = true;
	begin();
	report_comparison(&report, &compared, &lab.topology);
	assert_true(says("FAULT: in a run of the comparison:\n"));
	assert_false(says("Every run passed"));
	compared.sample_count = 0;
	begin();
	report_comparison(&report, &compared, &lab.topology);
	assert_false(says("Nothing is deferred"));
	compared.verified = true;
	begin();
	report_comparison(&report, &compared, &lab.topology);
	assert_true(says("Nothing is deferred, so nothing was timed.\n"));
	assert_false(has_row("numbers of workers", "node"));
}

static void every_rule_has_its_time(void **state)
{
	(void)state;
	calibration.step_count = 6;
	calibration.search_cycles = HZ / 100;
	how_many(5);
	assert_true(has_row("how many workers?", "0 4 4 400.200 199.9 x"));
	assert_true(has_row("how many workers?", "0 16 16 208.200 104.0 x"));
	assert_true(has_row("how many workers?", "0 8 8 200.200 100.0 x cores cores"));
	assert_true(has_row("how many workers?", "0 6 6 266.866 133.3 x"));
	assert_true(has_row("how many workers?", "1 16 8 208.199 104.0 x"));
	assert_string_equal(cell("how many workers?", "0", "quarter"), "x");
	assert_string_equal(cell("how many workers?", "0", "calibrated"), "");
	assert_true(has_row("how many workers?", "last 400.200 199.9 x"));
	assert_true(has_row("how many workers?", "last 208.200 104.0 x"));
	assert_true(has_row("how many workers?", "last 200.200 100.0 x x x"));
	assert_true(has_row("how many workers?", "last 266.866 133.3 x"));
	assert_record("{'type':'rule_all','rule':'hmat'}",
		      "{'median_cycles':533732000,'best_median_cycles':400400000}");
	assert_int_equal(count("rule_all"), 6);
	assert_true(says("Rule calibrated falls back, node 0, 1: no curve was measured, the "
			 "calibration says why.\n"));
	assert_false(says("Rule auto falls back")); /* as calibrated */
	assert_true(says("The search for rule calibrated took 10.000 ms, 5.0 % of the 200.200 ms"));
	assert_true(says("siblings are in the way"));
	assert_true(says("Node 0: take 8 workers (rule cores)"));
	assert_true(says("All nodes: rule cores"));
	assert_int_equal(count("rule"), 12);
	assert_int_equal(count("siblings"), 1); /* on node 1 none took part */
	assert_record("{'type':'siblings'}", "{'node':0,'count':5,'known':true,"
		      "'median_milli':961}");
	assert_record("{'type':'rule','node':0,'rule':'hmat'}",
		      "{'workers':6,'used':'hmat','initiator':0,'node_mbps':68000,"
		      "'core_mbps':11200,'step':3,'ran_workers':6,'median_cycles':533732000,"
		      "'best_workers':8,'best_median_cycles':400400000}");
	assert_unsaid("{'type':'rule','node':0,'rule':'hmat'}", "reason");
	assert_record("{'type':'rule','node':0,'rule':'auto'}", "{'workers':8,'used':'cores'}");
	assert_unsaid("{'type':'rule','node':0,'rule':'auto'}", "node_mbps");
}

/* What node 0 did beside another number of node 1 is a row of its own. With a knee rule auto does
 * not fall back: it is calibrated's number. */
static void same_number_in_other_runs(void **state)
{
	(void)state;
	facts.core_mbps = 8500; /* 68000 / 8500 = 8 workers on node 0, 2 on node 1 */
	for (uint32_t node = 0; node < 2; node++)
		calibration.curves[node] = (struct worker_curve){
			{ { 4, 4000 }, { 8, 2000 }, { 16, 2000 } }, 3, true };
	how_many(5);
	assert_true(has_row("how many workers?", "0 8 8 200.200 100.0 x x x"));
	assert_true(has_row("how many workers?", "0 8 6 266.866 133.3 x"));
	assert_false(says("falls back,"));
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
	begin();
	report_verdict_of_workers();
	assert_true(says("Node 0: no rule is within 5 % of the best, which 8 workers gave.\n"));
	assert_true(says("All nodes: no rule is within 5 % of the best.\n"));
}

/* Each doubt has its words; what the numbers are is lab/summary's to say. */
static void words_of_the_verdict(void **state)
{
	(void)state;
	judge_comparison(5);
	verdict.any_siblings = false;
	verdict.ratios[0].count = 0;
	verdict.has_siblings[0] = verdict.has_siblings[1] = false;
	verdict.advice[0].doubt = DOUBT_SCATTER;
	begin();
	report_verdict_of_workers();
	assert_true(says("No core has a sibling online"));
	assert_false(says("one worker per core takes"));
	assert_true(says("Its runs scatter"));
	verdict.nodes_share_cpus = true;
	verdict.any_siblings = true;
	verdict.all_ratio.effect = SIBLINGS_UNDECIDED;
	begin();
	report_verdict_of_workers();
	assert_true(says("CPUs serve several nodes here"));
	assert_false(says("take 8 workers") || says("Node 0: one worker per core"));
	assert_true(says("All nodes: one worker per core takes"));
	assert_true(says("whether siblings help cannot be told"));
	assert_true(says("All nodes: rule cores"));
}

/* One worker is not "1 workers". */
static void one_worker(void **state)
{
	(void)state;
	make_comparison(5);
	for (uint32_t i = 0; i < compared.sample_count; i++)
		samples[i].cycles = samples[i].workers * 1000;
	for (int rule = 0; rule < RULE_COUNT; rule++)
		compared.rule_steps[rule] = 5;
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
	begin();
	report_verdict_of_workers();
	assert_true(says("Node 0: take 1 worker (rule quarter), "));
}

/* With few runs nothing is claimed; with none nothing is said. */
static void too_few_runs(void **state)
{
	(void)state;
	how_many(2);
	assert_true(says("2 runs are too few to be sure"));
	assert_true(says("Of 2 runs:"));
	assert_false(says("siblings help"));
	begin_verdict();
	begin();
	report_verdict_of_workers();
	assert_int_equal(count("siblings"), 0);
	assert_int_equal(count("rule"), 12);
	assert_false(says("take "));
	assert_true(says("whether they help was not measured"));
	assert_true(says("\"-\": nothing was timed; with run=init they are compared"));
}

static void a_node_without_ram(void **state)
{
	(void)state;
	lab.topology.nodes[1].pages = 0;
	begin_verdict();
	begin();
	report_verdict_of_workers();
	assert_true(says("Node 1: no workers: the node has no RAM.\n"));
	assert_true(has_row("how many workers?", "0 16"));
	assert_false(has_row("how many workers?", "1 16"));
}

/* Whatever the numbers, lines stay within their width. */
/* A reason that all nodes or every other node have: of the longest list something is left out. */
static void as_many_nodes_as_there_can_be(void **state)
{
	(void)state;
	make_comparison(1);
	begin_verdict();
	lab.topology.node_count = verdict.node_count = NODE_MAX;
	for (int every_other = 0; every_other < 2; every_other++) {
		for (uint32_t node = 0; node < NODE_MAX; node++) {
			numbers.counts[RULE_HMAT][node] = (struct worker_count){
				.workers = 1, .used = RULE_ALL,
				.reason = every_other && node % 2 ? NULL : "no HMAT" };
		}
		begin();
		report_verdict_of_workers();
		assert_int_equal(count("rule"), NODE_MAX * RULE_COUNT);
		assert_true(says(every_other ? "0, 2, 4, " : "node 0-255: no HMAT"));
	}
}

static void hostile_values(void **state)
{
	const struct summary widest = { UINT32_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
					UINT64_MAX };

	(void)state;
	memset(rows, 0xff, sizeof(rows));
	memset(pairs, 0xff, sizeof(pairs));
	pairs[0].initiator = pairs[0].target = pairs[1].initiator = 0;
	pairs[1].target = 1;
	memset(lab.topology.bandwidth, 0xff, sizeof(lab.topology.bandwidth));
	bandwidth.slice_us = UINT32_MAX;
	bandwidth.cycles = UINT64_MAX;
	for (uint32_t node = 0; node < 2; node++) {
		calibration.nodes[node].sample = widest;
		calibration.nodes[node].cpu = UINT32_MAX;
		calibration.nodes[node].sample_pages = 1;
		calibration.core_mbps[node] = UINT32_MAX;
		calibration.curves[node].count = WORKER_POINTS_MAX;
		for (uint32_t i = 0; i < WORKER_POINTS_MAX; i++)
			calibration.curves[node].points[i] =
				(struct worker_point){ UINT32_MAX, UINT64_MAX };
	}
	calibration.search_cycles = calibration.limit_cycles = UINT64_MAX;
	calibration.estimate_cycles = calibration.touch_cycles = UINT64_MAX;
	calibration.step_count = WORKER_POINTS_MAX;
	memset(calibration.steps, 0xff, sizeof(calibration.steps));
	make_comparison(REPEAT_MAX);
	for (uint32_t i = 0; i < compared.sample_count; i++)
		samples[i].cycles = samples[i].pages = UINT64_MAX;
	compared.left_out = compared.wanted = UINT32_MAX;
	compared.cycles = compared.limit_cycles = UINT64_MAX;
	begin_verdict();
	for (uint32_t node = 0; node < 2; node++) {
		for (int rule = 0; rule < RULE_COUNT; rule++) {
			numbers.workers[rule][node] = UINT32_MAX;
			numbers.counts[rule][node] = (struct worker_count){
				UINT32_MAX, RULE_CALIBRATED,
				"more workers still helped when the time to measure was over",
				UINT32_MAX - 1, UINT32_MAX, UINT32_MAX };
			verdict.times[node][rule] = (struct worker_time){
				UINT32_MAX, widest, (enum worker_rule)rule, false };
		}
		verdict.best[node] = (struct worker_point){ UINT32_MAX, UINT64_MAX };
		memset(verdict.all, 0xff, sizeof(verdict.all));
		verdict.all_best_cycles = UINT64_MAX;
		verdict.ratios[node] = (struct sibling_ratio){
			{ UINT64_MAX, UINT64_MAX, UINT64_MAX, true }, REPEAT_MAX, SIBLINGS_HELP
		};
		verdict.advice[node] = (struct worker_advice){ RULE_CALIBRATED, UINT32_MAX,
							       DOUBT_SCATTER };
		verdict.all_advice = verdict.advice[node];
	}
	for (uint64_t hz = 0; hz <= HZ; hz += HZ) {
		lab.facts.tsc_hz = hz;
		begin();
		report_bandwidth(&report, &bandwidth, &lab.topology);
		report_calibration(&report, &calibration, &lab.topology);
		report_comparison(&report, &compared, &lab.topology);
		report_verdict_of_workers();
	}
	assert_int_equal(count("rule"), 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(bandwidths_and_claims, make),
		cmocka_unit_test_setup(calibrations, make),
		cmocka_unit_test_setup(comparisons, make),
		cmocka_unit_test_setup(every_rule_has_its_time, make),
		cmocka_unit_test_setup(same_number_in_other_runs, make),
		cmocka_unit_test_setup(no_rule_is_good, make),
		cmocka_unit_test_setup(words_of_the_verdict, make),
		cmocka_unit_test_setup(one_worker, make),
		cmocka_unit_test_setup(too_few_runs, make),
		cmocka_unit_test_setup(a_node_without_ram, make),
		cmocka_unit_test_setup(as_many_nodes_as_there_can_be, make),
		cmocka_unit_test_setup(hostile_values, make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
