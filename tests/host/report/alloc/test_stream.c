/* SPDX-License-Identifier: GPL-2.0-only */
/* The workload `stream` as it is told: tables, counters, records. */
#include "report/alloc/stream.h"
#include "report/opening.h"
#include "tests/host/report_records.h"
#include "tests/host/stream_results.h"

static void run_report(bool verbose)
{
	make_lab(1, 1, GIB_PAGES, HZ);
	lab.options.verbose = verbose;
	start();
	report_open(&report, &sink, &lab.options);
	report_run(&report, &lab.facts, &lab.options);
	report_stream(&report, &results);
}

/* 64 bytes in 2000 ns are 256 Mbit/s, in 1600 ns 320: 25 % more. */
static void published_shape(void **state)
{
	(void)state;
	make_up();
	run_report(false);
	assert_true(has_table("stream: 1 pair of CPUs of one node, socket buffers of size + 256 "
			      "bytes\n"));
	assert_true(has_table("stream: 2 pairs of CPUs of different nodes, socket buffers of "
			      "851968 bytes\n"));
	assert_true(has_table("stream: one CPU sends and receives, socket buffers of size + 256 "
			      "bytes\n"));
	assert_string_equal(find_row("stream: 1 pair", "64"),
			    "64 256.00 320.00 5 +25.0 +25.0 +25.0 +43.9 +45.4 +1.9");
	assert_string_equal(find_row("stream: 1 pair", "16384"),
			    "16384 65536.00 81920.00 5 +25.0 +25.0 +25.0 +19.9 +31.4 +2.3");
	/* 19.9 % at the largest size is what high has reached */
	assert_string_equal(find_row("what the ways change", "high"), "high +25.0 +25.0 9 9 0 1");
	assert_string_equal(find_row("what the ways change", "owned"), "owned -20.0 -20.0 9 0 9 0");
	assert_true(has_table("2 pairs of CPUs of different nodes, socket buffers of 851968 "
			      "bytes:\n"));
	assert_string_equal(find_row("stream: 2 pairs", "2048"), "2048 8192.00 +25.0 -20.0");
	assert_true(says("5 slices of 700 us"));
	assert_false(says("slices have no figure"));
	assert_false(says("Left out"));
	assert_false(has_table("Zone lock taken"));
}

/* A call would have to cost: 2000 cycles * (1 - 1/1.439) / (calls per message). */
static void counters(void **state)
{
	(void)state;
	make_up();
	for (uint32_t i = 0; i < REPEAT; i++) {
		struct stream_counters *c = &stream_sample(&results, 0, 0, 0, i)->counters;

		c->page_allocations = 3;
		c->page_frees = 1;
		c->slab_refills = 200;
		c->new_slabs = 3;
		c->list_acquisitions = 1;
		c->zone_acquisitions = 5;
		stream_sample(&results, 0, 1, 0, i)->counters.zone_contended = 2000;
		stream_sample(&results, 0, 2, 0, i)->counters.zone_wait_cycles = 2;
	}
	run_report(false);
	/* 5 taken of 18000 messages in each of 5 slices; of the others nothing at length */
	assert_string_equal(find_row("All sizes together", "order0"),
			    "order0 0.22 0.0 0 0 0.28 0 0 0");
	assert_string_equal(find_row("All sizes together", "high"), "high 0 - 0 0 0 111.11 0 0");
	assert_string_equal(find_row("All sizes together", "owned"), "owned 0 - 0 0 0 0 0.11 0");
	assert_false(has_table("Zone lock found taken"));
	run_report(true);
	assert_string_equal(find_row("What 1000 messages ask for", "64"),
			    "64 512 3 2000 100.00 1.50 0.50 2.00 305000");
	assert_string_equal(find_row("What 1000 messages ask for", "128"),
			    "128 512 3 2000 0 0 0 0 -");
	assert_string_equal(find_row("Zone lock taken", "64"), "64 2.50 0 0");
	assert_string_equal(find_row("Zone lock found taken", "64"), "64 0 1000.00 0");
	assert_string_equal(find_row("Cycles waited", "64"), "64 0 0 1.00");
}

static void slices_without_figure(void **state)
{
	(void)state;
	make_up();
	for (uint32_t i = 0; i < REPEAT; i++)
		stream_sample(&results, 0, 1, 2, i)->burst_millicycles = 0;
	stream_sample(&results, 0, 2, 2, 0)->burst_millicycles = 0;
	for (uint32_t i = 0; i < REPEAT; i++)
		*stream_sample(&results, 1, 1, 7, i) = (struct stream_sample){ .starved = 2 };
	run_report(true);
	assert_string_equal(find_row("stream: 1 pair", "256"),
			    "256 - - 0 - - - +49.6 +46.6 +2.0");
	assert_string_equal(find_row("order0      owned", "256"),
			    "256 - - 4 - - - +49.6 +46.6 +2.0");
	assert_true(says("\n6 of 405 slices have no figure: one of the two CPUs"));
	assert_true(says("\n5 of 405 slices have no figure: memory"));
	/* at length: the second setting too in the published shape */
	assert_string_equal(find_row("stream: 2 pairs", "64"),
			    "64 256.00 320.00 5 +25.0 +25.0 +25.0 +43.9 +45.4 +1.9");
}

