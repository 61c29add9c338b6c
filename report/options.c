/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/options.h"

#include "report/anomaly.h"

static uint32_t kept_issues(const struct options *options)
{
	return options->issue_count < CMDLINE_ISSUES ? options->issue_count : CMDLINE_ISSUES;
}

/* Length of the key in `word`, its '=' included. */
static int key_length(const char *word)
{
	int length = 0;

	while (word[length] && word[length] != '=')
		length++;
	return word[length] ? length + 1 : length;
}

void report_options(const struct report *report, const struct options *options)
{
	const struct cmdline_issue *unknown = NULL;
	char allowed[OPTION_TEXT];

	for (uint32_t i = 0; i < kept_issues(options); i++) {
		const struct cmdline_issue *issue = &options->issues[i];

		if (issue->cut) {
			report_wrapped(report, "cmdline: %s...: the line was cut here; ignored",
				       issue->word);
		} else if (!issue->key) {
			unknown = issue;
			report_line(report, "cmdline: unknown key '%.*s'", key_length(issue->word),
				    issue->word);
		} else {
			options_allowed(options, issue, allowed);
			report_wrapped(report, "cmdline: %.22s: allowed: %s; ignored, %s holds",
				       issue->word, allowed,
				       issue->holds[0] ? issue->holds : "the default");
		}
	}
	if (unknown) {
		options_allowed(options, unknown, allowed);
		report_wrapped(report, "cmdline: keys: %s", allowed);
	}
	if (options->issue_count > CMDLINE_ISSUES)
		report_line(report, "cmdline: %u more words were not understood",
			    options->issue_count - CMDLINE_ISSUES);
}

static const char *reason_of(const struct cmdline_issue *issue)
{
	return issue->cut ? "word cut" : issue->key ? "value not allowed" : "unknown key";
}

void report_option_records(struct report *report, const struct options *options)
{
	for (uint32_t i = 0; i < kept_issues(options); i++) {
		const struct anomaly anomaly = {
			.table = "cmdline",
			.offset = i,
			.reason = reason_of(&options->issues[i]),
		};

		report_anomaly(&report->records, &anomaly, options->issues[i].word);
	}
}
