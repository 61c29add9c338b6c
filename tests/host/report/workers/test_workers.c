/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of experiment bandwidth, of the calibration, and of how many workers to take. */
#include "lab/summary/worker_verdict.h"
#include "report/run.h"
#include "report/workers/advice.h"
#include "report/workers/bandwidth.h"
#include "report/workers/calibration.h"
#include "report/workers/compare.h"
#include "report/workers/how_many.h"
#include "tests/host/report_capture.h"

enum { HZ = 2000000000 };

static struct sibling_row rows[2];
static struct node_pair pairs[4];
static struct bandwidth_results bandwidth;
static struct calibration calibration;
static struct worker_verdict verdict;
static struct compare_results compared;
static struct step_sample samples[COMPARE_STEPS_MAX * 2 * REPEAT_MAX];
static struct worker_facts facts;
static struct rule_numbers numbers;

/* Two nodes of 16 CPUs on 8 cores; node 1 is slow to reach. */
static int make(void **state)
{
	(void)state;
	make_lab(2, 16, 64 * GIB_PAGES, HZ);
	for (uint32_t i = 0; i < lab.topology.cpu_count; i++) {
		struct cpu *cpu = &lab.topology.cpus[i];

		cpu->online = true;
		cpu->core = cpu->node * 8 + i % 8;
	}
	memset(lab.topology.bandwidth, 0, sizeof(lab.topology.bandwidth));
	lab.topology.bandwidth[0][0] = (struct hmat_pair){ 80, 80, 68000, 68000 };
	lab.topology.bandwidth[0][1] = (struct hmat_pair){ 150, 150, 20000, 20000 };
	lab.topology.bandwidth_from_hmat = lab.topology.distance_from_slit = true;
	lab.topology.distance[0][1] = 20;
	rows[0] = (struct sibling_row){ 0, 1, 1,
					{ { 11200, 12000 }, { 1, 2 }, { 3, 4 }, { 5, 6 } } };
	rows[1] = (struct sibling_row){ 0, 2, 1, { { 0 } } };
	pairs[0] = (struct node_pair){ 0, 0, { 11000, 60000 }, { 9000, 30000 }, 100000 };
	pairs[1] = (struct node_pair){ 0, 1, { 5000, 21000 }, { 4000, 11000 }, 301000 };
	bandwidth = (struct bandwidth_results){ .rows = rows, .row_count = 2, .pairs = pairs,
						.pair_count = 2, .slice_us = 20000, .cycles = HZ };
	bandwidth.reasons[1] = "no CPU online";
	bandwidth.blocks[0] = bandwidth.blocks[1] = bandwidth.cpus[0] = 16;
	memset(&calibration, 0, sizeof(calibration));
	facts = (struct worker_facts){ .topology = &lab.topology, .core_mbps = 11200,
				       .measured_mbps = calibration.core_mbps,
				       .curves = calibration.curves };
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
	assert_true(says("\"node\":1,\"reason\":\"no CPU online\"}"));
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
	assert_true(says("\"kind\":\"write-nt\",\"order\":\"random\",\"mbps\":3}"));
	assert_true(says("\"latency_ps\":301000,\"hmat_read_mbps\":20000,\"hmat_write_mbps\":20000,"
			 "\"hmat_read_latency_ns\":150,\"distance\":20,\"read_off\":false,"
			 "\"write_off\":false,\"latency_off\":true,\"distance_off\":false}"));
	/* exactly twice is not more than that */
	pairs[0].write_mbps[BANDWIDTH_ALL_CORES] = 34000;
	pairs[1].latency_ps = 300000;
	begin();
	report_bandwidth(&report, &bandwidth, &lab.topology);
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
	assert_false(says("what firmware claims"));
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
	assert_true(says("Node 1: not all was measured: no RAM.\n"));
	assert_string_equal(find_row("the search", "0 1"), "0 1 8.000 1.00");
	assert_string_equal(find_row("the search", "0 2"), "0 2 4.000 2.00 knee");
	assert_true(says("It took 1.000 ms, 2.5 % of the 40.000 ms that the initialisation takes "
			 "at least; 5 % are for"));
	assert_false(says("too long") || says("first touches"));
	assert_true(says("\"step\":0,\"cpus\":2,\"left_cycles\":900,\"predicted_cycles\":800,"
			 "\"cycles\":700}"));
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
	assert_false(says("the search"));
	assert_int_equal(count("search"), 0);
}

