/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report, for machines from one node to 256 and numbers up to the largest there are. With an
 * argument it prints the report of one machine (1: small, 2: large, 3: with faults) for a person.
 */
#include "experiments/table.h"
#include "report/opening.h"
#include "tests/host/report_rows.h"

/* How many records there must be of every type, and the `end` that counts them. */
static void check_counts(void)
{
	int nodes = (int)lab.topology.node_count, cpus = (int)lab.topology.cpu_count;

	assert_int_equal(count("run"), 1);
	assert_int_equal(count("range"), lab.map.count);
	assert_int_equal(count("ram"), lab.topology.ram_count);
	assert_int_equal(count("node"), nodes);
	assert_int_equal(count("cpu"), cpus);
	assert_int_equal(count("distance"), nodes * nodes);
	assert_int_equal(count("bandwidth"), nodes > 1 && nodes <= 64 ? nodes * nodes : 0);
	assert_int_equal(count("memmap"), 1);
	assert_int_equal(count("plan"), (int)lab.results.policy_count * nodes);
	assert_int_equal(count("sample"), lab.results.run_count + lab.results.node_count +
						  lab.results.cpu_count + lab.sweep.sample_count);
	/* First use under lazy and node; the medians of async. */
	assert_int_equal(count("result"),
			 ((int)lab.results.policy_count + (int)lab.sweep.step_count) * (nodes + 1) +
				 (lab.results.policy_count == POLICY_COUNT ? 3 : 0));
	assert_int_equal(count("knee"), lab.sweep.step_count ? nodes : 0);
	assert_int_equal(count("best"), nodes);
	assert_int_equal(count("allocator"), lab.results.run_count);
	assert_int_equal(count("verify"), lab.results.run_count);
	assert_int_equal(count("phase"), 6);
	assert_int_equal(count("verdict"), 1);
	assert_int_equal(count("end"), 1);
	assert_string_equal(json_string_value(json_object_get(last, "type")), "end");
	assert_int_equal((int)json_number_value(json_object_get(last, "records")), record_count);
	assert_int_equal(strncmp(strstr(output, "\n@{"), "\n@{\"seq\":0,\"type\":\"run\"", 23), 0);
}

static void machines_of_every_size(void **state)
{
	static const struct {
		uint32_t nodes, cpus;
		uint64_t pages;
	} machines[] = {
		{ 1, 1, 1 * GIB_PAGES },
		{ 2, 2, 2 * GIB_PAGES },
		{ 8, 36, 128 * GIB_PAGES },
		{ 13, 4, 4 * GIB_PAGES },
		{ 41, 4, GIB_PAGES },
		{ 64, 16, 1024 * GIB_PAGES },
		{ 256, 4, 256 * GIB_PAGES },
		{ 1, 4096, 65536 * GIB_PAGES },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		make_lab(machines[i].nodes, machines[i].cpus, machines[i].pages, 2400000000);
		start();
		report_lab(&report, &sink);
		check_counts();
		make_all_policies(1, 2400000000);
		make_sweep(1, 2400000000);
		start();
		report_lab(&report, &sink);
		check_counts();
	}
}

/* Longer, and as wide: nothing is left out then. */
static void verbose_shows_everything(void **state)
{
	(void)state;
	make_lab(41, 4, GIB_PAGES, 2400000000);
	start();
	report_lab(&report, &sink);
	assert_true(says("too many for a matrix"));
	assert_true(says("... and 1 more nodes"));
	assert_false(says("\n     40 "));
	lab.options.verbose = true;
	start();
	report_lab(&report, &sink);
	check_counts();
	assert_false(says("more nodes"));
	assert_true(says("\n     40 "));
	assert_true(says("APIC id"));
	assert_true(says("run by run"));
}

/* Without records the text for people is the same, and nothing else is there. */
static void records_off(void **state)
{
	char *text;

	(void)state;
	make_lab(2, 4, 4 * GIB_PAGES, 2400000000);
	start();
	report_lab(&report, &sink);
	text = calloc(1, output_length + 1);
	for (char *line = strtok(output, "\n"); line; line = strtok(NULL, "\n"))
		if (line[0] != '@')
			strcat(strcat(text, line), "\n");
	lab.options.records = false;
	start();
	report_lab(&report, &sink);
	assert_int_equal(record_count, 0);
	assert_null(strchr(output, '@'));
	for (char *line = strtok(output, "\n"), *at = text; line; line = strtok(NULL, "\n")) {
		assert_int_equal(strncmp(at, line, strlen(line)), 0);
		at += strlen(line) + 1;
		if (!*at)
			assert_null(strtok(NULL, "\n"));
	}
	free(text);
}

