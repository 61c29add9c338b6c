/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/pcp_verdict.h"

#include "lib/bootstrap.h"
#include "lib/format.h"
#include "report/alloc/pcp.h"
#include "report/alloc/pcp_counters.h"
#include "report/table.h"
#include "report/text.h"

enum { ONE = 10000, NO_WAY = UINT32_MAX, COLUMNS = 8 };

/* What is judged: of each the first of its kind, or the last one with most CPUs and most nodes. */
static const struct {
	enum pcp_bench bench;
	uint32_t order, batch;
	bool last;
} judged[] = {
	{ PCP_ORDERS, 0, 1, false },
	{ PCP_ORDERS, 3, 1, false },
	{ PCP_ORDERS, PAGEBLOCK_ORDER, 1, false },
	{ PCP_OUTSTANDING, 0, PCP_OUTSTANDING_EACH, false },
	{ PCP_BULK, 0, PCP_BULK_MAX, false },
	{ PCP_PARALLEL, 0, 1, true },
	{ PCP_PARALLEL, 3, 1, true },
	{ PCP_PARALLEL, PAGEBLOCK_ORDER, 1, true },
	{ PCP_OUTSTANDING, 0, PCP_OUTSTANDING_EACH, true },
	{ PCP_BULK, 0, PCP_BULK_MAX, true },
	{ PCP_CROSS, 0, 1, true },
	{ PCP_CROSS, 3, 1, true },
};

/* UINT32_MAX: there is none, or it is the first one, which has its row already. */
static uint32_t find_cell(const struct pcp_results *results, uint32_t i)
{
	uint32_t first = report_pcp_first(results, judged[i].bench, judged[i].order,
					  judged[i].batch);
	uint32_t last = report_pcp_last(results, judged[i].bench, judged[i].order,
					judged[i].batch);
	bool once = judged[i].bench != PCP_OUTSTANDING && judged[i].bench != PCP_BULK;

	if (!judged[i].last)
		return first;
	return once || last != first ? last : UINT32_MAX;
}

static uint64_t median(struct report *report, const struct pcp_results *results, uint32_t cell,
		       uint32_t way)
{
	return report_pcp_summary(report, results, cell, way).median;
}

/* The way with the least median, but for `other`. */
static uint32_t find_best(struct report *report, const struct pcp_results *results, uint32_t cell,
			  uint32_t other)
{
	uint32_t best = NO_WAY;
	uint64_t least = UINT64_MAX;

	for (uint32_t way = 0; way < results->way_count; way++) {
		uint64_t cycles = median(report, results, cell, way);

		if (way == other || !cycles || cycles >= least)
			continue;
		best = way;
		least = cycles;
	}
	return best;
}

static uint32_t find_order0(const struct pcp_results *results)
{
	for (uint32_t way = 0; way < results->way_count; way++)
		if (results->ways[way] == PCP_ORDER0)
			return way;
	return NO_WAY;
}

/* How much longer `way` takes than `best`: of the repetitions in which both have a figure. */
static struct interval compare(const struct pcp_results *results, uint32_t cell, uint32_t best,
			       uint32_t way)
{
	uint64_t ratios[BOOTSTRAP_VALUES_MAX];
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->repetitions && count < BOOTSTRAP_VALUES_MAX; i++) {
		uint64_t a = pcp_millicycles(pcp_sample(results, cell, best, i));
		uint64_t b = pcp_millicycles(pcp_sample(results, cell, way, i));

		if (a && b)
			ratios[count++] = mul_div_u64(b, ONE, a);
	}
	return bootstrap_median(ratios, count);
}

static void ratio_cells(struct table *table, const struct pcp_results *results, uint32_t cell,
			uint32_t best, uint32_t way)
{
	char low[REPORT_CELL], high[REPORT_CELL], range[2 * REPORT_CELL];
	struct interval ratio;

	if (way == NO_WAY || way == best || !results->repetitions) {
		table_text(table, "");
		table_text(table, "");
		return;
	}
	ratio = compare(results, cell, best, way);
	table_ratio(table, ratio.median, ratio.median ? ONE : 0, 2);
	format(range, sizeof(range), "%s-%s", format_ratio(low, ratio.low, ONE, 2),
	       format_ratio(high, ratio.high, ONE, 2));
	table_text(table, ratio.known ? range : "-");
}

static void judge(struct report *report, struct table *table, const struct pcp_results *results,
		  uint32_t cell, uint32_t best)
{
	uint32_t next = find_best(report, results, cell, best);
	char name[REPORT_PCP_NAME];

	table_text(table, report_pcp_cell(name, &results->cells[cell]));
	table_text(table, pcp_name(results->ways[best]));
	table_ratio(table, median(report, results, cell, best), 1000, 0);
	table_text(table, next == NO_WAY ? "" : pcp_name(results->ways[next]));
	ratio_cells(table, results, cell, best, next);
	ratio_cells(table, results, cell, best, find_order0(results));
}

/* 10 % of the mean. */
static void scatter_line(struct report *report, const struct pcp_results *results)
{
	uint32_t figures = 0, scattered = 0;

	for (uint32_t cell = 0; cell < results->cell_count; cell++)
		for (uint32_t way = 0; way < results->way_count; way++) {
			struct summary s = report_pcp_summary(report, results, cell, way);

			figures += s.count > 1;
			scattered += s.count > 1 && s.stddev > s.mean / 10;
		}
	report_line(report,
		    "Of %u figures %u have a standard deviation of more than 10 %% of their mean.",
		    figures, scattered);
	if (scattered > figures / 4)
		report_wrapped(report, "CPUs stood still or did other things meanwhile: medians "
				       "are not to be passed on; the least of each is in the "
				       "records.");
}

void report_pcp_verdict(struct report *report, const struct pcp_results *results)
{
	static const struct column columns[COLUMNS] = {
		{ "workload", "", -31 },  { "best", "", -8 },	   { "cycles", "", 8 },
		{ "next", "", -8 },	  { "takes", "times", 6 }, { "95 %", "interval", 11 },
		{ "order0", "times", 6 }, { "95 %", "interval", 11 },
	};
	struct table table;

	report_heading(report, "%s", results->way_count > 1 ?
				       "which way of keeping pages is best at what" :
				       "how steady the figures are");
	if (results->way_count > 1) {
		table_begin(&table, report, columns, COLUMNS);
		for (uint32_t i = 0; i < sizeof(judged) / sizeof(judged[0]); i++) {
			uint32_t cell = find_cell(results, i);
			uint32_t best = cell == UINT32_MAX ? NO_WAY :
					find_best(report, results, cell, NO_WAY);

			if (best != NO_WAY)
				judge(report, &table, results, cell, best);
		}
		report_wrapped(report, "Intervals are of the median of the repetitions' ratios, "
				       "five at least. Where one reaches down to 1.00 the two are "
				       "not told apart.");
	}
	scatter_line(report, results);
}