static uint32_t compare_numbers(uint32_t workers, uint32_t swept)
{
	struct compare_step *step = &compared.steps[compared.step_count];

	step->workers[0] = step->workers[1] = workers;
	step->swept = swept;
	return compared.step_count++;
}

/* So many workers need 1600 ms / workers up to 8, 1 ms more for each beyond, and 0.1 ms more with
 * each repetition; node 1 is a microsecond faster. It has no use for more than 8. */
static void make_comparison(uint32_t repetitions)
{
	memset(&compared, 0, sizeof(compared));
	compared.samples = samples;
	compared.repetitions = compared.wanted = repetitions;
	compared.page_size = 64;
	compared.store = STORE_NTI;
	compared.verified = compared.last.good = true;
	compared.cycles = 3ull * HZ;
	compared.limit_cycles = 60ull * HZ;
	compared.rule_steps[RULE_QUARTER] = compare_numbers(4, 4);
	compared.rule_steps[RULE_ALL] = compare_numbers(16, 16);
	compared.rule_steps[RULE_CORES] = compared.rule_steps[RULE_CALIBRATED] =
		compared.rule_steps[RULE_AUTO] = compare_numbers(8, 8);
	compared.rule_steps[RULE_HMAT] = compare_numbers(6, 0);
	compare_numbers(2, 2);
	compare_numbers(1, 1);
	for (uint32_t rep = 0; rep < repetitions; rep++)
		for (uint32_t step = 0; step < compared.step_count; step++)
			for (uint32_t node = 0; node < 2; node++) {
				uint32_t n = compared.steps[step].workers[node];
				uint64_t us = n <= 8 ? 1600000 / n : 200000 + 1000 * (n - 8);

				n = node && n > 8 ? 8 : n;
				samples[compared.sample_count++] = (struct step_sample){
					step, rep, node, n, 1 << 20,
					(us + 100 * rep - node) * (HZ / 1000000) };
			}
}

static void begin_verdict(void)
{
	rule_numbers_find(&numbers, &facts);
	worker_verdict_begin(&verdict, &lab.topology, &numbers);
}

static void report_verdict_of_workers(void)
{
	report_how_many(&report, &verdict, &calibration);
	report_advice(&report, &verdict);
}

static void how_many(uint32_t repetitions)
{
	make_comparison(repetitions);
	begin_verdict();
	begin();
	report_comparison(&report, &compared, &lab.topology);
	worker_verdict_add(&verdict, &compared);
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
	assert_false(says("\n   1      16   2")); /* 8 took part */
	assert_true(says("freed block by block, store=nti, all nodes at once:"));
	assert_true(says("all of it took 3000.000 ms."));
	assert_true(says("Every run passed the checks"));
	assert_false(says("CUT"));
	assert_int_equal(count("compared"), 6 * 2 * 5);
	assert_int_equal(count("comparison"), 1);
	assert_true(says("\"step\":3,\"rep\":0,\"node\":1,\"asked_workers\":6,\"swept\":0,"
			 "\"workers\":6,\"pages\":1048576,\"cycles\":533330000}"));
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
	assert_false(says("speed-up"));
}

