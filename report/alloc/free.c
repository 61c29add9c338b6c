/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free.h"

#include "lab/summary/free_summary.h"
#include "lab/summary/free_verdict.h"
#include "lib/format.h"
#include "report/alloc/free_published.h"
#include "report/alloc/free_records.h"
#include "report/alloc/free_verdict.h"
#include "report/table.h"
#include "report/text.h"

enum { NS_PER_US = 1000 };

const char *report_free_label(char *to, const struct free_results *results,
			      const struct free_row *row)
{
	if (row->way == FREE_BATCH)
		format(to, REPORT_CELL, "batch %u", results->settings[row->setting].gather);
	else
		format(to, REPORT_CELL, "%s", row->whole ? "whole" : free_way_name(row->way));
	return to;
}

/* ---- tables --------------------------------------------------------------------------------- */

static void lock_cells(const struct report *report, struct table *table,
		       const struct free_row *row, const struct free_summary *summary)
{
	const struct free_locks *locks = &row->locks;

	table_ratio(table, mul_div_u64(locks->acquisitions, 1000, 1), summary->pages * row->count,
		    2);
	table_ratio(table, mul_div_u64(locks->contended, 100, 1), locks->acquisitions, 1);
	table_ratio(table, mul_div_u64(locks->wait_cycles, 100, 1),
		    summary->total_cycles * row->cpus, 1);
	table_ratio(table, report_ns(report, locks->longest_hold_cycles),
		    report->tsc_hz ? NS_PER_US : 0, 1);
}

static void print_row(const struct report *report, struct table *table,
		      const struct free_results *results, const struct free_row *row)
{
	struct free_summary summary = free_summarise(results, row);
	const struct summary *cycles = &summary.cycles;
	char label[REPORT_CELL];

	table_text(table, report_free_label(label, results, row));
	table_u64(table, row->workers);
	table_u64(table, row->cpus);
	table_ms_of(table, cycles, cycles->min);
	table_ms_of(table, cycles, cycles->median);
	table_ms_of(table, cycles, cycles->max);
	table_ratio(table, report_ns(report, cycles->median), report->tsc_hz ? summary.pages : 0,
		    2);
	table_speedup(table, summary.vanilla.median, cycles->median);
	lock_cells(report, table, row, &summary);
}

static const char *page_name(enum mapping mapping)
{
	return mapping == MAPPING_2M ? "2 MiB" : "4 KiB";
}

static void mapping_table(const struct report *report, const struct free_results *results,
			  uint32_t first, uint32_t end, uint32_t runs)
{
	static const struct column columns[] = {
		{ "way", "", -10 },	 { "workers", "", 7 },	    { "CPUs", "", 4 },
		{ "min", "ms", 8 },	 { "median", "ms", 8 },	    { "max", "ms", 8 },
		{ "ns per", "page", 7 }, { "speed-up", "vanilla", 8 }, { "locks", "/1000 p.", 8 },
		{ "busy", "%", 5 },	 { "waiting", "% time", 7 }, { "longest", "hold us", 8 },
	};
	const struct free_row *row = &results->rows[first];
	char size[REPORT_CELL];
	struct table table;

	report_heading(report, "free: %s mapped by pages of %s, %u %% of them out of sequence; "
			       "runs of each row: %u",
		       report_size(size, results->mappings[row->mapping].pages),
		       page_name(row->mapping), row->fragment, runs);
	table_begin(&table, report, columns, 12);
	for (uint32_t i = first; i < end; i++)
		if (results->rows[i].count)
			print_row(report, &table, results, &results->rows[i]);
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
				       page_name((enum mapping)mapping));
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
