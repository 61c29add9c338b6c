/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free_records.h"

#include "lab/summary/free_summary.h"

static void row_fields(struct record_stream *records, const struct free_results *results,
		       const struct free_row *row)
{
	const struct free_setting *setting = &results->settings[row->setting];

	record_text(records, "experiment", "free");
	record_text(records, "scope", "unmap");
	record_text(records, "mapping", mapping_name(row->mapping));
	record_u64(records, "fragment", row->fragment);
	record_text(records, "way", free_way_name(row->way));
	if (row->way == FREE_BATCH) {
		record_u64(records, "gather", setting->gather);
		record_u64(records, "max_active", setting->max_active);
	}
	if (row->way == FREE_PIECES)
		record_bool(records, "whole", row->whole);
	record_u64(records, "workers", row->workers);
	record_u64(records, "cpus", row->cpus);
	record_u64(records, "pages", results->mappings[row->mapping].pages);
}

static void sample_record(struct record_stream *records, const struct free_results *results,
			  const struct free_row *row, uint32_t repetition)
{
	record_begin(records, "sample");
	row_fields(records, results, row);
	record_u64(records, "rep", repetition);
	record_u64(records, "cycles", row->cycles[repetition]);
	record_end(records);
}

static void result_record(struct record_stream *records, const struct free_results *results,
			  const struct free_row *row)
{
	struct free_summary summary = free_summarise(results, row);

	record_begin(records, "result");
	row_fields(records, results, row);
	record_summary(records, &summary.cycles);
	record_u64(records, "speedup_milli", summary.speedup_milli);
	record_u64(records, "locks", row->locks.acquisitions);
	record_u64(records, "locks_contended", row->locks.contended);
	record_u64(records, "locks_wait_cycles", row->locks.wait_cycles);
	record_u64(records, "longest_hold_cycles", row->locks.longest_hold_cycles);
	record_u64(records, "flushes", row->flushes);
	record_u64(records, "batch_failures", row->failures);
	record_u64(records, "chains", row->queued);
	record_end(records);
}

void report_free_records(struct report *report, const struct free_results *results)
{
	for (uint32_t i = 0; i < results->row_count; i++)
		for (uint32_t rep = 0; rep < results->rows[i].count; rep++)
			sample_record(&report->records, results, &results->rows[i], rep);
	for (uint32_t i = 0; i < results->row_count; i++)
		if (results->rows[i].count)
			result_record(&report->records, results, &results->rows[i]);
}
