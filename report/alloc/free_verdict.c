/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free_verdict.h"

#include "lab/summary/thresholds.h"
#include "report/alloc/free_fields.h"
#include "report/text.h"

static const struct field fields[] = {
	FIELD(struct free_told, s.what.mapping, AS_WORD, WORDS(free_page_size, MAPPING_COUNT),
	      .title = "pages", .unit = "of", .width = -5),
	FIELD(struct free_told, s.what.fragment, AS_NUMBER, .title = "mixed", .unit = "%",
	      .width = 5),
	FIELD(struct free_told, label, AS_TEXT, .title = "way", .width = -10),
	FIELD(struct free_told, s.what.workers, AS_NUMBER, .title = "workers", .width = 7),
	FIELD(struct free_told, s.cycles.median, AS_NS_PER, PER(struct free_told, s.what.pages),
	      .decimals = 2, .title = "ns per", .unit = "page", .width = 9),
	FIELD(struct free_told, s.vanilla.median, AS_RATIO,
	      PER(struct free_told, s.cycles.median), .decimals = 2, .unless_zero = true,
	      .title = "speed-up", .unit = "vanilla", .width = 8),
	FIELD(struct free_told, s.vanilla.min, AS_RATIO, PER(struct free_told, s.cycles.max),
	      .decimals = 2, .unless_zero = true, .title = "at", .unit = "least", .width = 8),
	FIELD(struct free_told, s.vanilla.max, AS_RATIO, PER(struct free_told, s.cycles.min),
	      .decimals = 2, .unless_zero = true, .title = "at", .unit = "most", .width = 8),
	FIELD(struct free_told, s.cycles.count, AS_NUMBER, .title = "runs", .width = 4),
};

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
	struct field_table table;

	report_heading(report, "which way of freeing is best: each with its best number of "
			       "workers");
	field_table_begin(&table, report, FIELDS(fields));
	for (uint32_t i = 0; i < verdict->best_count; i++) {
		struct free_told told = free_told(results, verdict->best[i]);

		field_table_row(&table, &told);
	}
	report_wrapped(report, "mixed: entries out of sequence. Speed-ups are of the medians; at "
			       "least and at most, of the worst and the best runs of both.");
	if (verdict->left_out)
		report_line(report, "For %u rows of the comparison with a mapping out of sequence "
				    "there was no time.", verdict->left_out);
	scatter_line(report, verdict);
}
