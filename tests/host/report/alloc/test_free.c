/* SPDX-License-Identifier: GPL-2.0-only */
/* The experiment `free` as it is told: tables, the published figures, records. */
#include "report/alloc/free.h"
#include "report/init/disturbance.h"
#include "report/opening.h"
#include "tests/host/report_records.h"
#include "tests/host/free_results.h"

static void run_report(uint64_t hz)
{
	make_lab(1, 1, GIB_PAGES, HZ);
	lab.facts.tsc_hz = hz;
	start();
	report_open(&report, &sink, &lab.options);
	report_run(&report, &lab.facts, &lab.options);
	report_free(&report, &results);
}

#define AS_IT_IS                                                                                 \
	"free: 1024.0 MiB mapped by pages of 4 KiB, 0 % of them out of sequence; runs of each "   \
	"row: 3\n"
#define FRAGMENTED "free: 1024.0 MiB mapped by pages of 4 KiB, 100 % of them"

static void tables(void **state)
{
	(void)state;
	make_up();
	run_report(HZ);
	/* 100 ms / 2^18 pages; 1000 of 786432 pages freed in all; 1 %; 3 ms of 301 */
	assert_string_equal(find_row(AS_IT_IS, "vanilla"),
			    "vanilla 1 1 99.000 100.000 102.000 381.47 1.00 3.81 1.0 1.0 50.0");
	assert_string_equal(find_row(AS_IT_IS, "batch 515 2"),
			    "batch 515 2 3 59.000 60.000 62.000 228.88 1.67 3.81 1.0 0.6 50.0");
	assert_string_equal(find_row(AS_IT_IS, "whole"),
			    "whole 1 1 89.000 90.000 92.000 343.32 1.11 3.81 1.0 1.1 50.0");
	assert_string_equal(find_row(AS_IT_IS, "owned 4"),
			    "owned 4 4 9.000 10.000 12.000 38.15 10.00 3.81 1.0 2.4 50.0");
	/* compared with vanilla of its own table */
	assert_string_equal(find_row(FRAGMENTED, "owned 4"),
			    "owned 4 4 49.000 50.000 52.000 190.73 4.00 3.81 1.0 0.5 50.0");
	assert_true(says("\nbatch 515: at most 256 workers, who are given 8 times"));
	assert_true(says("\nbatch 1030: no mapping"));
	assert_true(says("All of it took 12345.0 ms."));
	assert_false(says("no time for all"));
	assert_false(says("\nsize= asked for more"));
	results.time_over[FREE_COMPARISON] = true;
	results.batch = false;
	results.size_cut = true;
	run_report(HZ);
	assert_true(says("no time for all"));
	assert_false(says("\nbatch 515:"));
	assert_true(says("\nsize= asked for more"));
}

static void published(void **state)
{
	static const char table[] = "parallel free as published";

	(void)state;
	make_up();
	run_report(HZ);
	assert_string_equal(find_row(table, "320 GB, Linux 4.10"),
			    "320 GB, Linux 4.10 10.80 128.7 1.00 381.5 1.00");
	assert_string_equal(find_row(table, "320 GB, 2 workers"),
			    "320 GB, 2 workers 5.65 67.4 1.91 228.9 1.67");
	assert_string_equal(find_row(table, "320 GB, 8 workers"),
			    "320 GB, 8 workers 4.77 56.9 2.26 - -");
	assert_string_equal(find_row(table, "320 GB, default"),
			    "320 GB, default 5.80 69.1 1.86 228.9 1.67");
	assert_string_equal(find_row(table, "1 TB, before"),
			    "1 TB, before 41.69 155.3 1.00 381.5 1.00");
	assert_string_equal(find_row(table, "1 TB, 64 and 1030"),
			    "1 TB, 64 and 1030 22.22 82.8 1.88 - -");
}

/* 100 ms (99 to 102) by 10 ms (9 to 12), and so on. */
static void verdict(void **state)
{
	static const char title[] = "which way of freeing is best";

	(void)state;
	make_up();
	run_report(HZ);
	assert_string_equal(find_row(title, "4 KiB 0 owned"),
			    "4 KiB 0 owned 4 38.15 10.00 8.25 11.33 3");
	assert_string_equal(find_row(title, "4 KiB 0 batch"),
			    "4 KiB 0 batch 515 2 228.88 1.67 1.60 1.73 3");
	assert_string_equal(find_row(title, "4 KiB 0 whole"),
			    "4 KiB 0 whole 1 343.32 1.11 1.08 1.15 3");
	assert_string_equal(find_row(title, "4 KiB 0 pieces"),
			    "4 KiB 0 pieces 4 152.59 2.50 2.36 2.62 3");
	assert_string_equal(find_row(title, "4 KiB 100 owned"),
			    "4 KiB 100 owned 4 190.73 4.00 3.83 4.12 3");
	/* 3 ms are more than a tenth of 10 */
	assert_true(says("\nOf 8 rows with several runs 1 are"));
	assert_false(says("rows of the comparison"));
	assert_true(has_row(title, "4 KiB 100 owned"));
	results.rows[7].count = 0;
	run_report(HZ);
	assert_true(says("\nFor 1 rows of the comparison"));
	assert_false(has_row(title, "4 KiB 100 owned"));
}

