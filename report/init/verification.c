/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/verification.h"

#include "lib/format.h"
#include "report/field.h"
#include "report/init/allocator.h"
#include "report/init/faults.h"
#include "report/init/words.h"

static const struct field run_fields[] = {
	FIELD(struct run_verdict, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct run_verdict, repetition, AS_NUMBER, .name = "rep"),
	FIELD(struct run_verdict, totals.pages[FRAME_FREE], AS_NUMBER, .name = "free_pages"),
	FIELD(struct run_verdict, totals.pages[FRAME_RESERVED], AS_NUMBER,
	      .name = "reserved_pages"),
	FIELD(struct run_verdict, totals.pages[FRAME_HOLE], AS_NUMBER, .name = "hole_pages"),
	FIELD(struct run_verdict, totals.mismatches, AS_NUMBER, .name = "mismatches",
	      .meaning = "struct pages that are not as the oracle says"),
	FIELD(struct run_verdict, tiled, AS_BOOL, .name = "tiled",
	      .meaning = "every chunk was claimed exactly once"),
	FIELD(struct run_verdict, timed_out, AS_BOOL, .name = "timed_out", .unless_zero = true,
	      .meaning = "not all workers came in time; nothing else counts"),
	FIELD(struct run_verdict, bad_pfn, AS_NUMBER, IF(struct run_verdict, bad_field),
	      .name = "bad_pfn", .meaning = "the first that is wrong"),
	FIELD(struct run_verdict, bad_field, AS_TEXT, IF(struct run_verdict, bad_field),
	      .name = "bad_field", .meaning = "of its struct page; claim: not claimed once"),
};
const struct record_type init_verify_record =
	RECORD_TYPE("verify", "one run of experiment init", run_fields);

struct totals_row {
	char label[REPORT_CELL];
	struct verify_totals totals;
};

static const struct field totals_fields[] = {
	FIELD(struct totals_row, label, AS_TEXT, .title = "page frames", .width = -20),
	FIELD(struct totals_row, totals.pages[FRAME_FREE], AS_NUMBER, .title = "free",
	      .width = 14),
	FIELD(struct totals_row, totals.pages[FRAME_RESERVED], AS_NUMBER, .title = "reserved",
	      .width = 14),
	FIELD(struct totals_row, totals.pages[FRAME_HOLE], AS_NUMBER, .title = "holes",
	      .width = 14),
	FIELD(struct totals_row, totals.mismatches, AS_NUMBER, .title = "mismatches",
	      .width = 14),
};

static void totals_table(const struct report *report, const struct init_results *results,
			 const struct init_summary *summary)
{
	struct totals_row row = { "expected", results->expected };
	struct field_table table;

	field_table_begin(&table, report, FIELDS(totals_fields));
	field_table_row(&table, &row);
	if (summary->memmaps_good) {
		format(row.label, sizeof(row.label), "found, in %u runs", summary->memmaps_good);
		field_table_row(&table, &row);
	}
	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_verdict *verdict = &summary->verdicts[i];

		if (verdict->memmap_good)
			continue;
		format(row.label, sizeof(row.label), "%s, run %u", policy_name(verdict->policy),
		       verdict->repetition);
		row.totals = verdict->totals;
		field_table_row(&table, &row);
	}
}

static void memmap_part(struct report *report, const struct init_results *results,
			const struct init_summary *summary)
{
	static const char all_good[] =
		": every descriptor as the oracle says, every chunk claimed exactly once";
	uint32_t good = summary->memmaps_good;

	report_heading(report, "verification of every %s after each run",
		       results->init_only ? "descriptor" : "struct page");
	totals_table(report, results, summary);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!summary->verdicts[i].memmap_good)
			report_memmap_faults(report, &summary->verdicts[i]);
	report_line(report, "%u of %u runs verified%s", good, results->run_count,
		    good && good == results->run_count ? all_good : "");
	for (uint32_t i = 0; i < results->run_count; i++)
		field_record(&report->records, &init_verify_record, &summary->verdicts[i]);
}

void report_init_verification(struct report *report, const struct init_results *results,
			      const struct init_summary *summary)
{
	memmap_part(report, results, summary);
	report_allocator(report, results, summary);
	report_growth(report, &results->growth);
	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_verdict *verdict = &summary->verdicts[i];

		if (verdict->unexplained)
			report_line(report,
				    "FAULT: %s, run %u: a check failed of which no more is known",
				    policy_name(verdict->policy), verdict->repetition);
	}
}
