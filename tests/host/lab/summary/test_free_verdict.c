/* SPDX-License-Identifier: GPL-2.0-only */
/* The experiment `free` as it is summed up and judged. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "lab/summary/free_published.h"
#include "lab/summary/free.h"
#include "lab/summary/free_verdict.h"
#include "tests/host/free_results.h"

enum { VANILLA, BATCH_1, BATCH_2, WHOLE, PIECES, OWNED, MIXED_VANILLA, MIXED_OWNED, ROWS };

/* 60 ms (59 to 62) against 100 ms. */
static void beside_vanilla(void **state)
{
	struct free_summary summary;

	(void)state;
	make_up();
	summary = free_summarise(&results, &results.rows[BATCH_2]);
	assert_int_equal(summary.what.pages, ROW_PAGES);
	assert_int_equal(summary.cycles.count, REPEAT);
	assert_int_equal(summary.cycles.min, 59 * MS);
	assert_int_equal(summary.cycles.median, 60 * MS);
	assert_int_equal(summary.cycles.max, 62 * MS);
	assert_int_equal(summary.cpu_cycles, 3 * 181 * MS);
	assert_int_equal(summary.vanilla.median, 100 * MS);
	assert_int_equal(summary.speedup_milli, 1666);
	/* of the same mapping: 200 ms against 50 */
	summary = free_summarise(&results, &results.rows[MIXED_OWNED]);
	assert_int_equal(summary.vanilla.median, 200 * MS);
	assert_int_equal(summary.speedup_milli, 4000);
	results.rows[MIXED_OWNED].count = 0;
	summary = free_summarise(&results, &results.rows[MIXED_OWNED]);
	assert_int_equal(summary.speedup_milli, 0);
	assert_int_equal(summary.cpu_cycles, 0);
}

static void rows_of_a_mapping(void **state)
{
	(void)state;
	make_up();
	assert_int_equal(free_mapping_end(&results, 0), MIXED_VANILLA);
	assert_int_equal(free_mapping_end(&results, MIXED_VANILLA), ROWS);
	results.rows[OWNED].count = 2;
	assert_int_equal(free_most_runs(&results, 0, MIXED_VANILLA), REPEAT);
	assert_int_equal(free_most_runs(&results, OWNED, MIXED_VANILLA), 2);
	results.rows[OWNED].count = 0;
	assert_int_equal(free_most_runs(&results, OWNED, MIXED_VANILLA), 0);
}

/* Of batch the two workers are the best; whole pieces are a way of their own. */
static void best_of_each_way(void **state)
{
	static const uint32_t expected[] = { VANILLA, BATCH_2,	     WHOLE,	 PIECES,
					     OWNED,   MIXED_VANILLA, MIXED_OWNED };
	struct free_verdict verdict;

	(void)state;
	make_up();
	free_judge(&results, &verdict);
	assert_int_equal(verdict.best_count, 7);
	for (uint32_t i = 0; i < 7; i++)
		assert_ptr_equal(verdict.best[i], &results.rows[expected[i]]);
	/* 3 ms are more than a tenth of 10 */
	assert_int_equal(verdict.repeated, ROWS);
	assert_int_equal(verdict.scattered, 1);
	assert_int_equal(verdict.left_out, 0);
	assert_false(verdict.unsteady);
	results.rows[MIXED_OWNED].count = 0;
	results.rows[BATCH_2].count = 0;
	free_judge(&results, &verdict);
	assert_int_equal(verdict.best_count, 6);
	assert_ptr_equal(verdict.best[1], &results.rows[BATCH_1]);
	assert_int_equal(verdict.left_out, 2);
	/* nothing can be said of how steady single runs are */
	for (uint32_t i = 0; i < ROWS; i++)
		results.rows[i].count = 1;
	free_judge(&results, &verdict);
	assert_int_equal(verdict.repeated, 0);
	assert_false(verdict.unsteady);
}

/* Two of eight may be scattered, three may not. */
static void scattered_rows(void **state)
{
	struct free_verdict verdict;

	(void)state;
	make_up();
	results.rows[0].cycles[0] *= 2;
	free_judge(&results, &verdict);
	assert_int_equal(verdict.scattered, 2);
	assert_false(verdict.unsteady);
	results.rows[1].cycles[0] *= 2;
	free_judge(&results, &verdict);
	assert_int_equal(verdict.scattered, 3);
	assert_true(verdict.unsteady);
}

static const struct free_row *counterpart(uint32_t i, uint32_t ms)
{
	assert_int_equal(free_published[i].ms, ms);
	return free_counterpart(&results, &free_published[i]);
}

static void comparable_rows(void **state)
{
	(void)state;
	make_up();
	assert_ptr_equal(counterpart(0, 10800), &results.rows[VANILLA]);
	assert_ptr_equal(counterpart(1, 8900), &results.rows[BATCH_1]);
	assert_ptr_equal(counterpart(2, 5650), &results.rows[BATCH_2]);
	assert_null(counterpart(4, 4770)); /* 8 workers */
	assert_ptr_equal(counterpart(7, 5795), &results.rows[BATCH_2]); /* the most */
	assert_ptr_equal(counterpart(8, 41690), &results.rows[VANILLA]);
	assert_null(counterpart(10, 22220)); /* gather 1030 */
	results.rows[BATCH_2].count = 0;
	assert_null(counterpart(2, 5650));
	assert_ptr_equal(counterpart(7, 5795), &results.rows[BATCH_1]);
	results.row_count = 0;
	assert_null(counterpart(0, 10800));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beside_vanilla),
		cmocka_unit_test(rows_of_a_mapping),
		cmocka_unit_test(best_of_each_way),
		cmocka_unit_test(scattered_rows),
		cmocka_unit_test(comparable_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
