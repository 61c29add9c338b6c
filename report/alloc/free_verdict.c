/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free_verdict.h"

#include "lab/summary/free_summary.h"
#include "lab/summary/thresholds.h"
#include "report/alloc/free.h"
#include "report/table.h"
#include "report/text.h"

static void best_row(const struct report *report, struct table *table,
		     const struct free_results *results, const struct free_row *row)
{
	struct free_summary summary = free_summarise(results, row);
	const struct summary *cycles = &summary.cycles, *vanilla = &summary.vanilla;
	char label[REPORT_CELL];

	table_text(table, row->mapping == MAPPING_2M ? "2 MiB" : "4 KiB");
	table_u64(table, row->fragment);
	table_text(table, report_free_label(label, results, row));
	table_u64(table, row->workers);
	table_ratio(table, report_ns(report, cycles->median), report->tsc_hz ? summary.pages : 0,
		    2);
	table_speedup(table, vanilla->median, cycles->median);
	table_speedup(table, vanilla->min, cycles->max);
	table_speedup(table, vanilla->max, cycles->min);
	table_u64(table, cycles->count);
}

static void scatter_line(const struct report *report, const struct free_verdict *verdict)
{
	if (verdict->repeated)
		report_line(report, "Of %u rows with several runs %u are spread over more than %d "
				    "%% of their median.", verdict->repeated, verdict->scattered,
			    THRESHOLD_SCATTER_PERCENT);
	else
		report_line(report, "No row has several runs: how far they are spread is unknown.");
	if (verdict->unsteady)
		report_wrapped(report, "CPUs stood still or did other things meanwhile: only what "
				       "least and most agree on is to be passed on.");
}

void report_free_verdict(const struct report *report, const struct free_results *results,
			 const struct free_verdict *verdict)
{
	static const struct column columns[] = {
		{ "pages", "of", -5 },	  { "mixed", "%", 5 },	     { "way", "", -10 },
		{ "workers", "", 7 },	  { "ns per", "page", 9 },   { "speed-up", "vanilla", 8 },
		{ "at", "least", 8 },	  { "at", "most", 8 },	     { "runs", "", 4 },
	};
	struct table table;

	report_heading(report, "which way of freeing is best: each with its best number of "
			       "workers");
	table_begin(&table, report, columns, 9);
	for (uint32_t i = 0; i < verdict->best_count; i++)
		best_row(report, &table, results, verdict->best[i]);
	report_wrapped(report, "mixed: entries out of sequence. Speed-ups are of the medians; at "
			       "least and at most, of the worst and the best runs of both.");
	if (verdict->left_out)
		report_line(report, "For %u rows of the comparison with a mapping out of sequence "
				    "there was no time.", verdict->left_out);
	scatter_line(report, verdict);
}
