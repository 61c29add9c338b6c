/* The tables of experiment bandwidth, of the calibration, and of how many workers to take. */
#include "kernel/report_workers.h"
#include "tests/host/report_capture.h"

enum { HZ = 2000000000 };

static struct sibling_row rows[2];
static struct node_pair pairs[4];
static struct bandwidth_results bandwidth;
static struct calibration calibration;
static struct worker_verdict verdict;
static struct worker_facts facts;
static struct store_choice stores = { STORE_NT256, STORE_PLAIN };

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
	assert_true(says("Node 1 has no row: no CPU online.\n"));
	assert_string_equal(find_row("node matrix", "0 0"), "0 0 11.00 60.00 9.00 30.00 100.0");
	/* writes: 30 of 68 GB/s claimed; latency 2.01 x; distance 3.01 instead of 2.00 */
	assert_string_equal(find_row("what firmware claims", "0 0"),
			    "0 0 68.00 0.88 68.00 0.44 80 1.25 - - OFF");
	assert_string_equal(find_row("what firmware claims", "0 1"),
			    "0 1 20.00 1.05 20.00 0.55 150 2.01 2.00 1.51 OFF");
	assert_true(says("OFF: 2 figures of the firmware are off by more than 2x"));
	assert_int_equal(count("stream"), 2 * 8);
	assert_int_equal(count("matrix"), 2);
	assert_true(says("\"kind\":\"write-nt\",\"order\":\"random\",\"mbps\":3}"));
	assert_true(says("\"latency_ps\":301000,\"hmat_read_mbps\":20000,\"hmat_write_mbps\":20000,"
			 "\"hmat_read_latency_ns\":150,\"distance\":20,\"read_off\":false,"
			 "\"write_off\":false,\"latency_off\":true,\"distance_off\":false}"));
	/* exactly twice is not more than that */
	pairs[0].write_mbps[STREAM_ALL_CORES] = 34000;
	pairs[1].latency_ps = 300000;
	begin();
	report_bandwidth(&report, &bandwidth, &lab.topology);
	assert_false(says("OFF"));
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
		.cpu = 3, .core_cycles = 2ull * HZ / 1000, .probes = 3,
		.sample = { 128, 262144, 260000, 262144, 524288, 2621 } };
	calibration.core_mbps[0] = 8000;
	calibration.nodes[1].reason = "no RAM";
	calibration.curves[0] = (struct worker_curve){
		{ { 1, 16 << 20 }, { 2, 8 << 20 }, { 3, 8 << 20 } }, 3, true };
	calibration.search_cycles = HZ / 1000;
	calibration.limit_cycles = 2ull * HZ / 1000;
	begin();
	report_calibration(&report, &calibration, &lab.topology);
	assert_string_equal(find_row("what one core", "0"), "0 3 128 8.00 8.00 1.0 200 2.000");
	assert_true(says("Node 1: not all was measured: no RAM.\n"));
	assert_string_equal(find_row("the search", "0 1"), "0 1 8.000 1.00");
	assert_string_equal(find_row("the search", "0 2"), "0 2 4.000 2.00 knee");
	assert_true(says("It took 1.000 ms; it had 2.000 ms, 5 %"));
	assert_int_equal(count("calibration"), 2);
	assert_int_equal(count("curve"), 3);
	assert_int_equal(count("search"), 1);
	calibration.curves[0].complete = false;
	calibration.curves[0].count = 2;
	begin();
	report_calibration(&report, &calibration, &lab.topology);
	assert_string_equal(find_row("the search", "0 2"), "0 2 4.000 2.00 time over");
	calibration.search_cycles = 0;
	begin();
	report_calibration(&report, &calibration, &lab.topology);
	assert_false(says("the search"));
	assert_int_equal(count("search"), 0);
}

/* cores takes 150 ms, zone 137, hmat 145.. as report_machine.h has them. */
static void rules_with_the_times_of_policies(void **state)
{
	(void)state;
	make_all_policies(5, HZ);
	worker_verdict_begin(&verdict, &facts);
	worker_verdict_add_init(&verdict, &report, &lab.results, 2);
	begin();
	report_how_many(&report, &verdict, &stores, &lab.topology);
	assert_string_equal(find_row("how many workers?", "0 quarter"), "0 quarter 4 - - -");
	assert_string_equal(find_row("how many workers?", "0 all"), "0 all 16 16 137.000 100.0");
	assert_string_equal(find_row("how many workers?", "0 cores"), "0 cores 8 16 160.000 116.8");
	assert_string_equal(find_row("how many workers?", "0 hmat"), "0 hmat 6 16 150.000 109.5");
	assert_string_equal(find_row("how many workers?", "1 hmat"),
			    "1 hmat 2 16 149.990 109.5");
	assert_string_equal(find_row("how many workers?", "0 calibrated"),
			    "0 calibrated 8 cores 16 145.000 105.8");
	assert_true(says("Node 0, hmat: 68000 MB/s for node 0's CPUs, 11200 MB/s for one core.\n"));
	assert_true(says("Node 0, calibrated: no curve was measured, the calibration says why.\n"));
	/* 160 / 137 in each run; 140 ms are within 5 % of the best */
	assert_true(says("Node 0: one worker per core takes 1.16"));
	assert_true(says("siblings help.\n"));
	assert_true(says("as rule all; no rule"));
	assert_true(says("Stores: plain; where nothing is freed in between, nt256.\n"));
	assert_int_equal(count("rule"), 12);
	assert_int_equal(count("siblings"), 2);
	assert_true(says("\"rule\":\"hmat\",\"workers\":6,\"used\":\"hmat\",\"initiator\":0,"
			 "\"node_mbps\":68000,\"core_mbps\":11200,\"ran_workers\":16,"
			 "\"median_cycles\":300000000,\"best_workers\":16,"
			 "\"best_median_cycles\":274000000}"));
}

