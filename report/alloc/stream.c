/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream.h"

#include "lab/summary/stream_published.h"
#include "lab/summary/stream_summary.h"
#include "lab/summary/stream_verdict.h"
#include "lib/format.h"
#include "report/alloc/stream_counters.h"
#include "report/alloc/stream_records.h"
#include "report/alloc/stream_verdict.h"
#include "report/table.h"
#include "report/text.h"

enum { CENTI_PERCENT = 100, BITS_PER_CENTI_MBIT = 10000 };

/* ---- cells ---------------------------------------------------------------------------------- */

void report_percent_cell(struct table *table, int64_t centi_percent)
{
	uint64_t amount = centi_percent < 0 ? -(uint64_t)centi_percent : (uint64_t)centi_percent;
	char number[REPORT_CELL], cell[REPORT_CELL];

	format_ratio(number, amount, CENTI_PERCENT, 1);
	format(cell, sizeof(cell), "%c%.30s", centi_percent < 0 ? '-' : '+', number);
	table_text(table, cell);
}

/* A ratio of 1.0 is no change. */
static void ratio_cell(struct table *table, const struct interval *interval, uint64_t ratio)
{
	if (interval->known)
		report_percent_cell(table, ((int64_t)ratio - STREAM_RATIO_ONE) /
					   (STREAM_RATIO_ONE / 100 / CENTI_PERCENT));
	else
		table_text(table, "-");
}

static void rate_cell(struct table *table, uint64_t bits_per_second)
{
	if (bits_per_second)
		table_ratio(table, bits_per_second / BITS_PER_CENTI_MBIT, 100, 2);
	else
		table_text(table, "-");
}

static void published_cells(struct table *table, uint32_t size)
{
	for (int i = 0; i < STREAM_PUBLICATIONS; i++)
		report_percent_cell(table, stream_published_centipercent(
					   size, (enum stream_publication)i));
}

/* ---- tables --------------------------------------------------------------------------------- */

const char *report_stream_setting(char *to, const struct stream_setting *setting)
{
	const char *where = setting->place == CREW_NODE ? "of one node" : "of different nodes";
	char queue[REPORT_CELL], who[REPORT_STREAM_NAME];

	if (setting->queue_bytes)
		format(queue, sizeof(queue), "%llu bytes",
		       (unsigned long long)setting->queue_bytes);
	else
		format(queue, sizeof(queue), "size + 256 bytes");
	if (setting->pairs)
		format(who, sizeof(who), "%u pair%s of CPUs %s", setting->pairs,
		       setting->pairs > 1 ? "s" : "", where);
	else
		format(who, sizeof(who), "one CPU sends and receives");
	format(to, REPORT_STREAM_NAME, "%s, socket buffers of %s", who, queue);
	return to;
}

static void change_cell(struct table *table, const struct stream_summary *s)
{
	if (s->ratio.known)
		report_percent_cell(table, s->change_centipercent);
	else
		table_text(table, "-");
}

/* One way against order0 in the shape in which the runs were published. */
static void published_table(const struct report *report, const struct stream_results *results,
			    uint32_t setting, uint32_t way)
{
	const struct column columns[] = {
		{ "size", "bytes", 6 },	   { "order0", "Mbit/s", 10 },
		{ pcp_name(results->ways[way]), "Mbit/s", 10 }, { "slices", "", 6 },
		{ "change", "%", 7 },
		{ "median", "% from", 7 }, { "(95 %)", "to", 7 },
		{ "2016: two", "sockets %", 9 }, { "2016: one", "socket %", 9 },
		{ "Linux", "5.14 %", 7 },
	};
	struct table table;

	table_begin(&table, report, columns, 10);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_summary s;

		stream_summarise(results, report->tsc_hz, setting, way, size, &s);
		table_u64(&table, stream_sizes[size]);
		rate_cell(&table, s.ratio.known ? s.baseline_bps : 0);
		rate_cell(&table, s.ratio.known ? s.bits_per_second : 0);
		table_u64(&table, s.count);
		change_cell(&table, &s);
		ratio_cell(&table, &s.ratio, s.ratio.low);
		ratio_cell(&table, &s.ratio, s.ratio.high);
		published_cells(&table, size);
	}
}

/* All ways at once; only what rests on enough slices. */
static void changes_table(const struct report *report, const struct stream_results *results,
			  uint32_t setting)
{
	struct column columns[3 + PCP_COUNT] = { { "size", "bytes", 6 },
						 { "order0", "Mbit/s", 10 } };
	struct table table;
	uint32_t ways = results->way_count;

	for (uint32_t way = 1; way < ways; way++)
		columns[way + 1] = (struct column){ pcp_name(results->ways[way]), "%", 8 };
	table_begin(&table, report, columns, ways + 1);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_summary s;

		stream_summarise(results, report->tsc_hz, setting, 0, size, &s);
		table_u64(&table, stream_sizes[size]);
		rate_cell(&table, s.ratio.known ? s.bits_per_second : 0);
		for (uint32_t way = 1; way < ways; way++) {
			stream_summarise(results, report->tsc_hz, setting, way, size, &s);
			change_cell(&table, &s);
		}
	}
}

/* Those of which something was published, or all where there are few. */
static bool in_published_shape(const struct report *report, const struct stream_results *results,
			       uint32_t way)
{
	enum { FEW = 3 };
	enum pcp pcp = results->ways[way];

	return report->verbose || results->way_count <= FEW || pcp == PCP_HIGH ||
	       pcp == PCP_MERGED;
}

/* Without rows that all say nothing. */
static void published_tables(const struct report *report, const struct stream_results *results,
			     uint32_t setting)
{
	uint32_t shown = 0;

	for (uint32_t way = 1; way < results->way_count; way++) {
		if (!in_published_shape(report, results, way))
			continue;
		shown++;
		if (stream_known(results, setting, way))
			published_table(report, results, setting, way);
		else
			report_line(report, "%s: at no size have %d slices a figure under both "
					    "ways.", pcp_name(results->ways[way]),
				    STREAM_REPEAT_MIN);
		report_line(report, "%s", "");
	}
	if (shown < results->way_count - 1 || results->way_count == 1)
		changes_table(report, results, setting);
}

static void report_setting(const struct report *report, const struct stream_results *results,
			   uint32_t setting, bool lead)
{
	const struct stream_setting *what = &results->settings[setting];
	char name[REPORT_STREAM_NAME];

	report_heading(report, "stream: %s", report_stream_setting(name, what));
	if (what->repetitions < results->repeat) {
		report_line(report, "Given up: in the first repetition hardly any slice had a "
				    "figure.");
		return;
	}
	if (!stream_known(results, setting, 0))
		report_line(report, "At no size have %d slices of order0 a figure.",
			    STREAM_REPEAT_MIN);
	else if (lead || report->verbose)
		published_tables(report, results, setting);
	else
		changes_table(report, results, setting);
	if (setting < REPORT_STREAM_COUNTED || report->verbose)
		report_stream_counters(report, results, setting);
}

void report_stream(struct report *report, const struct stream_results *results)
{
	if (results->fault) {
		report_heading(report, "stream: ended by a fault under way %s, setting %u: %s",
			       pcp_name(results->fault_way), results->fault_setting,
			       results->fault);
	} else {
		uint32_t lead = stream_lead(results);

		for (uint32_t i = 0; i < results->setting_count; i++)
			report_setting(report, results, i, i == lead);
		report_stream_verdict(report, results);
	}
	report_stream_records(report, results);
}