/* Two nodes of 384 GiB in 1785.7 ms with one worker, 138.0 ms with 52: the published ratios. */
static void figures_of_the_field(void **state)
{
	(void)state;
	make_lab(2, 52, 384 * GIB_PAGES, 2000000000);
	start();
	report_lab(&report, &sink);
	assert_string_equal(find_row("time of the slowest node", "node"),
			    "node 5 1 1785.700 1784.700 1785.700 1786.700 0.791 17.75 3.61 1.00");
	assert_string_equal(find_row("time of the slowest node", "padata"),
			    "padata 5 52 138.000 137.000 138.000 139.000 0.791 1.37 46.67 12.94");
	assert_string_equal(find_row("policy padata, node by node", "1"),
			    "1 100630462 52 275980000 137.990 136.990 137.990 138.990 0.791 1.37 "
			    "12.94");
	assert_string_equal(find_row("outside that clock", "padata"),
			    "padata 104 0.101 0.102 65668 2.000 30.46 1.000 15.23");
	assert_string_equal(find_row("nodes: 2", "1"), "1 2 52 52 26 393215 -");
	assert_string_equal(find_row("distances", "1"), "1 21 10");
	assert_string_equal(find_row("bandwidths", "1"), "1 0 64000 64000 139 139");
	assert_string_equal(find_row("memmap: ", "0"), "0 3072 100663296 6144 3071 1");
	/* 3,071 deferred sections / (52 workers x 4) = 14.8: chunks of 15 sections of 128 MiB. */
	assert_string_equal(find_row("plan, policy padata", "0"),
			    "0 52 1 1920 32834 100630462 100663230 64 2");
	assert_true(says("11 of 11 runs verified"));
	assert_true(says("packages 2, cores 52, threads 104"));
	assert_true(says("38 cycles, 19.0 ns"));
}

static void chunks_are_of_the_nodes_own_largest_job(void **state)
{
	struct init_plan *plan = &lab.plans[POLICY_PADATA];

	(void)state;
	make_lab(2, 4, 64 * GIB_PAGES, 2400000000);
	plan->jobs[1].job.size = 32 * 32768;
	start();
	report_lab(&report, &sink);
	assert_string_equal(find_row("plan, policy padata", "0"),
			    "0 4 1 4096 32834 16744382 16777150 64 2");
	assert_string_equal(find_row("plan, policy padata", "1"),
			    "1 4 1 256 32834 16744382 16777150 64 2");
	plan->nodes[0].job_count = 2;
	plan->nodes[1].job_count = 0;
	start();
	report_lab(&report, &sink);
	assert_string_equal(find_row("plan, policy padata", "0"),
			    "0 4 2 4096 32834 16744382 16777150 64 2");
	assert_string_equal(find_row("plan, policy padata", "1"),
			    "1 4 0 0 32834 16744382 16777150 64 2");
}

static void faults_are_named(void **state)
{
	struct run_sample *runs;

	(void)state;
	make_lab(2, 2, 2 * GIB_PAGES, 2400000000);
	runs = lab.results.runs;
	lab.results.verified = false;
	runs[2].totals.mismatches = 17;
	runs[2].totals.first_bad_pfn = 0x12345;
	runs[2].totals.first_bad_field = "zone";
	runs[1].tiled = false;
	runs[1].bad_pfn = 0x98000;
	runs[3].totals.pages[FRAME_HOLE]++;
	runs[4].timed_out = true;
	start();
	report_lab(&report, &sink);
	assert_record("{'type':'verify','policy':'padata','rep':1}",
		      "{'mismatches':17,'bad_pfn':74565,'bad_field':'zone'}");
	assert_record("{'type':'verify','policy':'node','rep':1}",
		      "{'tiled':false,'bad_pfn':622592,'bad_field':'claim'}");
	assert_record("{'type':'verify','policy':'padata','rep':2}", "{'timed_out':true}");
	assert_true(has_row("verification of every", "node, run 2"));
	assert_string_equal(cell("verification of every", "padata, run 1", "mismatches"), "17");
	assert_true(says("padata, run 1: 17 "));
	assert_true(says("node, run 1: pfn 0x98000 "));
	assert_true(says("FAULT: node, run 2: "));
	assert_true(says("FAULT: padata, run 2: "));
	assert_true(says("7 of 11 runs verified"));
	assert_true(says("verdict: fault: "));
	assert_string_equal(json_string_value(json_object_get(last, "verdict")), "fault");
	assert_int_equal(count("verify"), 11);
	assert_int_equal(find_row("time of the slowest node", "padata")[7], '4');
}

