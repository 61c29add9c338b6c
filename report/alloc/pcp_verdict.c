/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/pcp_verdict.h"

#include "lab/summary/thresholds.h"
#include "lib/format.h"
#include "report/alloc/pcp_cell_name.h"
#include "report/table.h"
#include "report/text.h"

enum { MILLI = 1000, COLUMNS = 8 };

static void ratio_cells(struct table *table, const struct pcp_ratio *ratio)
{
	char low[REPORT_CELL], high[REPORT_CELL], range[2 * REPORT_CELL];
	const struct interval *times = &ratio->times;

	if (!ratio->compared) {
		table_text(table, "");
		table_text(table, "");
		return;
	}
	table_ratio(table, times->median, times->median ? PCP_RATIO_ONE : 0, 2);
	format(range, sizeof(range), "%s-%s", format_ratio(low, times->low, PCP_RATIO_ONE, 2),
	       format_ratio(high, times->high, PCP_RATIO_ONE, 2));
	table_text(table, times->known ? range : "-");
}

static void best_row(struct table *table, const struct pcp_results *results,
		     const struct pcp_best *best)
{
	const enum pcp *ways = results->ways;
	char name[REPORT_PCP_NAME];

	table_text(table, report_pcp_cell(name, &results->cells[best->cell]));
	table_text(table, pcp_name(ways[best->best]));
	table_ratio(table, best->millicycles, MILLI, 0);
	table_text(table, best->next == PCP_NO_WAY ? "" : pcp_name(ways[best->next]));
	ratio_cells(table, &best->next_ratio);
	ratio_cells(table, &best->order0_ratio);
}

static void scatter_line(const struct report *report, const struct pcp_verdict *verdict)
{
	report_line(report,
		    "Of %u figures %u have a standard deviation of more than %d %% of their mean.",
		    verdict->figures, verdict->scattered, THRESHOLD_SCATTER_PERCENT);
	if (verdict->unsteady)
		report_wrapped(report, "CPUs stood still or did other things meanwhile: medians "
				       "are not to be passed on; the least of each is in the "
				       "records.");
}

void report_pcp_verdict(const struct report *report, const struct pcp_results *results,
			const struct pcp_verdict *verdict)
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
		for (uint32_t i = 0; i < verdict->best_count; i++)
			best_row(&table, results, &verdict->best[i]);
		report_wrapped(report, "Intervals are of the median of the repetitions' ratios, "
				       "five at least. Where one reaches down to 1.00 the two are "
				       "not told apart.");
	}
	scatter_line(report, verdict);
}
