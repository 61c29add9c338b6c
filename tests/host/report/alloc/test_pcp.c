/* SPDX-License-Identifier: GPL-2.0-only */
/* The experiment `pcp` as it is told: tables, counters, records. */
#include "report/alloc/pcp.h"
#include "report/alloc/pcp_fields.h"
#include "report/opening.h"
#include "tests/host/report_records.h"
#include "tests/host/pcp_results.h"

#define BY_ORDER "one CPU, by order"
#define PARALLEL "several CPUs at the same time, single pages"
#define EVERY_ORDER "several CPUs at the same time, all orders"

static void run_report(void)
{
	make_lab(1, 1, GIB_PAGES, HZ);
	start();
	report_open(&report, &sink, &lab.options);
	report_run(&report, &lab.facts, &lab.options);
	report_pcp(&report, &results);
}

static void tables_and_published_figures(void **state)
{
	(void)state;
	make_up(PCP_COUNT);
	run_report();
	assert_true(says("700 to 2000 us"));
	assert_true(has_row(BY_ORDER, "order none order0 high merged trylock owned published"));
	assert_true(has_row(BY_ORDER, "0 102 202 302 402 502 602 272 231"));
	assert_true(has_row(BY_ORDER, "9 52224 103424 154624 205824 257024 308224 8398 6790"));
	assert_true(has_row("the same per 4 KiB",
			    "9 102.0 202.0 302.0 402.0 502.0 602.0 16.4 13.3"));
	assert_true(has_row("the same per 4 KiB", "10 102.0 202.0 302.0 402.0 502.0 602.0 - -"));
	assert_true(has_row("one CPU, so many single pages allocated",
			    "1024 102 202 302 402 502 602"));
	/* single pages on one CPU, on several of a node, and of several nodes */
	assert_true(has_row(PARALLEL, "0 1 one 102 202 302 402 502 602 274 246"));
	assert_true(has_row(PARALLEL, "0 8 one 102 202 302 402 502 602 620 399"));
	assert_true(has_row(PARALLEL, "0 8 all 102 202 302 402 502 602 - -"));
	assert_true(has_row("likewise, order 3", "3 2 all 816 1616 2416 3216 4016 4816"));
	assert_false(has_table(EVERY_ORDER));
	assert_false(has_table("one CPU, order 0\n"));
	/* 10000 pairs; in a ring each side does one half */
	assert_true(has_row("8 CPUs of all nodes, order 3\n",
			    "high 95.0 6.0 0.0 0.0 1800.0 1.5 12.3"));
	assert_true(has_row("2 pairs of all nodes, order 0\n",
			    "high 95.0 3.0 0.0 0.0 900.0 0.8 6.2"));
}

static void every_order_if_verbose(void **state)
{
	(void)state;
	make_up(2);
	make_lab(1, 1, GIB_PAGES, HZ);
	lab.options.verbose = true;
	start();
	report_open(&report, &sink, &lab.options);
	report_run(&report, &lab.facts, &lab.options);
	report_pcp(&report, &results);
	assert_true(has_row(EVERY_ORDER, "4 2 all 1632 3232"));
	assert_true(has_table("one CPU, order 0\n"));
}

static void records(void **state)
{
	(void)state;
	make_up(PCP_COUNT);
	run_report();
	assert_int_equal(count("sample"), results.cell_count * REPEAT);
	assert_int_equal(count("result"), results.cell_count * PCP_COUNT);
	assert_record("{'type':'sample','bench':'page_bench03','place':'across','workers':8,"
		      "'order':1,'rep':4}",
		      "{'experiment':'pcp','scope':'bench','batch':1,'none_operations':1000,"
		      "'none_cycles':208000,'order0_operations':1000,'order0_cycles':408000,"
		      "'owned_cycles':1208000}");
	assert_record("{'type':'result','bench':'page_bench01','order':0,'way':'high'}",
		      "{'experiment':'pcp','scope':'bench','place':'node','workers':1,'batch':1,"
		      "'pcp':'high','count':5,'mean_millicycles':302000,"
		      "'min_millicycles':300000,'median_millicycles':302000,"
		      "'max_millicycles':304000,'stddev_millicycles':1581,"
		      "'fastest_worker_millicycles':297000,'slowest_worker_millicycles':307040,"
		      "'allocations':10000,'frees':10000,'hits':19000,'refills':60,"
		      "'zone_acquisitions':18000,'zone_contended':15,'zone_wait_cycles':123456}");
	assert_unsaid("{'type':'result','bench':'page_bench01','order':0,'way':'high'}", "drains");
	assert_unsaid("{'type':'result','bench':'page_bench01','order':0,'way':'none'}",
		      "refills");
}

/* Only of those ways that were measured. */
static void ways_of_a_sample(void **state)
{
	static const char which[] = "{'type':'sample','bench':'page_bench01','order':1,'rep':0}";

	(void)state;
	make_up(2);
	results.ways[0] = PCP_ORDER0;
	results.ways[1] = PCP_HIGH;
	run_report();
	assert_record(which, "{'order0_cycles':200000,'high_cycles':400000}");
	assert_unsaid(which, "none_cycles");
	assert_unsaid(which, "owned_operations");
}

