/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream_verdict.h"

#include "lab/summary/stream_verdict.h"
#include "report/alloc/stream.h"
#include "report/field.h"

static const struct field gains_fields[] = {
	FIELD(struct stream_gains, way, AS_WORD, WORDS(pcp_name, PCP_COUNT), .title = "way",
	      .width = -8),
	FIELD(struct stream_gains, least_centipercent, AS_CHANGE,
	      IF(struct stream_gains, figures), .decimals = 1, .title = "change",
	      .unit = "least %", .width = 8),
	FIELD(struct stream_gains, most_centipercent, AS_CHANGE,
	      IF(struct stream_gains, figures), .decimals = 1, .title = "change",
	      .unit = "most %", .width = 8),
	FIELD(struct stream_gains, figures, AS_NUMBER, .title = "sizes with", .unit = "figures",
	      .width = 10),
	FIELD(struct stream_gains, faster, AS_NUMBER, .title = "faster", .unit = "for sure",
	      .width = 8),
	FIELD(struct stream_gains, slower, AS_NUMBER, .title = "slower", .unit = "for sure",
	      .width = 8),
	FIELD(struct stream_gains, reached, AS_NUMBER, .title = "by what was",
	      .unit = "published", .width = 11),
};

static void gains_table(const struct report *report, const struct stream_results *results,
			uint32_t setting)
{
	char name[REPORT_STREAM_NAME];
	struct field_table table;

	report_line(report, "%s:",
		    report_stream_setting(name, &results->settings[setting]));
	field_table_begin(&table, report, FIELDS(gains_fields));
	for (uint32_t way = 1; way < results->way_count; way++) {
		struct stream_gains gains = stream_gains(results, report->tsc_hz, setting, way);

		field_table_row(&table, &gains);
	}
}

/* ---- remarks -------------------------------------------------------------------------------- */

static void slices_without_figure(const struct report *report, const struct stream_results *results)
{
	struct stream_gaps gaps = stream_gaps(results);

	if (gaps.slow)
		report_wrapped(report, "%llu of %llu slices have no figure: one of the two CPUs "
				       "stood still for so long that fewer than %d bursts came.",
			       (unsigned long long)gaps.slow, (unsigned long long)gaps.slices,
			       STREAM_BURSTS_MIN);
	if (gaps.starved)
		report_wrapped(report, "%llu of %llu slices have no figure: memory ended before "
				       "the socket was full.",
			       (unsigned long long)gaps.starved,
			       (unsigned long long)gaps.slices);
}

static void left_out_lines(const struct report *report, const struct stream_results *results)
{
	char name[REPORT_STREAM_NAME];

	for (uint32_t i = 0; i < results->left_out; i++)
		report_line(report, "Left out, the time was over: %s.",
			    report_stream_setting(name,
						  &results->settings[results->setting_count + i]));
}

void report_stream_verdict(const struct report *report, const struct stream_results *results)
{
	uint32_t shown = results->way_count > 1 ? results->setting_count : 0;
	char ms[REPORT_CELL];

	if (shown > REPORT_STREAM_COUNTED && !report->verbose)
		shown = REPORT_STREAM_COUNTED;
	report_heading(report, "what the ways change against order0, over all sizes");
	for (uint32_t i = 0; i < shown; i++)
		if (results->settings[i].repetitions == results->repeat)
			gains_table(report, results, i);
	report_ms(report, ms, results->cycles);
	report_wrapped(report, "Changes are of harmonic means over %u slices of %u us and more, "
			       "the rate of one pair in the median burst of %d messages of each. "
			       "Intervals are of the median of the slices' ratios, and for sure is "
			       "what lies on one side; -: fewer than %d slices have a figure under "
			       "both ways. Published of high: 2016; of merged: Linux 5.14. All %u "
			       "runs took %s ms; after each of them every page was back.",
		       results->repeat, results->slice_us, STREAM_BURST, STREAM_REPEAT_MIN,
		       results->runs, ms);
	slices_without_figure(report, results);
	left_out_lines(report, results);
}
