/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/verdict.h"

#include "report/text.h"

struct end_row {
	struct report_end end;
	uint64_t records; /* with the last one */
};

static const char *verdict_name(uint32_t verdict)
{
	static const char *const names[VERDICTS] = {
		[VERDICT_OK] = "ok",
		[VERDICT_FAULT] = "fault",
		[VERDICT_CUT] = "cut",
	};

	return names[verdict];
}

static const struct field verdict_fields[] = {
	FIELD(struct end_row, end.verdict, AS_WORD, WORDS(verdict_name, VERDICTS),
	      .name = "verdict",
	      .meaning = "cut: nothing was found wrong, but a part of the report is lost"),
	FIELD(struct end_row, end.text, AS_TEXT, .name = "text"),
};
const struct record_type verdict_record =
	RECORD_TYPE("verdict", "once, at the end", verdict_fields);

static const struct field end_fields[] = {
	FIELD(struct end_row, records, AS_NUMBER, .name = "records",
	      .meaning = "of the whole report, this one included"),
	FIELD(struct end_row, end.verdict, AS_WORD, WORDS(verdict_name, VERDICTS),
	      .name = "verdict"),
	FIELD(struct end_row, end.lost_bytes, AS_NUMBER, .name = "lost_bytes",
	      .meaning = "of the report, which the serial port did not take in time"),
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

static void lost_line(const struct report *report, uint64_t bytes)
{
	if (bytes)
		report_heading(report, "%lu bytes of this report are lost: the serial port stood "
				       "still for some seconds", bytes);
}

void report_verdict(struct report *report, const struct report_end *end)
{
	struct record_stream *records = &report->records;
	struct end_row row = { *end, 0 };

	issues_line(report);
	lost_line(report, end->lost_bytes);
	report_line(report, "%s", "");
	report_wrapped(report, "verdict: %s: %s", verdict_name(end->verdict), end->text);
	field_record(records, &verdict_record, &row);
	row.records = records->seq + 1;
	field_record(records, &end_record, &row);
}