/* The largest numbers that the structs can hold, bytes of any value, and no clock: still lines. */
static void hostile_values(void **state)
{
	char text[1024];

	(void)state;
	make_lab(2, 2, 2 * GIB_PAGES, 2400000000);
	for (int i = 0; i < 1023; i++)
		text[i] = (char)(i % 255 + 1);
	text[1023] = '\0';
	lab.facts.loader = lab.facts.cmdline = text;
	lab.facts.tsc_hz = 0;
	lab.facts.overhead_cycles = UINT64_MAX;
	memset(lab.plans[0].nodes, 0xff, sizeof(lab.plans[0].nodes[0]));
	lab.plans[0].nodes[0].job_count = lab.plans[0].nodes[0].first_job = 0;
	memset(&lab.results.expected.pages, 0xff, sizeof(lab.results.expected.pages));
	memset(&lab.topology.bandwidth[0][0], 0xff, sizeof(lab.topology.bandwidth[0][0]));
	lab.phases[3].end_tsc = UINT64_MAX;
	lab.phases[4].end_tsc = 0;
	for (uint32_t i = 0; i < lab.results.node_count; i++)
		lab.results.nodes[i].cycles = lab.results.nodes[i].pages = UINT64_MAX - i;
	for (uint32_t i = 0; i < lab.results.run_count; i++)
		lab.results.runs[i].cycles = lab.results.runs[i].early_pages = UINT64_MAX - i;
	for (int verbose = 0; verbose < 2; verbose++) {
		lab.options.verbose = verbose;
		lab.facts.tsc_hz = (uint64_t)verbose;
		start();
		report_lab(&report, &sink);
		check_counts();
		assert_true(says("\"truncated\":true"));
	}
}

/* A machine on which nothing could be measured. */
static void no_results(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	lab.results.run_count = lab.results.node_count = lab.results.cpu_count = 0;
	start();
	report_lab(&report, &sink);
	assert_true(says("0 of 0 runs verified"));
	assert_int_equal(count("result"), 0);
}

/* Too little RAM to defer any: a sentence instead of tables of zeroes. */
static void nothing_deferred(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	lab.results.node_count = lab.results.cpu_count = 0;
	lab.plans[POLICY_NODE].deferred_pages = 0;
	start();
	report_lab(&report, &sink);
	assert_false(says("nothing was deferred"));
	lab.plans[POLICY_PADATA].deferred_pages = 0;
	start();
	report_lab(&report, &sink);
	assert_true(says("nothing was deferred"));
	assert_false(says("time of the slowest node"));
}

static void print(void *context, const char *text, size_t length)
{
	(void)context;
	fwrite(text, 1, length, stdout);
}

static int show(int which)
{
	const struct sink to_stdout = { .write = print };

	if (which == 2)
		make_lab(16, 36, 768 * GIB_PAGES, 2100000000);
	else
		make_lab(2, 2, 2 * GIB_PAGES, 2400000000);
	if (which == 2) {
		make_all_policies(5, 2100000000);
		make_sweep(5, 2100000000);
	}
	if (which == 3) {
		options_parse("foo=1 threads=0 verbose", false, &experiment_words, &lab.options);
		lab.results.runs[2].totals.mismatches = 17;
		lab.results.runs[2].totals.first_bad_pfn = 0x12345;
		lab.results.runs[2].totals.first_bad_field = "zone";
		lab.results.verified = false;
		lab.topology.cpus[3].online = false;
		anomaly_add(&lab.log, "SRAT", 0x118, "length below the header", 1);
	}
	report_lab(&report, &to_stdout);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_of_every_size),
		cmocka_unit_test(verbose_shows_everything),
		cmocka_unit_test(records_off),
		cmocka_unit_test(figures_of_the_field),
		cmocka_unit_test(chunks_are_of_the_nodes_own_largest_job),
		cmocka_unit_test(faults_are_named),
		cmocka_unit_test(hostile_values),
		cmocka_unit_test(no_results),
		cmocka_unit_test(nothing_deferred),
	};

	if (argc > 1)
		return show(atoi(argv[1]));
	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
