/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream.h"

#include "lab/summary/stream.h"
#include "lab/summary/stream_verdict.h"
#include "lib/format.h"
#include "lib/string.h"
#include "report/alloc/stream_counters.h"
#include "report/alloc/stream_fields.h"
#include "report/alloc/stream_verdict.h"
#include "report/field.h"

#define RATE(member, ...)                                                                        \
	FIELD(struct stream_summary, member, AS_SCALED, IF(struct stream_summary, ratio.known),  \
	      .scale = 1000000, .decimals = 2, .unit = "Mbit/s", .width = 10, __VA_ARGS__)
#define CHANGE(member, ...)                                                                      \
	FIELD(struct stream_summary, member, AS_CHANGE, IF(struct stream_summary, ratio.known),  \
	      .decimals = 1, __VA_ARGS__)
#define PUBLISHED(publication, ...)                                                              \
	FIELD(struct stream_summary, published_centipercent[publication], AS_CHANGE,             \
	      .decimals = 1, __VA_ARGS__)

/* One way against order0 in the shape in which the runs were published; the way's column has no
 * name yet. */
enum { WAY_COLUMN = 2, SHAPE_COLUMNS = 10 };
static const struct field published_shape[SHAPE_COLUMNS] = {
	FIELD(struct stream_summary, message_bytes, AS_NUMBER, .title = "size", .unit = "bytes",
	      .width = 6),
	RATE(baseline_bps, .title = "order0"),
	[WAY_COLUMN] = RATE(bits_per_second),
	FIELD(struct stream_summary, count, AS_NUMBER, .title = "slices", .width = 6),
	CHANGE(change_centipercent, .title = "change", .unit = "%", .width = 7),
	CHANGE(low_centipercent, .title = "median", .unit = "% from", .width = 7),
	CHANGE(high_centipercent, .title = "(95 %)", .unit = "to", .width = 7),
	PUBLISHED(STREAM_TWO_SOCKETS, .title = "2016: two", .unit = "sockets %", .width = 9),
	PUBLISHED(STREAM_ONE_SOCKET, .title = "2016: one", .unit = "socket %", .width = 9),
	PUBLISHED(STREAM_LINUX_5_14, .title = "Linux", .unit = "5.14 %", .width = 7),
};

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

static void published_table(const struct report *report, const struct stream_results *results,
			    uint32_t setting, uint32_t way)
{
	struct field fields[SHAPE_COLUMNS];
	struct field_table table;

	memcpy(fields, published_shape, sizeof(fields));
	fields[WAY_COLUMN].title = pcp_name(results->ways[way]);
	field_table_begin(&table, report, FIELDS(fields));
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_summary summary;

		stream_summarise(results, report->tsc_hz, setting, way, size, &summary);
		field_table_row(&table, &summary);
	}
}

/* All ways at once; only what rests on enough slices. */
static void changes_table(const struct report *report, const struct stream_results *results,
			  uint32_t setting)
{
	static const struct field rate = RATE(bits_per_second),
				  change = CHANGE(change_centipercent);
	struct column columns[2 + PCP_COUNT] = { { "size", "bytes", 6 },
						 { "order0", "Mbit/s", 10 } };
	uint32_t ways = results->way_count;
	char cell[REPORT_CELL];
	struct table table;

	for (uint32_t way = 1; way < ways; way++)
		columns[way + 1] = (struct column){ pcp_name(results->ways[way]), "%", 8 };
	table_begin(&table, report, columns, ways + 1);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		table_u64(&table, stream_sizes[size]);
		for (uint32_t way = 0; way < ways; way++) {
			struct stream_summary s;

			stream_summarise(results, report->tsc_hz, setting, way, size, &s);
			table_text(&table, field_cell(report, way ? &change : &rate, &s, cell));
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
