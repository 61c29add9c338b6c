/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/verdict.h"

#include "report/text.h"

struct verdict_row {
	bool ok;
	const char *text;
	uint64_t records; /* with the last one */
};

static const char *verdict_name(uint32_t ok)
{
	return ok ? "ok" : "fault";
}

static const struct field verdict_fields[] = {
	FIELD(struct verdict_row, ok, AS_WORD, WORDS(verdict_name, 2), .name = "verdict"),
	FIELD(struct verdict_row, text, AS_TEXT, .name = "text"),
};
const struct record_type verdict_record =
	RECORD_TYPE("verdict", "once, at the end", verdict_fields);

static const struct field end_fields[] = {
	FIELD(struct verdict_row, records, AS_NUMBER, .name = "records",
	      .meaning = "of the whole report, this one included"),
	FIELD(struct verdict_row, ok, AS_WORD, WORDS(verdict_name, 2), .name = "verdict"),
};
const struct record_type end_record = RECORD_TYPE("end", "last", end_fields);

/* Who reads only the end sees that another run was asked for. */
static void issues_line(const struct report *report)
{
	uint32_t words = report->cmdline_issues;

	if (words)
		report_heading(report,
			       "%u %s of the command line %s not understood, see the top", words,
			       words == 1 ? "word" : "words", words == 1 ? "was" : "were");
}

void report_verdict(struct report *report, bool ok, const char *text)
{
	struct record_stream *records = &report->records;
	struct verdict_row row = { ok, text, 0 };

	issues_line(report);
	report_heading(report, "verdict: %s: %s", verdict_name(ok), text);
	field_record(records, &verdict_record, &row);
	row.records = records->seq + 1;
	field_record(records, &end_record, &row);
}
