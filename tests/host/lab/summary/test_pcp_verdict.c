/* SPDX-License-Identifier: GPL-2.0-only */
/* The experiment `pcp` as it is judged. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "lab/summary/pcp_published.h"
#include "lab/summary/pcp.h"
#include "lab/summary/pcp_verdict.h"
#include "tests/host/pcp_results.h"

static struct pcp_verdict verdict;

/* The judgement about the cell; NULL: there is none. */
static const struct pcp_best *find(enum pcp_bench bench, uint32_t workers, uint32_t order)
{
	for (uint32_t i = 0; i < verdict.best_count; i++) {
		const struct pcp_cell *cell = &cells[verdict.best[i].cell];

		if (cell->bench == bench && cell->workers == workers && cell->order == order)
			return &verdict.best[i];
	}
	return NULL;
}

static void assert_ratio(const struct pcp_ratio *ratio, uint64_t low, uint64_t median,
			 uint64_t high)
{
	assert_true(ratio->compared);
	assert_true(ratio->times.known);
	assert_int_equal(ratio->times.low, low);
	assert_int_equal(ratio->times.median, median);
	assert_int_equal(ratio->times.high, high);
}

/* Nothing of the samples that have no figure. */
static void figures_of_a_cell(void **state)
{
	struct pcp_summary summary;

	(void)state;
	make_up(3);
	summary = pcp_summarise(&results, 0, 2);
	assert_int_equal(summary.millicycles.count, REPEAT);
	assert_int_equal(summary.millicycles.median, 302000);
	assert_int_equal(summary.millicycles.stddev, 1581);
	assert_int_equal(summary.fastest_worker_millicycles, 297000);
	assert_int_equal(summary.slowest_worker_millicycles, 307040);
	*pcp_sample(&results, 0, 2, 0) = (struct pcp_sample){ 0 };
	summary = pcp_summarise(&results, 0, 2);
	assert_int_equal(summary.millicycles.count, REPEAT - 1);
	assert_int_equal(summary.millicycles.min, 301000);
	assert_int_equal(summary.fastest_worker_millicycles, 297990);
	for (uint32_t i = 1; i < REPEAT; i++)
		*pcp_sample(&results, 0, 2, i) = (struct pcp_sample){ 0 };
	summary = pcp_summarise(&results, 0, 2);
	assert_int_equal(summary.millicycles.count, 0);
	assert_int_equal(summary.fastest_worker_millicycles, 0);
	assert_int_equal(summary.slowest_worker_millicycles, 0);
}

/* 10000 pairs of calls; in a ring each side does one half. */
static void operations(void **state)
{
	(void)state;
	make_up(2);
	assert_int_equal(pcp_summarise(&results, 0, 1).operations, 10000);
	assert_int_equal(cells[results.cell_count - 1].bench, PCP_CROSS);
	assert_int_equal(pcp_summarise(&results, results.cell_count - 1, 1).operations, 20000);
}

static void first_and_last_of_a_kind(void **state)
{
	uint32_t first, last;

	(void)state;
	make_up(2);
	first = pcp_first_cell(&results, PCP_PARALLEL, 3, 1);
	last = pcp_last_cell(&results, PCP_PARALLEL, 3, 1);
	assert_true(cells[first].place == CREW_NODE && cells[first].workers == 2);
	assert_true(cells[last].place == CREW_ACROSS && cells[last].workers == 8);
	assert_int_equal(pcp_first_cell(&results, PCP_CROSS, 3, 1), UINT32_MAX);
	assert_int_equal(pcp_last_cell(&results, PCP_CROSS, 3, 1), UINT32_MAX);
	/* crews of 8 were given up; then all of them */
	for (uint32_t way = 0; way < 2; way++)
		*pcp_counters(&results, last, way) = (struct pcp_counters){ 0 };
	assert_int_equal(cells[pcp_last_cell(&results, PCP_PARALLEL, 3, 1)].workers, 4);
	memset(counters, 0, sizeof(counters));
	assert_int_equal(pcp_last_cell(&results, PCP_PARALLEL, 3, 1), first);
}

static void published_figures(void **state)
{
	const struct pcp_cell order9 = { PCP_ORDERS, CREW_NODE, 1, 9, 1 },
			      order10 = { PCP_ORDERS, CREW_NODE, 1, 10, 1 },
			      one = { PCP_ORDERS, CREW_NODE, 1, 0, 1 },
			      eight = { PCP_PARALLEL, CREW_NODE, 8, 0, 1 },
			      far = { PCP_PARALLEL, CREW_ACROSS, 8, 0, 1 },
			      bulk = { PCP_BULK, CREW_NODE, 1, 0, 128 };

	(void)state;
	assert_int_equal(pcp_published(PCP_ORDERS, &order9)->before, 8398);
	assert_int_equal(pcp_published(PCP_ORDERS, &order9)->after, 6790);
	assert_null(pcp_published(PCP_ORDERS, &order10));
	assert_int_equal(pcp_published(PCP_PARALLEL, &one)->before, 274);
	assert_int_equal(pcp_published(PCP_PARALLEL, &eight)->after, 399);
	assert_null(pcp_published(PCP_PARALLEL, &order9));
	assert_null(pcp_published(PCP_PARALLEL, &far));
	assert_null(pcp_published(PCP_BULK, &bulk));
}

