/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/verify.h"

#include "lib/format.h"
#include "report/init/allocator.h"
#include "report/init/parts.h"
#include "report/table.h"
#include "report/text.h"

static bool totals_equal(const struct verify_totals *a, const struct verify_totals *b)
{
	for (int kind = 0; kind < FRAME_KINDS; kind++)
		if (a->pages[kind] != b->pages[kind])
			return false;
	return true;
}

static bool run_is_good(const struct init_results *results, const struct run_sample *run)
{
	return !run->timed_out && run->tiled && !run->totals.mismatches &&
	       totals_equal(&run->totals, &results->expected);
}

static void totals_row(struct table *table, const char *label, const struct verify_totals *totals)
{
	table_text(table, label);
	table_u64(table, totals->pages[FRAME_FREE]);
	table_u64(table, totals->pages[FRAME_RESERVED]);
	table_u64(table, totals->pages[FRAME_HOLE]);
	table_u64(table, totals->mismatches);
}

static void totals_table(const struct report *report, const struct init_results *results,
			 uint32_t good)
{
	static const struct column columns[] = {
		{ "page frames", "", -20 }, { "free", "", 14 },     { "reserved", "", 14 },
		{ "holes", "", 14 },	      { "mismatches", "", 14 },
	};
	char label[REPORT_CELL];
	struct table table;

	table_begin(&table, report, columns, 5);
	totals_row(&table, "expected", &results->expected);
	if (good) {
		format(label, sizeof(label), "found, in %u runs", good);
		totals_row(&table, label, &results->expected);
	}
	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];

		if (run_is_good(results, run))
			continue;
		format(label, sizeof(label), "%s, run %u", policy_name(run->policy),
		       run->repetition);
		totals_row(&table, label, &run->totals);
	}
}

static const char *bad_field(const struct run_sample *run)
{
	return run->totals.first_bad_field ? run->totals.first_bad_field : "other";
}

void report_explain_run(const struct report *report, const struct run_sample *run,
			const struct verify_totals *expected)
{
	const char *policy = policy_name(run->policy);

	if (run->timed_out) {
		report_line(report,
			    "FAULT: %s, run %u: not all workers came to the barrier in time",
			    policy, run->repetition);
		return;
	}
	if (run->totals.mismatches)
		report_line(report,
			    "FAULT: %s, run %u: %llu %s wrong, the first pfn 0x%llx: field %s",
			    policy, run->repetition, (unsigned long long)run->totals.mismatches,
			    run->totals.mismatches == 1 ? "page" : "pages",
			    (unsigned long long)run->totals.first_bad_pfn, bad_field(run));
	else if (!totals_equal(&run->totals, expected))
		report_line(report, "FAULT: %s, run %u: the numbers of frames are not as expected",
			    policy, run->repetition);
	if (!run->tiled)
		report_line(report, "FAULT: %s, run %u: pfn 0x%llx not initialised exactly once",
			    policy, run->repetition, (unsigned long long)run->bad_pfn);
}

static void verify_record(struct record_stream *records, const struct run_sample *run)
{
	record_begin(records, "verify");
	record_text(records, "policy", policy_name(run->policy));
	record_u64(records, "rep", run->repetition);
	record_u64(records, "free_pages", run->totals.pages[FRAME_FREE]);
	record_u64(records, "reserved_pages", run->totals.pages[FRAME_RESERVED]);
	record_u64(records, "hole_pages", run->totals.pages[FRAME_HOLE]);
	record_u64(records, "mismatches", run->totals.mismatches);
	record_bool(records, "tiled", run->tiled);
	if (run->timed_out) {
		record_bool(records, "timed_out", true);
	} else if (run->totals.mismatches) {
		record_u64(records, "bad_pfn", run->totals.first_bad_pfn);
		record_text(records, "bad_field", bad_field(run));
	} else if (!run->tiled) {
		record_u64(records, "bad_pfn", run->bad_pfn);
		record_text(records, "bad_field", "claim");
	}
	record_end(records);
}

/* A run that failed a check of the laboratory which the lines above do not show. */
static void other_fault(const struct report *report, const struct init_results *results,
			const struct run_sample *run)
{
	if (!run->good && run_is_good(results, run) &&
	    (results->init_only || report_allocator_good(run)))
		report_line(report, "FAULT: %s, run %u: a check failed of which no more is known",
			    policy_name(run->policy), run->repetition);
}

void report_init_verification(struct report *report, const struct init_results *results)
{
	static const char all_good[] =
		": every descriptor as the oracle says, every chunk claimed exactly once";
	uint32_t good = 0;

	for (uint32_t i = 0; i < results->run_count; i++)
		good += run_is_good(results, &results->runs[i]);
	report_heading(report, "verification of every %s after each run",
		       results->init_only ? "descriptor" : "struct page");
	totals_table(report, results, good);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!run_is_good(results, &results->runs[i]))
			report_explain_run(report, &results->runs[i], &results->expected);
	report_line(report, "%u of %u runs verified%s", good, results->run_count,
		    good && good == results->run_count ? all_good : "");
	for (uint32_t i = 0; i < results->run_count; i++)
		verify_record(&report->records, &results->runs[i]);
	report_allocator(report, results);
	report_growth(report, &results->growth);
	for (uint32_t i = 0; i < results->run_count; i++)
		other_fault(report, results, &results->runs[i]);
}
