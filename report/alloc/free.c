/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free.h"

#include "lab/summary/free.h"
#include "lab/summary/free_verdict.h"
#include "report/alloc/free_published.h"
#include "report/alloc/free_fields.h"
#include "report/alloc/free_verdict.h"
#include "report/text.h"

/* ---- tables --------------------------------------------------------------------------------- */

static void mapping_table(const struct report *report, const struct free_results *results,
			  uint32_t first, uint32_t end, uint32_t runs)
{
	const struct free_row *row = &results->rows[first];
	char size[REPORT_CELL];
	struct field_table table;

	report_heading(report, "free: %s mapped by pages of %s, %u %% of them out of sequence; "
			       "runs of each row: %u",
		       report_size(size, results->mappings[row->mapping].pages),
		       free_page_size(row->mapping), row->fragment, runs);
	field_table_begin(&table, report, free_result_record.fields, free_result_record.count);
	for (uint32_t i = first; i < end; i++) {
		struct free_told told = free_told(results, &results->rows[i]);

		if (told.s.cycles.count)
			field_table_row(&table, &told);
	}
}

/* The table of the rows from `first` on that are of one mapping, if there was time for any; returns
 * the row after them. */
static uint32_t mapping_rows(const struct report *report, const struct free_results *results,
			     uint32_t first)
{
	uint32_t end = free_mapping_end(results, first);
	uint32_t runs = free_most_runs(results, first, end);

	if (runs)
		mapping_table(report, results, first, end, runs);
	return end;
}

/* ---- what has to be known about them --------------------------------------------------------- */

static void legend(const struct report *report)
{
	report_wrapped(report,
		       "A page is 4 KiB in every column. locks: of zones, per 1000 pages; busy: "
		       "of these somebody else had; waiting: share of all CPUs' time; whole: "
		       "pieces without the pieces, as Linux 5.14. Medians of all repetitions, the "
		       "longest hold of any.");
}

static void setting_line(const struct report *report, const struct free_setting *setting)
{
	uint64_t most = setting->chains[MAPPING_4K] > setting->chains[MAPPING_2M] ?
				setting->chains[MAPPING_4K] : setting->chains[MAPPING_2M];

	if (!most)
		report_wrapped(report, "batch %u: no mapping ever has the pages for it that a "
				       "worker is started for: it would be vanilla.",
			       setting->gather);
	else
		report_wrapped(report, "batch %u: at most %u workers, who are given %llu times up "
				       "to %u batches of 510 pages; more would find nothing.",
			       setting->gather, setting->max_active, (unsigned long long)most,
			       setting->gather);
}

/* Mappings that were asked for and have no rows. */
static void missing_lines(const struct report *report, const struct free_results *results)
{
	for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
		if (results->mappings[mapping].asked && !results->mappings[mapping].entries)
			report_wrapped(report, "Nothing was mapped by pages of %s: too few of "
					       "them are free, or size= is smaller than one.",
				       free_page_size((enum mapping)mapping));
}

static void remarks(const struct report *report, const struct free_results *results)
{
	char ms[REPORT_CELL];

	if (!results->row_count)
		report_heading(report, "free: nothing to map");
	missing_lines(report, results);
	legend(report);
	for (uint32_t i = 0; results->batch && i < results->setting_count; i++)
		setting_line(report, &results->settings[i]);
	if (results->size_cut)
		report_line(report, "size= asked for more than there is: less is mapped.");
	if (results->time_over[FREE_ASKED_FOR] || results->time_over[FREE_COMPARISON])
		report_line(report, "There was no time for all the repetitions that were asked "
				    "for.");
	report_line(report, "All of it took %s ms.", report_ms(report, ms, results->cycles));
}

void report_free(struct report *report, const struct free_results *results)
{
	struct free_verdict verdict;

	for (uint32_t first = 0; first < results->row_count;)
		first = mapping_rows(report, results, first);
	remarks(report, results);
	report_free_published(report, results);
	if (results->row_count && results->rows[0].count) {
		free_judge(results, &verdict);
		report_free_verdict(report, results, &verdict);
	}
	report_free_records(report, results);
}
