/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free_fields.h"

#include "lib/format.h"

#define CASE_FIELDS(row, what)                                                                    \
	FIELD_CONSTANT("experiment", "free"), FIELD_CONSTANT("scope", "unmap"),                  \
	FIELD(row, what.mapping, AS_WORD, WORDS(mapping_name, MAPPING_COUNT),                    \
	      .name = "mapping"),                                                                \
	FIELD(row, what.fragment, AS_NUMBER, .name = "fragment",                                 \
	      .meaning = "percent of the pages that are out of sequence"),                       \
	FIELD(row, what.way, AS_WORD, WORDS(free_way_name, FREE_COUNT), .name = "way"),          \
	FIELD(row, what.gather, AS_NUMBER, .unless_zero = true, .name = "gather",                \
	      .meaning = "batches for each worker of way batch"),                                \
	FIELD(row, what.max_active, AS_NUMBER, .unless_zero = true, .name = "max_active",        \
	      .meaning = "workers at a time of way batch"),                                      \
	FIELD(row, what.whole, AS_BOOL, IF(row, what.pieces), .name = "whole",                   \
	      .meaning = "way pieces without the pieces")

struct free_record {
	struct free_case what;
	uint32_t repetition;
	uint64_t cycles;
};

static const struct field sample_fields[] = {
	CASE_FIELDS(struct free_record, what),
	FIELD(struct free_record, what.workers, AS_NUMBER, .name = "workers"),
	FIELD(struct free_record, what.cpus, AS_NUMBER, .name = "cpus"),
	FIELD(struct free_record, what.pages, AS_NUMBER, .name = "pages", .meaning = "of 4 KiB"),
	FIELD(struct free_record, repetition, AS_NUMBER, .name = "rep"),
	FIELD(struct free_record, cycles, AS_NUMBER, .name = "cycles"),
};
const struct record_type free_sample_record =
	RECORD_TYPE("sample", "run of experiment free", sample_fields);

static const struct field result_fields[] = {
	CASE_FIELDS(struct free_told, s.what),
	FIELD(struct free_told, label, AS_TEXT, .title = "way", .width = -10),
	FIELD(struct free_told, s.what.workers, AS_NUMBER, .name = "workers", .title = "workers",
	      .width = 7),
	FIELD(struct free_told, s.what.cpus, AS_NUMBER, .name = "cpus", .title = "CPUs",
	      .width = 4),
	FIELD(struct free_told, s.what.pages, AS_NUMBER, .name = "pages", .meaning = "of 4 KiB"),
	FIELD(struct free_told, s.cycles.count, AS_NUMBER, .name = "count", .meaning = "samples"),
	FIELD(struct free_told, s.cycles.mean, AS_MS, .name = "mean_cycles"),
	FIELD(struct free_told, s.cycles.min, AS_MS, .name = "min_cycles", .title = "min",
	      .unit = "ms", .width = 8),
	FIELD(struct free_told, s.cycles.median, AS_MS, .name = "median_cycles",
	      .title = "median", .unit = "ms", .width = 8),
	FIELD(struct free_told, s.cycles.max, AS_MS, .name = "max_cycles", .title = "max",
	      .unit = "ms", .width = 8),
	FIELD(struct free_told, s.cycles.stddev, AS_MS, .name = "stddev_cycles",
	      .meaning = "0 where `count` is 1: unknown"),
	FIELD(struct free_told, s.cycles.median, AS_NS_PER, PER(struct free_told, s.what.pages),
	      .decimals = 2, .title = "ns per", .unit = "page", .width = 7),
	FIELD(struct free_told, s.speedup_milli, AS_SCALED, .scale = 1000, .decimals = 2,
	      .unless_zero = true, .always_recorded = true, .name = "speedup_milli",
	      .meaning = "of the medians, against vanilla", .title = "speed-up",
	      .unit = "vanilla", .width = 8),
	FIELD(struct free_told, s.locks.acquisitions, AS_PER_1000,
	      PER(struct free_told, s.freed_pages), .decimals = 2, .name = "locks",
	      .meaning = "of zones that were taken", .title = "locks", .unit = "/1000 p.",
	      .width = 8),
	FIELD(struct free_told, s.locks.contended, AS_PERCENT,
	      PER(struct free_told, s.locks.acquisitions), .decimals = 1,
	      .name = "locks_contended", .title = "busy", .unit = "%", .width = 5),
	FIELD(struct free_told, s.locks.wait_cycles, AS_PERCENT,
	      PER(struct free_told, s.cpu_cycles), .decimals = 1, .name = "locks_wait_cycles",
	      .title = "waiting", .unit = "% time", .width = 7),
	FIELD(struct free_told, s.locks.longest_hold_cycles, AS_US, .decimals = 1,
	      .name = "longest_hold_cycles", .title = "longest", .unit = "hold us", .width = 8),
	FIELD(struct free_told, s.flushes, AS_NUMBER, .name = "flushes"),
	FIELD(struct free_told, s.failures, AS_NUMBER, .name = "batch_failures"),
	FIELD(struct free_told, s.queued, AS_NUMBER, .name = "chains"),
};
const struct record_type free_result_record =
	RECORD_TYPE("result", "row of experiment free that had a run", result_fields);

struct free_told free_told(const struct free_results *results, const struct free_row *row)
{
	struct free_told told = { .s = free_summarise(results, row) };

	if (row->way == FREE_BATCH)
		format(told.label, REPORT_CELL, "batch %u", told.s.what.gather);
	else
		format(told.label, REPORT_CELL, "%s",
		       row->whole ? "whole" : free_way_name(row->way));
	return told;
}

const char *free_page_size(enum mapping mapping)
{
	return mapping == MAPPING_2M ? "2 MiB" : "4 KiB";
}

void report_free_records(struct report *report, const struct free_results *results)
{
	for (uint32_t i = 0; i < results->row_count; i++) {
		const struct free_row *row = &results->rows[i];
		struct free_record sample = { .what = free_case(results, row) };

		for (; sample.repetition < row->count; sample.repetition++) {
			sample.cycles = row->cycles[sample.repetition];
			field_record(&report->records, &free_sample_record, &sample);
		}
	}
	for (uint32_t i = 0; i < results->row_count; i++) {
		struct free_told told = free_told(results, &results->rows[i]);

		if (told.s.cycles.count)
			field_record(&report->records, &free_result_record, &told);
	}
}