/* Way `none` takes 100 to 104 cycles, order0 twice that less 0 to 4. */
static void best_at_what(void **state)
{
	const struct pcp_best *best;

	(void)state;
	make_up(3);
	pcp_judge(&results, &verdict);
	best = find(PCP_ORDERS, 1, 3);
	assert_non_null(best);
	assert_int_equal(best->best, 0);
	assert_int_equal(best->next, 1);
	assert_int_equal(best->millicycles, 816000);
	assert_ratio(&best->next_ratio, 19615, 19803, 20000);
	assert_ratio(&best->order0_ratio, 19615, 19803, 20000);
	assert_non_null(find(PCP_PARALLEL, 8, PAGEBLOCK_ORDER));
	assert_null(find(PCP_PARALLEL, 4, PAGEBLOCK_ORDER));
	assert_non_null(find(PCP_BULK, 1, 0));
	assert_non_null(find(PCP_BULK, 8, 0));
	/* there is but one cell of its kind: not judged twice */
	assert_non_null(find(PCP_OUTSTANDING, 1, 0));
	assert_int_equal(verdict.best_count, 10);
	assert_null(find(PCP_CROSS, 4, 3));
	assert_int_equal(verdict.figures, results.cell_count * 3);
	assert_int_equal(verdict.scattered, 0);
	assert_false(verdict.unsteady);
}

/* order0 is the best itself, and there are only two repetitions: the ratio has no interval. */
static void few_repetitions(void **state)
{
	const struct pcp_best *best;

	(void)state;
	make_up(3);
	results.ways[0] = PCP_ORDER0;
	results.ways[1] = PCP_NONE;
	results.repetitions = 2;
	pcp_judge(&results, &verdict);
	best = find(PCP_ORDERS, 1, 0);
	assert_int_equal(best->best, 0);
	assert_false(best->order0_ratio.compared);
	assert_true(best->next_ratio.compared);
	assert_false(best->next_ratio.times.known);
	assert_int_equal(best->next_ratio.times.median / 100, 199);
	results.repetitions = 0;
	pcp_judge(&results, &verdict);
	assert_false(find(PCP_ORDERS, 1, 0)->next_ratio.compared);
}

static void ways_without_figures(void **state)
{
	const struct pcp_best *best;

	(void)state;
	make_up(3);
	for (uint32_t i = 0; i < REPEAT; i++)
		for (uint32_t way = 0; way < 3; way++)
			if (way != 2)
				*pcp_sample(&results, 0, way, i) = (struct pcp_sample){ 0 };
	pcp_judge(&results, &verdict);
	best = find(PCP_ORDERS, 1, 0);
	assert_int_equal(best->best, 2);
	assert_int_equal(best->next, PCP_NO_WAY);
	assert_false(best->next_ratio.compared);
	for (uint32_t i = 0; i < REPEAT; i++)
		*pcp_sample(&results, 0, 2, i) = (struct pcp_sample){ 0 };
	pcp_judge(&results, &verdict);
	assert_null(find(PCP_ORDERS, 1, 0));
	/* one way: nothing to compare */
	make_up(1);
	pcp_judge(&results, &verdict);
	assert_int_equal(verdict.best_count, 0);
	assert_int_equal(verdict.figures, results.cell_count);
}

/* A quarter of the figures may be scattered, one more may not. */
static void scattered_figures(void **state)
{
	uint32_t quarter;

	(void)state;
	make_up(1);
	quarter = results.cell_count / 4;
	for (uint32_t cell = 0; cell < quarter; cell++)
		pcp_sample(&results, cell, 0, 0)->cycles *= 2;
	pcp_judge(&results, &verdict);
	assert_int_equal(verdict.scattered, quarter);
	assert_false(verdict.unsteady);
	pcp_sample(&results, quarter, 0, 0)->cycles *= 2;
	pcp_judge(&results, &verdict);
	assert_int_equal(verdict.scattered, quarter + 1);
	assert_true(verdict.unsteady);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_a_cell),
		cmocka_unit_test(operations),
		cmocka_unit_test(first_and_last_of_a_kind),
		cmocka_unit_test(published_figures),
		cmocka_unit_test(best_at_what),
		cmocka_unit_test(few_repetitions),
		cmocka_unit_test(ways_without_figures),
		cmocka_unit_test(scattered_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
