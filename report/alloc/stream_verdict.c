/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream_verdict.h"

#include "lab/summary/stream_verdict.h"
#include "report/alloc/stream.h"
#include "report/table.h"
#include "report/text.h"

static void gains_row(struct table *table, enum pcp way, const struct stream_gains *gains)
{
	table_text(table, pcp_name(way));
	if (gains->figures) {
		report_percent_cell(table, gains->least_centipercent);
		report_percent_cell(table, gains->most_centipercent);
	} else {
		table_text(table, "-");
		table_text(table, "-");
	}
	table_u64(table, gains->figures);
	table_u64(table, gains->faster);
	table_u64(table, gains->slower);
	table_u64(table, gains->reached);
}

static void gains_table(const struct report *report, const struct stream_results *results,
			uint32_t setting)
{
	static const struct column columns[] = {
		{ "way", "", -8 },	   { "change", "least %", 8 },  { "change", "most %", 8 },
		{ "sizes with", "figures", 10 }, { "faster", "for sure", 8 },
		{ "slower", "for sure", 8 }, { "by what was", "published", 11 },
	};
	char name[REPORT_STREAM_NAME];
	struct table table;

	report_line(report, "%s:",
		    report_stream_setting(name, &results->settings[setting]));
	table_begin(&table, report, columns, 7);
	for (uint32_t way = 1; way < results->way_count; way++) {
		struct stream_gains gains = stream_gains(results, report->tsc_hz, setting, way);

		gains_row(&table, results->ways[way], &gains);
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
