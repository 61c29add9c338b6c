/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables and records of the experiment `init` when all policies are run. */
#include "mm/init/policy.h"
#include "report/init/plans.h"
#include "report/progress.h"
#include "report/opening.h"
#include "tests/host/report_rows.h"

enum { HZ = 2000000000 };

/* Two nodes of 384 GiB with 52 CPUs each, five warm repetitions. */
static void make_all(void)
{
	make_lab(2, 52, 384 * GIB_PAGES, HZ);
	make_all_policies(5, HZ);
}

static void run_report(void)
{
	start();
	report_lab(&report, &sink);
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

static void the_cold_run_stands_apart(void **state)
{
	(void)state;
	make_all();
	run_report();
	assert_string_equal(find_row("time of the slowest node", "node"),
			    "node 5 1 1785.700 1784.700 1785.700 1786.700 0.791 17.75 3.61 1.00");
	assert_true(says("Cold run (node"));
	assert_record("{'type':'sample','policy':'node','rep':0,'scope':'run'}", "{'cold':true}");
	assert_record("{'type':'sample','policy':'node','rep':1,'scope':'run'}", "{'cold':false}");
	assert_record("{'type':'result','policy':'node','scope':'run'}",
		      "{'cold_cycles':7146800000}");
	assert_unsaid("{'type':'result','policy':'zone','scope':'run','experiment':'init'}",
		      "cold_cycles");
	/* Nothing but the cold run: no statistics. */
	lab.results.run_count = lab.results.policy_count = 1;
	lab.results.node_count = lab.topology.node_count;
	run_report();
	assert_string_equal(find_row("time of the slowest node", "node"),
			    "node 0 1 - - - - - - - -");
	assert_int_equal(count("result"), 0);
}

static void stores_are_named(void **state)
{
	(void)state;
	make_all();
	run_report();
	assert_record("{'type':'plan','policy':'ktask','node':0}", "{'store':'nt128'}");
	assert_record("{'type':'plan','policy':'zone','node':0}", "{'store':'nti'}");
	assert_record("{'type':'sample','policy':'ktask','rep':1,'scope':'run'}",
		      "{'store':'nt128'}");
}

/* serial: 3 s for the 2 x 100630462 pages of both nodes. lazy stores nearly nothing. */
static void rates_of_policies(void **state)
{
	(void)state;
	make_all();
	run_report();
	assert_string_equal(find_row("time of the slowest node", "serial"),
			    "serial 5 1 3000.000 2999.000 3000.000 3001.000 0.791 14.91 4.29 0.60");
	assert_string_equal(find_row("time of the slowest node", "lazy"),
			    "lazy 5 52 4.000 3.000 4.000 5.000 0.791 0.04 - 446.43");
	lab.options.page_size = lab.results.page_size = 32;
	run_report();
	assert_string_equal(cell("time of the slowest node", "zone", "ns/page"), "1.36");
	assert_string_equal(cell("time of the slowest node", "zone", "GB/s"), "23.50");
	assert_record("{'type':'result','policy':'zone','scope':'run','experiment':'init'}",
		      "{'descriptor_bytes':32}");
	assert_record("{'type':'result','policy':'zone','node':1,'scope':'node'}",
		      "{'descriptor_bytes':32}");
}

static void one_run_has_no_deviation(void **state)
{
	(void)state;
	make_all();
	make_all_policies(1, HZ);
	run_report();
	assert_string_equal(find_row("time of the slowest node", "node"),
			    "node 1 1 1784.700 1784.700 1784.700 1784.700 - 17.74 3.61 1.00");
	assert_record("{'type':'result','policy':'node','scope':'run'}",
		      "{'stddev_cycles':0,'speedup_milli':1000}");
}

/* They are named, with the limit; which these are is tested with the summaries. */
static void what_is_not_to_be_quoted(void **state)
{
	(void)state;
	make_all();
	run_report();
	assert_true(says(" 5 % of the mean: lazy: do not quote\n"));
	assert_false(says(" 1 % of the median: "));
	warm_run(POLICY_NODE)->cycles += 420000000;
	lab.topology.cpus[7].tsc_bounded = true;
	lab.topology.cpus[7].tsc_high = 80001;
	run_report();
	assert_true(says(" 5 % of the mean: node, lazy: do not quote\n"));
	assert_true(says(" 1 % of the median: lazy: do not quote\n"));
}

static void passes_and_early_part(void **state)
{
	(void)state;
	make_all();
	run_report();
	assert_string_equal(find_row("outside that clock", "ktask"),
			    "ktask 104 0.101 0.102 65668 2.000 30.46 1.000 15.23");
	assert_string_equal(cell("outside that clock", "ktask", "waking|max ms"), "0.102");
	assert_true(says("Inside the clock, ktask: "));
	assert_false(says("Inside the clock, padata"));
	assert_record("{'type':'result','policy':'ktask','scope':'run'}",
		      "{'first_pass_median_cycles':300000000"
		      ",'early_free_median_cycles':2000000}");
	assert_record("{'type':'sample','policy':'ktask','rep':3,'scope':'run'}",
		      "{'first_pass_cycles':300000000}");
	assert_unsaid("{'type':'sample','policy':'padata','rep':1,'scope':'run'}",
		      "first_pass_cycles");
}

static void nodes_side_by_side(void **state)
{
	(void)state;
	make_all();
	run_report();
	assert_string_equal(find_row("medians of every node", "1"),
			    "1 1785.690 2999.990 199.990 137.990 136.990 3.990");
	assert_string_equal(find_row("node      async", "1"),
			    "1 150.990 159.990 149.990 144.990 139.990 zone 1.36 13.04");
	assert_false(says("node by node"));
	assert_int_equal(count("best"), 2);
	assert_record("{'type':'best','node':1}",
		      "{'policy':'zone','workers':52,'pages':100630462"
		      ",'median_cycles':273980000}");
	lab.options.verbose = true;
	run_report();
	for (int policy = 0; policy < POLICY_COUNT; policy++) {
		char heading[64];

		snprintf(heading, sizeof(heading), "policy %s, node by node",
			 policy_name((enum policy)policy));
		assert_true(says(heading));
	}
	assert_string_equal(find_row("policy zone, node by node", "1"),
			    "1 100630462 52 273980000 136.990 135.990 136.990 137.990 0.791 1.36 "
			    "13.04");
}

/* One policy is the best of a node only if it is as fair as the others, whatever its time. */
static void a_node_without_the_others(void **state)
{
	(void)state;
	make_all();
	for (uint32_t i = 0; i < lab.results.node_count; i++)
		if (lab.results.nodes[i].node == 1 &&
		    lab.results.nodes[i].policy != POLICY_SERIAL &&
		    lab.results.nodes[i].policy != POLICY_LAZY)
			lab.results.nodes[i].node = 0;
	run_report();
	assert_string_equal(find_row("medians of every node", "1"),
			    "1 - 2999.990 - - - 3.990");
	assert_int_equal(count("best"), 1);
}

static void plans_share_tables(void **state)
{
	(void)state;
	make_all();
	lab.plans[POLICY_ZONE].nodes[1].worker_count = 7;
	lab.plans[POLICY_ZONE].jobs[1].job.exact_chunk = 1024;
	run_report();
	assert_string_equal(find_row("plan: who does", "padata"), "padata 52 1 1920");
	assert_string_equal(find_row("plan: who does", "zone"), "zone 7 to 52 1 4 to 1920");
	assert_string_equal(find_row("under every policy", "1"),
			    "1 32834 100630462 100663230 64 2");
	assert_false(says("plan, policy"));
	assert_int_equal(count("plan"), 2 * POLICY_COUNT);
	lab.plans[POLICY_ASYNC].nodes[1].early_pages++;
	run_report();
	assert_false(says("plan: who does"));
	assert_string_equal(find_row("plan, policy async", "1"),
			    "1 52 1 1920 32835 100630462 100663230 64 2");
}

static void lazy_against_first_use(void **state)
{
	(void)state;
	make_all();
	run_report();
	/* 196543 blocks x 1023 pages in a second; 201326460 pages in two and in three. */
	assert_string_equal(find_row("policy lazy:", "node"),
			    "node 1785.700 3 - - - 201326460 2000.000 9.93 3785.700");
	assert_string_equal(find_row("policy lazy:", "lazy"),
			    "lazy 4.000 3 196543 1000.000 4.97 201326460 3000.000 14.90 3004.000");
	assert_int_equal(count("lazy"), 6);
	assert_record("{'type':'lazy','policy':'lazy','rep':1}",
		      "{'cycles':6000000,'filled_blocks':196543,'fill_cycles':1000000000"
		      ",'first_use_pages':201326460,'first_use_cycles':5000000000}");
	assert_record("{'type':'result','experiment':'lazy','policy':'node','scope':'first_use'}",
		      "{'count':3,'median_cycles':4000000000}");
	make_lab(2, 52, 384 * GIB_PAGES, HZ);
	run_report();
	assert_false(says("policy lazy"));
	assert_int_equal(count("lazy"), 0);
}

static void async_and_its_latencies(void **state)
{
	(void)state;
	make_all();
	run_report();
	assert_string_equal(find_row("policy async: the boot", "3"),
			    "3 30000 151.000 1000 3 50 120 35000 65000");
	assert_true(says("All done, medians: async 151.000 ms"));
	assert_string_equal(find_row("latency of one", "64"), "64 32 64 1250 25.0 25.0 ########");
	assert_string_equal(find_row("latency of one", "65536"), "65536 32768 65536 50 1.0 100.0 "
								 "#");
	assert_false(has_row("latency of one", "256"));
	assert_int_equal(count("async"), 5);
	assert_int_equal(count("latency"), 15);
	assert_record("{'type':'latency','policy':'async','rep':5,'log2_cycles':16}",
		      "{'allocations':10}");
	assert_record("{'type':'result','experiment':'async'}", "{'count':5,'p99_cycles':70000}");
	for (uint32_t i = 0; i < lab.results.run_count; i++)
		if (lab.results.runs[i].policy == POLICY_ASYNC)
			lab.results.runs[i].async = (struct async_sample){ .degraded = true };
	run_report();
	assert_string_equal(find_row("policy async: the boot", "3"), "3 - 151.000 0 0 - - - -");
	assert_true(says("needed as a worker"));
	assert_false(says("latency of one"));
	assert_record("{'type':'async','rep':3}", "{'degraded':true,'p99_cycles':0}");
}

static void disturbance_is_shown_or_denied(void **state)
{
	struct run_sample *run;

	(void)state;
	make_all();
	run_report();
	assert_true(says("what disturbed the runs: the TSC is invariant\n"));
	assert_false(has_row("what disturbed", "zone"));
	assert_unsaid("{'type':'sample','policy':'zone','rep':1,'scope':'run'}",
		      "smi");
	run = warm_run(POLICY_ZONE);
	for (uint32_t i = 0; i < lab.results.run_count; i++)
		if (lab.results.runs[i].policy == POLICY_ZONE)
			lab.results.runs[i].smi = 0;
	run->smi = 3;
	run->aperf = 3000000;
	run->mperf = 2000000;
	lab.facts.tsc_invariant = false;
	run_report();
	assert_string_equal(find_row("what disturbed", "zone"), "zone 5 3 1 150.0 150.0 150.0");
	assert_string_equal(find_row("what disturbed", "lazy"), "lazy 5 - - - - -");
	assert_false(says("the TSC is invariant"));
	assert_record("{'type':'sample','policy':'zone','rep':1,'scope':'run'}",
		      "{'smi':3,'aperf_cycles':3000000,'mperf_cycles':2000000}");
}

static void clocks_of_other_cpus(void **state)
{
	(void)state;
	make_all();
	run_report();
	assert_false(says("time stamp counters"));
	for (uint32_t i = 1; i < lab.topology.cpu_count; i++)
		lab.topology.cpus[i].tsc_bounded = true;
	lab.topology.cpus[1].tsc_low = -300;
	lab.topology.cpus[1].tsc_high = 20;
	run_report();
	assert_true(says("time stamp counters: 103 other CPUs, each within 300 cycles (150 ns) of "
			 "the boot CPU (upper bound)\n"));
	assert_false(says("TSC offset bound"));
	json_decref(find_record("{'type':'cpu','tsc_low_cycles':-300,'tsc_high_cycles':20}"));
	assert_false(says("keep pace"));
	lab.topology.cpus[2].tsc_low = INT64_MAX;
	lab.topology.cpus[2].tsc_high = INT64_MIN;
	run_report();
	assert_true(says("within 9223372036854775808 cycles (4611686018427.388 ms)"));
	assert_true(says("TSC offset bound above 1 % of the median: node, ktask, padata, zone, "
			 "lazy, async, cores, hmat,\n    calibrated, auto: do not quote\n"));
	assert_true(says("1 of them do not keep pace"));
}

/* One line for each; that each is found on its own is tested with the verdicts. */
static void allocator_faults_are_named(void **state)
{
	struct run_sample *run;
	int faults = 0;

	(void)state;
	make_all();
	run_report();
	assert_string_equal(find_row("page allocator after", "zone"),
			    "zone 5/5 201326460 201326460 201326460 393216 393216 201326460 "
			    "201326460");
	assert_true(says("56 of 56 runs: free = managed = expected"));
	assert_false(says("FAULT"));
	run = warm_run(POLICY_ZONE);
	run->allocator.census.faults = 2;
	run->allocator.census.first_bad_pfn = 0x12345;
	run->allocator.census.managed_pages--;
	run->allocator.pageblocks--;
	run->allocator.typed_twice = 4;
	run->allocator.poison_reads = 5;
	run->allocator.double_frees = 6;
	run->allocator.taken_twice[0] = 7;
	run->allocator.restored[1] = false;
	run_report();
	for (const char *line = strstr(output, "FAULT: zone, run 1: "); line;
	     line = strstr(line + 1, "FAULT: zone, run 1: "))
		faults++;
	assert_int_equal(faults, 7);
	assert_string_equal(find_row("page allocator after", "zone"),
			    "zone 4/5 201326460 201326460 201326460 393216 393216 - -");
	assert_true(says("55 of 56 runs: free"));
	assert_record("{'type':'allocator','policy':'zone','rep':1}",
		      "{'good':false,'managed_pages':201326459,'list_faults':2,'bad_pfn':74565"
		      ",'order0_taken_twice':7,'order0_restored':true"
		      ",'order10_restored':false}");
	assert_record("{'type':'allocator','policy':'zone','rep':2}", "{'good':true}");
	assert_unsaid("{'type':'allocator','policy':'zone','rep':2}",
		      "bad_pfn");
	assert_unsaid("{'type':'allocator','policy':'zone','rep':2}", "order0_taken_pages");
}

/* inject=page: the run failed before all memory was taken, and there is no other. */
static void a_fault_elsewhere_is_no_praise(void **state)
{
	struct run_sample *run;

	(void)state;
	make_all();
	lab.results.run_count = 1;
	lab.results.verified = false;
	run = &lab.results.runs[0];
	run->allocator.exercised = run->good = false;
	run->totals.mismatches = 1;
	run->totals.first_bad_pfn = 0x12345;
	run->totals.first_bad_field = "node";
	run_report();
	assert_true(says("FAULT: node, run 0: "));
	assert_record("{'type':'verify','policy':'node'}", "{'bad_field':'node'}");
	assert_string_equal(find_row("page allocator after", "zone"), "zone 0/0 - - - - - - -");
	assert_false(says("1 of 1 runs: free"));
}

/* A check of the laboratory's own that failed is not passed over. */
static void no_fault_stays_unsaid(void **state)
{
	(void)state;
	make_all();
	warm_run(POLICY_NODE)->good = false;
	run_report();
	assert_true(says("FAULT: node, run 1: "));
	make_all();
	lab.results.growth = (struct init_growth){ true, POLICY_ZONE, 96, 65536, false };
	run_report();
	assert_true(says("them: FAULT"));
	assert_record("{'type':'growth','policy':'zone'}", "{'grown_pages':65536}");
	assert_record("{'type':'growth'}", "{'allocated_blocks':96,'good':false}");
}

static void small_descriptors_have_no_allocator(void **state)
{
	(void)state;
	make_all();
	lab.options.page_size = lab.results.page_size = 16;
	lab.results.init_only = true;
	for (uint32_t i = 0; i < lab.results.run_count; i++)
		lab.results.runs[i].allocator = (struct allocator_sample){ 0 };
	run_report();
	assert_false(has_row("page allocator", "zone"));
	assert_true(says("56 of 56 runs verified"));
	assert_int_equal(count("allocator"), 0);
	assert_false(says("FAULT"));
	assert_string_equal(find_row("time of the slowest node", "lazy"),
			    "lazy 5 52 4.000 3.000 4.000 5.000 0.791 0.04 402.52 446.43");
	assert_string_equal(find_row("outside that clock", "zone"),
			    "zone 104 0.101 0.102 65668 2.000 30.46 - -");
	assert_int_equal(count("lazy") + count("async") + count("latency"), 0);
	assert_false(says("policy lazy:"));
	assert_false(says("one struct page in"));
}

static void progress_comes_every_two_seconds(void **state)
{
	(void)state;
	make_all();
	start();
	report_open(&report, &sink, &lab.options);
	report_progress(&report, "policy zone", 3, 36, 1000ull * HZ);
	assert_int_equal(output_length, 0);
	report.tsc_hz = HZ;
	report_progress(&report, "policy node", 0, 36, 1000ull * HZ);
	report_progress(&report, "policy zone", 1, 36, 1001ull * HZ);
	assert_int_equal(output_length, 0);
	report_progress(&report, "policy lazy", 2, 36, 1002ull * HZ);
	report_progress(&report, "policy async", 3, 36, 1003ull * HZ);
	report_progress(&report, "policy ktask", 12, 36, 1005ull * HZ);
	assert_string_equal(output, "running: policy lazy, run 3 of 36, 2 s, about 34 s left\n"
				    "running: policy ktask, run 13 of 36, 5 s, about 10 s left\n");
	report_progress(&report, "sweep", 0, 7, 5000ull * HZ);
	report_progress(&report, "a clock that was set back", 1, 7, 0);
	report_progress(&report, "more than there are", 9, 7, UINT64_MAX);
	assert_true(says("more than there are, run 10 of 7, "));
	assert_false(says("set back"));
}

/* The largest numbers everywhere, and no clock: lines and records stay whole. */
static void hostile_values(void **state)
{
	(void)state;
	for (int verbose = 0; verbose < 2; verbose++) {
		make_all();
		for (uint32_t i = 0; i < lab.results.run_count; i++) {
			struct run_sample *run = &lab.results.runs[i];

			memset(&run->allocator, 0xff, sizeof(run->allocator));
			run->allocator.exercised = run->allocator.restored[0] = true;
			run->allocator.restored[1] = false;
			memset(&run->lazy, 0xff, sizeof(run->lazy));
			memset(&run->async, 0xff, sizeof(run->async));
			run->async.degraded = false;
			run->cycles = run->pages = run->first_pass_cycles = UINT64_MAX;
			run->early_cycles = run->early_free_cycles = UINT64_MAX;
			run->smi = run->aperf = run->mperf = UINT64_MAX - 1;
		}
		lab.results.growth =
			(struct init_growth){ true, POLICY_ASYNC, UINT64_MAX, UINT64_MAX, true };
		make_sweep(2, HZ);
		for (uint32_t i = 0; i < lab.sweep.sample_count; i++)
			lab.sweep.samples[i].cycles = lab.sweep.samples[i].pages = UINT64_MAX - i;
		lab.sweep.steps[0].chunk_pages = UINT64_MAX;
		lab.sweep.steps[1].workers = UINT32_MAX;
		lab.options.verbose = verbose;
		lab.facts.tsc_hz = (uint64_t)verbose;
		run_report();
		assert_int_equal(count("allocator"), lab.results.run_count);
		assert_int_equal(count("async"), 5);
		assert_int_equal(count("latency"), 5 * 64);
		assert_false(says("\"truncated\""));
	}
}

/* Node 2 has no CPUs: of its four workers three are node 0's, one is node 1's. */
static void who_shares_a_node(void **state)
{
	static struct init_visit visits[] = { { 0, 0, 0 }, { 0, 2, 1 }, { 1, 2, 0 }, { 2, 2, 2 },
					      { 3, 1, 0 }, { 3, 2, 3 } };
	static struct init_plan plan;
	struct init_results results = { .policies = { POLICY_AUTO }, .policy_count = 1,
					.plans = { &plan } };

	(void)state;
	make_lab(3, 4, GIB_PAGES, HZ);
	plan.visits = visits;
	plan.visit_count = 6;
	lab.topology.node_count = 3;
	for (uint32_t node = 0; node < 3; node++)
		plan.nodes[node] = (struct init_node){ .deferred_pages = 9, .worker_count = 1 };
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		lab.topology.cpus[cpu].node = cpu == 3;
	start();
	report_open(&report, &sink, &lab.options);
	report_plans(&report, &results, &lab.topology);
	assert_string_equal(find_row("plan, policy auto: who shares the nodes without CPUs", "2"),
			    "2 0 3");
	assert_record("{'type':'lent','policy':'auto','node':2,'from':1}", "{'workers':1}");
	assert_int_equal(count("lent"), 2);
	results.policies[0] = POLICY_CALIBRATED; /* its adopters are told in the records alone */
	start();
	report_open(&report, &sink, &lab.options);
	report_plans(&report, &results, &lab.topology);
	assert_false(says("who shares"));
	assert_int_equal(count("lent"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cold_run_stands_apart),
		cmocka_unit_test(stores_are_named),
		cmocka_unit_test(rates_of_policies),
		cmocka_unit_test(one_run_has_no_deviation),
		cmocka_unit_test(what_is_not_to_be_quoted),
		cmocka_unit_test(passes_and_early_part),
		cmocka_unit_test(nodes_side_by_side),
		cmocka_unit_test(a_node_without_the_others),
		cmocka_unit_test(plans_share_tables),
		cmocka_unit_test(lazy_against_first_use),
		cmocka_unit_test(async_and_its_latencies),
		cmocka_unit_test(disturbance_is_shown_or_denied),
		cmocka_unit_test(clocks_of_other_cpus),
		cmocka_unit_test(allocator_faults_are_named),
		cmocka_unit_test(a_fault_elsewhere_is_no_praise),
		cmocka_unit_test(no_fault_stays_unsaid),
		cmocka_unit_test(small_descriptors_have_no_allocator),
		cmocka_unit_test(progress_comes_every_two_seconds),
		cmocka_unit_test(hostile_values),
		cmocka_unit_test(who_shares_a_node),
	};

	return cmocka_run_group_tests_name("report_policies", tests, NULL, NULL);
}