/* No memory for a block: no figure, and none in the records. */
static void what_was_not_measured(void **state)
{
	(void)state;
	make_up(2);
	for (uint32_t i = 0; i < REPEAT; i++)
		*pcp_sample(&results, 10, 1, i) = (struct pcp_sample){ 0 };
	*pcp_counters(&results, 11, 0) = (struct pcp_counters){ 0 };
	run_report();
	assert_true(has_row(BY_ORDER, "10 104448 - - -"));
	assert_true(has_row("one CPU, 1024 pages outstanding\n", "none - - - - - - -"));
	assert_record("{'type':'result','bench':'page_bench01','order':10,'way':'order0'}",
		      "{'count':0,'mean_millicycles':0}");
	assert_unsaid("{'type':'result','bench':'page_bench01','order':10,'way':'order0'}",
		      "fastest_worker_millicycles");
}

/* Of crews of 8: the tables of counters and the verdict are about the largest that is left. */
static void crews_given_up(void **state)
{
	(void)state;
	make_up(2);
	results.crew_limit = 8;
	for (uint32_t cell = 0; cell < results.cell_count; cell++)
		for (uint32_t way = 0; cells[cell].workers == 8 && way < 2; way++) {
			*pcp_counters(&results, cell, way) = (struct pcp_counters){ 0 };
			for (uint32_t i = 0; i < REPEAT; i++)
				*pcp_sample(&results, cell, way, i) = (struct pcp_sample){ 0 };
		}
	run_report();
	assert_true(says("\nCrews of 8 CPUs and more were given up"));
	assert_true(has_row("likewise, order 3", "3 8 all - -"));
	assert_true(has_table("4 CPUs of all nodes, order 3\n"));
	assert_false(has_table("8 CPUs of all nodes"));
}

/* Way `none` takes 100 to 104 cycles, order0 twice that less 0 to 4. */
static void verdict(void **state)
{
	static const char title[] = "which way of keeping pages is best";

	(void)state;
	make_up(3);
	run_report();
	assert_string_equal(find_row(title, "one CPU, order 3"),
			    "one CPU, order 3 none 816 order0 1.98 1.96-2.00 1.98 1.96-2.00");
	assert_string_equal(find_row(title, "2 pairs of all nodes, order 0"),
			    "2 pairs of all nodes, order 0 none 102 order0 1.98 1.96-2.00 1.98 "
			    "1.96-2.00");
	assert_true(has_row(title, "8 CPUs of all nodes, order 9"));
	assert_string_equal(find_row(title, "one CPU, 128 pages by one call"),
			    "one CPU, 128 pages by one call none 102 order0 1.98 1.96-2.00 1.98 "
			    "1.96-2.00");
	assert_true(has_row(title, "8 CPUs, all nodes, 128 a call none"));
	assert_false(has_row(title, "2 pairs of all nodes, order 3"));
	assert_true(has_row("one CPU, so many single pages with one call", "128 102 202 302"));
	assert_true(has_row("likewise on several CPUs", "128 8 all 102 202 302"));
	/* order0 itself is best, and only in two repetitions */
	results.ways[0] = PCP_ORDER0;
	results.ways[1] = PCP_NONE;
	results.repetitions = 2;
	run_report();
	assert_string_equal(find_row(title, "one CPU, order 0"),
			    "one CPU, order 0 order0 102 none 2.00 -");
	assert_true(says("\nFor 3 more repetitions"));
	assert_int_equal(count("sample"), 2 * results.cell_count);
	/* one way: nothing to compare */
	make_up(1);
	run_report();
	assert_false(has_table(title));
	assert_true(says("\nOf 81 figures 0 have"));
}

static void no_run_no_report(void **state)
{
	(void)state;
	make_up(2);
	results.runs = 0;
	run_report();
	assert_false(has_table("page allocator"));
	assert_int_equal(count("result"), 0);
}

static void a_refused_free(void **state)
{
	const struct free_fault fault = { FREE_FAULT_DOUBLE, 0x1234567, 3, 17 };
	char text[96];

	(void)state;
	make_lab(1, 1, GIB_PAGES, HZ);
	start();
	report_open(&report, &sink, &lab.options);
	report_run(&report, &lab.facts, &lab.options);
	report_free_fault(&report, &fault, PCP_MERGED);
	assert_record("{'type':'free_fault'}",
		      "{'kind':'double free','pfn':19088743,'order':3,'cpu':17,'pcp':'merged',"
		      "'way':'merged'}");
	free_fault_text(text, sizeof(text), &fault, PCP_MERGED);
	assert_string_equal(text, "double free: frame 0x1234567, order 3, by CPU 17, pcp=merged");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_and_published_figures),
		cmocka_unit_test(every_order_if_verbose),
		cmocka_unit_test(records),
		cmocka_unit_test(ways_of_a_sample),
		cmocka_unit_test(what_was_not_measured),
		cmocka_unit_test(crews_given_up),
		cmocka_unit_test(verdict),
		cmocka_unit_test(no_run_no_report),
		cmocka_unit_test(a_refused_free),
	};

	return cmocka_run_group_tests_name("report of pcp", tests, NULL, NULL);
}