static void records(void **state)
{
	(void)state;
	make_up();
	run_report(HZ);
	assert_int_equal(count("sample"), 8 * REPEAT);
	assert_int_equal(count("result"), 8);
	assert_record("{'type':'sample','fragment':0,'way':'batch','workers':2,'rep':1}",
		      "{'experiment':'free','scope':'unmap','mapping':'4k','gather':515,"
		      "'max_active':256,'cpus':3,'pages':262144,'cycles':118000000}");
	assert_unsaid("{'type':'sample','fragment':0,'way':'batch','workers':2,'rep':1}", "whole");
	assert_record("{'type':'result','way':'pieces','whole':true}",
		      "{'workers':1,'cpus':1,'pages':262144,'count':3}");
	assert_record("{'type':'result','way':'pieces','whole':false}", "{'workers':4}");
	assert_unsaid("{'type':'result','way':'pieces','whole':false}", "gather");
	assert_record("{'type':'result','way':'batch','workers':2}",
		      "{'median_cycles':120000000,'max_cycles':124000000,'stddev_cycles':3055050,"
		      "'speedup_milli':1666,'locks':3000,'locks_contended':30,"
		      "'locks_wait_cycles':6000000,'longest_hold_cycles':100000,'flushes':81,"
		      "'batch_failures':0,'chains':3}");
}

static void disturbance(void **state)
{
	const struct disturbance before = { 10, 2000, 1000 }, after = { 13, 5000, 3000 },
				 unknown = { UINT64_MAX, UINT64_MAX, UINT64_MAX };

	(void)state;
	make_up();
	run_report(HZ);
	report_disturbed(&report, &before, &after);
	report_disturbed(&report, &unknown, &unknown);
	assert_true(says("\nSMIs on the boot CPU meanwhile: 3.\n"));
	assert_true(says("\nFrequency of the boot CPU meanwhile: 150.0 % of nominal.\n"));
	assert_true(says("\nThis CPU counts neither SMIs nor actual and nominal cycles"));
}

/* A run that a fault ended: rows without a figure, or no rows at all; and an unknown clock. */
static void little_to_tell(void **state)
{
	(void)state;
	make_up();
	for (uint32_t i = 2; i < results.row_count; i++)
		results.rows[i].count = 0;
	run_report(HZ);
	assert_int_equal(count("result"), 2);
	assert_true(has_table(AS_IT_IS));
	assert_false(has_table(FRAGMENTED));
	results.rows[0].count = 1;
	results.rows[1].count = 1;
	run_report(HZ);
	assert_true(says("\nNo row has several runs"));
	assert_false(says("\nOf 0 rows"));
	results.rows[0].count = 0;
	results.rows[1].count = 0;
	run_report(HZ);
	assert_int_equal(count("result"), 0);
	results.row_count = 0;
	results.mappings[MAPPING_4K] = (struct free_mapping){ .asked = true };
	run_report(HZ);
	assert_true(has_table("free: nothing to map"));
	assert_true(says("\nNothing was mapped by pages of 4 KiB"));
	assert_false(says("mapped by pages of 2 MiB"));
	make_up();
	run_report(0);
	assert_true(strstr(find_row(AS_IT_IS, "vanilla"), "vanilla 1 1 - - - - 1.00 3.81") != NULL);
}

/* The widest figures there can be. */
static void wide_figures(void **state)
{
	(void)state;
	make_up();
	results.mappings[MAPPING_4K].pages = 1ull << 34;
	for (uint32_t i = 0; i < results.row_count; i++) {
		struct free_row *row = &results.rows[i];

		for (uint32_t k = 0; k < REPEAT; k++)
			row->cycles[k] = 600ull * HZ + k;
		row->workers = row->cpus = 4096;
		row->locks = (struct free_locks){ 1ull << 36, 1ull << 36, 1ull << 50, 60ull * HZ };
	}
	run_report(HZ);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables),
		cmocka_unit_test(published),
		cmocka_unit_test(verdict),
		cmocka_unit_test(records),
		cmocka_unit_test(disturbance),
		cmocka_unit_test(little_to_tell),
		cmocka_unit_test(wide_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
