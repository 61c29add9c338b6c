/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free_verdict.h"

#include "lib/format.h"
#include "report/alloc/free.h"
#include "report/table.h"
#include "report/text.h"

enum { TENTH = 10 };

/* The row of this way from `first` to `end` with the least median; NULL: none has run. Pieces that
 * are whole are a way of their own. */
static const struct free_row *fastest(struct report *report, const struct free_results *results,
				      uint32_t first, uint32_t end, enum free_way way, bool whole)
{
	const struct free_row *best = NULL;

	for (uint32_t i = first; i < end; i++) {
		const struct free_row *row = &results->rows[i];

		if (row->way == way && row->whole == whole && row->count &&
		    (!best || report_free_summary(report, row).median <
				      report_free_summary(report, best).median))
			best = row;
	}
	return best;
}

static void best_row(struct report *report, struct table *table,
		     const struct free_results *results, const struct free_row *row)
{
	const struct free_row *vanilla_row = report_free_vanilla(results, row);
	struct summary vanilla = report_free_summary(report, vanilla_row);
	struct summary cycles = report_free_summary(report, row);
	char label[REPORT_CELL];

	table_text(table, row->mapping == MAPPING_2M ? "2 MiB" : "4 KiB");
	table_u64(table, row->fragment);
	table_text(table, report_free_label(label, results, row));
	table_u64(table, row->workers);
	table_ratio(table, report_ns(report, cycles.median),
		    report->tsc_hz ? report_free_pages(results, row) : 0, 2);
	table_speedup(table, vanilla.median, cycles.median);
	table_speedup(table, vanilla.min, cycles.max);
	table_speedup(table, vanilla.max, cycles.min);
	table_u64(table, cycles.count);
}

static void mapping_rows(struct report *report, struct table *table,
			 const struct free_results *results, uint32_t first, uint32_t end)
{
	for (int way = 0; way < FREE_COUNT; way++)
		for (int whole = 1; whole >= 0; whole--) {
			const struct free_row *row = fastest(report, results, first, end,
							     (enum free_way)way, whole);

			if (row)
				best_row(report, table, results, row);
		}
}

/* A tenth of the median. */
static void scatter_line(struct report *report, const struct free_results *results)
{
	uint32_t rows = 0, scattered = 0;

	for (uint32_t i = 0; i < results->row_count; i++) {
		struct summary s = report_free_summary(report, &results->rows[i]);

		rows += s.count > 1;
		scattered += s.count > 1 && s.max - s.min > s.median / TENTH;
	}
	if (rows)
		report_line(report, "Of %u rows with several runs %u are spread over more than 10 "
				    "%% of their median.", rows, scattered);
	else
		report_line(report, "No row has several runs: how far they are spread is unknown.");
	if (scattered > rows / 4)
		report_wrapped(report, "CPUs stood still or did other things meanwhile: only what "
				       "least and most agree on is to be passed on.");
}

static void left_out_line(const struct report *report, const struct free_results *results)
{
	uint32_t left_out = 0;

	for (uint32_t i = 0; i < results->row_count; i++)
		left_out += !results->rows[i].count;
	if (left_out)
		report_line(report, "For %u rows of the comparison with a mapping out of sequence "
				    "there was no time.", left_out);
}

void report_free_verdict(struct report *report, const struct free_results *results)
{
	static const struct column columns[] = {
		{ "pages", "of", -5 },	  { "mixed", "%", 5 },	     { "way", "", -10 },
		{ "workers", "", 7 },	  { "ns per", "page", 9 },   { "speed-up", "vanilla", 8 },
		{ "at", "least", 8 },	  { "at", "most", 8 },	     { "runs", "", 4 },
	};
	uint32_t first = 0, end;
	struct table table;

	report_heading(report, "which way of freeing is best: each with its best number of "
			       "workers");
	table_begin(&table, report, columns, 9);
	for (; first < results->row_count; first = end) {
		end = report_free_end(results, first);
		mapping_rows(report, &table, results, first, end);
	}
	report_wrapped(report, "mixed: entries out of sequence. Speed-ups are of the medians; at "
			       "least and at most, of the worst and the best runs of both.");
	left_out_line(report, results);
	scatter_line(report, results);
}