static void every_rule_has_its_time(void **state)
{
	(void)state;
	calibration.step_count = 6;
	calibration.search_cycles = HZ / 100;
	how_many(5);
	assert_true(says("node workers took    median   % of quarter all cores hmat       "
			 "calibrated auto\n"
			 "             part        ms   best\n"
			 "   0       4    4   400.200  199.9 x\n"
			 "   0      16   16   208.200  104.0         x\n"
			 "   0       8    8   200.200  100.0             x                cores"
			 "      cores\n"
			 "   0       6    6   266.866  133.3                   x\n"
			 "   1       4    4   400.199  199.9 x\n"
			 "   1      16    8   208.199  104.0         x\n"));
	assert_true(says("last                400.200  199.9 x\n"
			 "last                208.200  104.0         x\n"
			 "last                200.200  100.0             x                x"
			 "          x\n"
			 "last                266.866  133.3                   x\n"));
	assert_int_equal(count("rule_all"), 6);
	assert_true(says("Node 0, hmat: 68000 MB/s for node 0's CPUs, 11200 MB/s for one core.\n"));
	assert_true(says("Rule calibrated falls back, node 0, 1: no curve was measured, the "
			 "calibration says why.\n"));
	assert_false(says("Rule auto falls back")); /* as calibrated */
	assert_true(says("The search for rule calibrated took 10.000 ms, 5.0 % of the 200.200 ms"));
	/* 200 / 208 in each run */
	assert_true(says("Node 0: one worker per core takes 0.961 x"));
	assert_true(says("siblings are in the way.\n"));
	assert_false(says("No core has a sibling"));
	assert_true(says("Node 0: take 8 workers (rule cores), the fewest of any rule within 5 % "
			 "of the best.\n"));
	assert_true(says("All nodes: rule cores has the fewest workers of those within 5 % of the "
			 "best until the last node is\n    done.\n"));
	assert_int_equal(count("rule"), 12);
	assert_int_equal(count("siblings"), 1); /* on node 1 none took part */
	assert_true(says("\"rule\":\"hmat\",\"workers\":6,\"used\":\"hmat\",\"initiator\":0,"
			 "\"node_mbps\":68000,\"core_mbps\":11200,\"step\":3,\"ran_workers\":6,"
			 "\"median_cycles\":533732000,\"best_workers\":8,"
			 "\"best_median_cycles\":400400000}"));
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
	assert_true(says("\n"
			 "   0       8    8   200.200  100.0             x                x"
			 "          x\n"
			 "   0       8    6   266.866  133.3                   x\n"));
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

static void without_siblings(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < lab.topology.cpu_count; i++)
		lab.topology.cpus[i].core = i;
	make_comparison(5);
	compared.rule_steps[RULE_CORES] = compared.rule_steps[RULE_ALL];
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
	begin();
	report_verdict_of_workers();
	assert_true(says("No core has a sibling online: one worker per core is one per CPU.\n"));
	assert_false(says("one worker per core takes"));
}

/* A median of runs that differ by more than what it is to decide is not passed on as advice. */
static void scattered_runs(void **state)
{
	(void)state;
	make_comparison(5);
	for (uint32_t i = 0; i < compared.sample_count; i++)
		if (samples[i].repetition == 4)
			samples[i].cycles = samples[i].cycles * 5 / 4;
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
	begin();
	report_verdict_of_workers();
	assert_true(says("Node 0: take 8 workers (rule cores), the fewest of any rule within 5 % "
			 "of the best. Its runs scatter\n    (standard deviation 11 % of the mean)"
			 ": do not rely on it.\n"));
}

/* RAM without CPUs: when a node is done depends on where its workers begin. */
static void nodes_that_share_cpus(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < lab.topology.cpu_count; i++)
		lab.topology.cpus[i].node = 0; /* of 16 cores */
	how_many(5);
	assert_true(says("CPUs serve several nodes here"));
	assert_false(says("take 8 workers") || says("Node 0: one worker per core"));
	/* 200 / 208 */
	assert_true(says("All nodes: one worker per core takes 0.961 x the time"));
	assert_true(says("All nodes: rule cores has the fewest"));
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
	assert_true(says("5 % of the best. Of 2 runs: do\n    not rely on it.\n"));
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
	assert_true(says("\n   0      16") && !says("\n   1      16"));
}

/* Whatever the numbers, lines stay within their width. */
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
		cmocka_unit_test_setup(without_siblings, make),
		cmocka_unit_test_setup(scattered_runs, make),
		cmocka_unit_test_setup(nodes_that_share_cpus, make),
		cmocka_unit_test_setup(one_worker, make),
		cmocka_unit_test_setup(too_few_runs, make),
		cmocka_unit_test_setup(a_node_without_ram, make),
		cmocka_unit_test_setup(hostile_values, make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