/* Of the sweep: 8 workers are the best, beyond it takes longer: siblings are in the way. */
static void rules_with_the_times_of_a_sweep(void **state)
{
	(void)state;
	make_sweep(5, HZ);
	worker_verdict_begin(&verdict, &facts);
	worker_verdict_add_sweep(&verdict, &report, &lab.sweep, 2);
	begin();
	report_how_many(&report, &verdict, &stores, &lab.topology);
	assert_string_equal(find_row("how many workers?", "0 quarter"),
			    "0 quarter 4 4 400.200 199.9");
	assert_string_equal(find_row("how many workers?", "0 all"), "0 all 16 16 208.200 104.0");
	assert_string_equal(find_row("how many workers?", "0 cores"), "0 cores 8 8 200.200 100.0");
	assert_true(says("siblings are in the way.\n"));
	assert_true(says("Node 0: take 8 workers, as rule cores;"));
	assert_true(says("number of workers of the sweep"));
	assert_true(verdict.best[0].workers == 8);
	/* the best is that of the sweep, even if a policy was faster */
	make_all_policies(5, HZ);
	worker_verdict_begin(&verdict, &facts);
	worker_verdict_add_init(&verdict, &report, &lab.results, 2);
	worker_verdict_add_sweep(&verdict, &report, &lab.sweep, 2);
	begin();
	report_how_many(&report, &verdict, &stores, &lab.topology);
	assert_string_equal(find_row("how many workers?", "0 cores"), "0 cores 8 16 160.000 79.9");
	assert_string_equal(find_row("how many workers?", "0 quarter"),
			    "0 quarter 4 4 400.200 199.9");
}

/* With few runs nothing is claimed; with none nothing is said. */
static void too_few_runs(void **state)
{
	(void)state;
	make_all_policies(2, HZ);
	worker_verdict_begin(&verdict, &facts);
	worker_verdict_add_init(&verdict, &report, &lab.results, 2);
	begin();
	report_how_many(&report, &verdict, &stores, &lab.topology);
	assert_true(says("2 runs are too few to be sure"));
	assert_false(says("siblings help"));
	worker_verdict_begin(&verdict, &facts);
	begin();
	report_how_many(&report, &verdict, &stores, &lab.topology);
	assert_int_equal(count("siblings"), 0);
	assert_int_equal(count("rule"), 12);
	assert_false(says("take "));
}

/* Whatever the numbers, lines stay within their width. */
static void hostile_values(void **state)
{
	(void)state;
	memset(rows, 0xff, sizeof(rows));
	memset(pairs, 0xff, sizeof(pairs));
	pairs[0].initiator = pairs[0].target = pairs[1].initiator = 0;
	pairs[1].target = 1;
	memset(lab.topology.bandwidth, 0xff, sizeof(lab.topology.bandwidth));
	bandwidth.slice_us = UINT32_MAX;
	bandwidth.cycles = UINT64_MAX;
	for (uint32_t node = 0; node < 2; node++) {
		calibration.nodes[node].sample =
			(struct summary){ UINT32_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
					  UINT64_MAX, UINT64_MAX };
		calibration.nodes[node].cpu = UINT32_MAX;
		calibration.core_mbps[node] = UINT32_MAX;
		calibration.curves[node].count = WORKER_POINTS_MAX;
		for (uint32_t i = 0; i < WORKER_POINTS_MAX; i++)
			calibration.curves[node].points[i] =
				(struct worker_point){ UINT32_MAX, UINT64_MAX };
	}
	calibration.search_cycles = calibration.limit_cycles = UINT64_MAX;
	worker_verdict_begin(&verdict, &facts);
	for (uint32_t node = 0; node < 2; node++) {
		for (int rule = 0; rule < RULE_COUNT; rule++)
			verdict.times[node][rule] = (struct worker_time){
				{ UINT32_MAX, RULE_CALIBRATED,
				  "more workers still helped when the time to measure was over",
				  UINT32_MAX - 1, UINT32_MAX, UINT32_MAX },
				UINT32_MAX, UINT64_MAX };
		verdict.best[node] = (struct worker_point){ UINT32_MAX, UINT64_MAX };
		verdict.ratio_count[node] = REPEAT_MAX;
		memset(verdict.ratios[node], 0xff, sizeof(verdict.ratios[node]));
	}
	for (uint64_t hz = 0; hz <= HZ; hz += HZ) {
		lab.facts.tsc_hz = hz;
		begin();
		report_bandwidth(&report, &bandwidth, &lab.topology);
		report_calibration(&report, &calibration, &lab.topology);
		report_how_many(&report, &verdict, &stores, &lab.topology);
	}
	assert_int_equal(count("rule"), 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(bandwidths_and_claims, make),
		cmocka_unit_test_setup(calibrations, make),
		cmocka_unit_test_setup(rules_with_the_times_of_policies, make),
		cmocka_unit_test_setup(rules_with_the_times_of_a_sweep, make),
		cmocka_unit_test_setup(too_few_runs, make),
		cmocka_unit_test_setup(hostile_values, make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