/* Not a table of dashes. */
static void nothing_known(void **state)
{
	(void)state;
	make_up();
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		stream_sample(&results, 0, 1, size, 4)->burst_millicycles = 0;
		stream_sample(&results, 1, 0, size, 0)->burst_millicycles = 0;
	}
	run_report(false);
	assert_true(says("\nhigh: at no size"));
	assert_false(has_row("stream: 1 pair", "size order0 high slices"));
	assert_true(has_row("order0      owned slices", "64 256.00 204.80"));
	assert_true(has_row("stream: 2 pairs", "At no size"));
	assert_string_equal(find_row("what the ways change", "high"), "high - - 0 0 0 0");
	/* then the published shape is of another setting */
	assert_string_equal(find_row("stream: one CPU", "2048"), "2048 8192.00 +25.0 -20.0");
	for (uint32_t size = 0; size < STREAM_SIZES; size++)
		stream_sample(&results, 0, 0, size, 0)->burst_millicycles = 0;
	run_report(false);
	assert_string_equal(find_row("stream: one CPU", "2048"),
			    "2048 8192.00 10240.00 5 +25.0 +25.0 +25.0 +47.5 +42.8 +3.5");
}

/* All ways: only what something was published of in that shape, and one table of all. */
static void many_ways(void **state)
{
	(void)state;
	make_up();
	results.way_count = 5;
	results.setting_count = 1;
	results.ways[3] = PCP_TRYLOCK;
	results.ways[4] = PCP_NONE;
	run_report(false);
	assert_true(has_table("  size     order0       high slices"));
	assert_false(has_table("  size     order0      owned slices"));
	assert_true(has_table("  size     order0     high    owned  trylock     none\n"));
	run_report(true);
	assert_true(has_table("  size     order0      owned slices"));
	assert_false(has_table("  size     order0     high    owned"));
}

static void records(void **state)
{
	(void)state;
	make_up();
	run_report(false);
	assert_int_equal(count("sample"), SETTINGS * STREAM_SIZES * REPEAT);
	assert_int_equal(count("result"), SETTINGS * STREAM_SIZES * WAYS);
	assert_record("{'type':'sample','pairs':2,'message_bytes':3312,'rep':4}",
		      "{'experiment':'pcp','scope':'stream','place':'across',"
		      "'queue_bytes':851968,'order0_messages':2000,'order0_cycles':4000000,"
		      "'order0_burst_millicycles':2000000,'high_messages':2000,"
		      "'owned_burst_millicycles':2500000}");
	assert_unsaid("{'type':'sample','pairs':2,'message_bytes':3312,'rep':4}", "none_cycles");
	assert_record("{'type':'result','pairs':1,'message_bytes':64,'way':'owned'}",
		      "{'place':'node','queue_bytes':0,'count':5,'messages':10000,"
		      "'hmean_bps':204800000,'change_centipercent':-2000,'known':true,"
		      "'low_ratio_e5':80000,'median_ratio_e5':80000,'high_ratio_e5':80000,"
		      "'page_allocations':0,'list_wait_cycles':0}");
	/* what it is compared with has no comparison */
	assert_record("{'type':'result','pairs':1,'message_bytes':64,'way':'order0'}",
		      "{'count':5,'messages':10000,'hmean_bps':256000000,'page_allocations':0}");
	assert_unsaid("{'type':'result','pairs':1,'message_bytes':64,'way':'order0'}", "known");
	assert_unsaid("{'type':'result','pairs':1,'message_bytes':64,'way':'order0'}",
		      "change_centipercent");
}

static void a_fault(void **state)
{
	(void)state;
	make_up();
	results.left_out = 1;
	results.settings[1].repetitions = 1;
	run_report(false);
	assert_true(says("\nLeft out, the time was over: 4 pairs of CPUs of different nodes"));
	assert_true(has_row("stream: 2 pairs", "Given up:"));
	assert_int_equal(count("sample"), (2 * REPEAT + 1) * STREAM_SIZES);
	assert_false(has_table("2 pairs of CPUs of different nodes"));
	results.fault = "messages were lost";
	results.fault_way = PCP_MERGED;
	results.fault_setting = 1;
	run_report(false);
	assert_true(has_table("stream: ended by a fault under way merged, setting 1: messages "
			      "were lost\n"));
	assert_int_equal(count("sample"), 0);
	assert_false(says("Mbit/s"));
}

/* All ways, all wide numbers: no line is too long. */
static void everything_is_wide(void **state)
{
	static struct stream_sample wide[PCP_COUNT * STREAM_SIZES * REPEAT];

	(void)state;
	make_up();
	results.way_count = PCP_COUNT;
	for (int way = 0; way < PCP_COUNT; way++)
		results.ways[way] = (enum pcp)way;
	results.setting_count = 1;
	results.settings[0] = (struct stream_setting){ CREW_ACROSS, 2048, 1ull << 40, REPEAT };
	results.samples = wide;
	for (uint32_t i = 0; i < PCP_COUNT * STREAM_SIZES * REPEAT; i++) {
		uint64_t *fields = (uint64_t *)&wide[i];

		for (uint32_t f = 0; f < sizeof(wide[i]) / sizeof(*fields); f++)
			fields[f] = 10000000 + f;
		wide[i].messages = 1;
		wide[i].burst_millicycles = i % 7 ? 1 : 1ull << 50;
	}
	run_report(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_shape),
		cmocka_unit_test(counters),
		cmocka_unit_test(slices_without_figure),
		cmocka_unit_test(nothing_known),
		cmocka_unit_test(many_ways),
		cmocka_unit_test(records),
		cmocka_unit_test(a_fault),
		cmocka_unit_test(everything_is_wide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
