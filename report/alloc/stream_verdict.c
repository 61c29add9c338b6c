/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream_verdict.h"

#include "lab/alloc/stream_summary.h"
#include "lib/format.h"
#include "report/alloc/stream.h"
#include "report/table.h"
#include "report/text.h"

enum { WHOLE = 100000 };

/* ---- against order0 ------------------------------------------------------------------------- */

struct gains {
	uint32_t figures, faster, slower, reached; /* sizes; beyond doubt; as published */
	int64_t least, most;                       /* hundredths of a percent */
};

static struct gains sum_up(const struct report *report, const struct stream_results *results,
			   uint32_t setting, uint32_t way)
{
	struct gains g = { .least = INT64_MAX, .most = INT64_MIN };

	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_summary s;
		int64_t change;

		stream_summarise(results, report->tsc_hz, setting, way, size, &s);
		if (!s.ratio.known)
			continue;
		change = stream_change(&s);
		g.figures++;
		g.reached += change >= report_stream_published(size, STREAM_TWO_SOCKETS) * 10;
		g.faster += s.ratio.low > WHOLE;
		g.slower += s.ratio.high < WHOLE;
		g.least = change < g.least ? change : g.least;
		g.most = change > g.most ? change : g.most;
	}
	return g;
}

static void gains_row(const struct report *report, struct table *table,
		      const struct stream_results *results, uint32_t setting, uint32_t way)
{
	struct gains g = sum_up(report, results, setting, way);

	table_text(table, pcp_name(results->ways[way]));
	if (g.figures) {
		report_percent_cell(table, g.least);
		report_percent_cell(table, g.most);
	} else {
		table_text(table, "-");
		table_text(table, "-");
	}
	table_u64(table, g.figures);
	table_u64(table, g.faster);
	table_u64(table, g.slower);
	table_u64(table, g.reached);
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
	for (uint32_t way = 1; way < results->way_count; way++)
		gains_row(report, &table, results, setting, way);
}

/* ---- remarks -------------------------------------------------------------------------------- */

static void slices_without_figure(const struct report *report,
				  const struct stream_results *results)
{
	uint64_t slow = 0, starved = 0, all = 0;

	for (uint32_t setting = 0; setting < results->setting_count; setting++) {
		uint32_t repetitions = results->settings[setting].repetitions;

		for (uint32_t i = 0; i < results->way_count * STREAM_SIZES * repetitions; i++) {
			const struct stream_sample *one =
				stream_sample(results, setting, i % results->way_count,
					      i / results->way_count % STREAM_SIZES,
					      i / results->way_count / STREAM_SIZES);

			starved += one->starved > 0;
			slow += !one->starved && !one->burst_millicycles;
			all++;
		}
	}
	if (slow)
		report_wrapped(report, "%llu of %llu slices have no figure: one of the two CPUs "
				       "stood still for so long that fewer than %d bursts came.",
			       (unsigned long long)slow, (unsigned long long)all,
			       STREAM_BURSTS_MIN);
	if (starved)
		report_wrapped(report, "%llu of %llu slices have no figure: memory ended before "
				       "the socket was full.",
			       (unsigned long long)starved, (unsigned long long)all);
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
