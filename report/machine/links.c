/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/links.h"

#include "report/table.h"
#include "report/text.h"
#include "lib/format.h"

enum {
	MATRIX_NODES = 12, /* more than this make a matrix only where verbose */
	BAND_NODES = 18,   /* columns of the matrix side by side */
};
_Static_assert(7 + 5 * BAND_NODES <= REPORT_COLUMNS, "a line of the matrix fits");

/* One line of the matrix, for the targets [first, end): the header where `from` is NODE_NONE. */
static void matrix_line(const struct report *report, const struct topology *topology, uint32_t from,
			uint32_t first, uint32_t end)
{
	char line[REPORT_COLUMNS + 1];
	size_t length;

	if (from == NODE_NONE)
		length = format(line, sizeof(line), "from\\to");
	else
		length = format(line, sizeof(line), "%7u", from);
	for (uint32_t to = first; to < end; to++)
		length += format(line + length, sizeof(line) - length, " %4u",
				 from == NODE_NONE ? to : topology->distance[from][to]);
	report_line(report, "%s", line);
}

void report_distances(const struct report *report, const struct topology *topology)
{
	uint32_t count = topology->node_count;

	report_heading(report, "distances between nodes (%s)",
		       topology->distance_from_slit ? "from the SLIT" :
						      "no usable SLIT: 10 local, 20 remote");
	if (count > MATRIX_NODES && !report->verbose) {
		report_line(report, "%u nodes: too many for a matrix; verbose=on shows it", count);
		return;
	}
	for (uint32_t first = 0; first < count; first += BAND_NODES) {
		uint32_t end = count - first < BAND_NODES ? count : first + BAND_NODES;

		matrix_line(report, topology, NODE_NONE, first, end);
		for (uint32_t from = 0; from < count; from++)
			matrix_line(report, topology, from, first, end);
	}
}

static bool has_figures(const struct hmat_pair *pair)
{
	return pair->read_latency_ns || pair->write_latency_ns || pair->read_mbps ||
	       pair->write_mbps;
}

static uint32_t count_pairs(const struct topology *topology)
{
	uint32_t pairs = 0;

	for (uint32_t from = 0; from < topology->node_count; from++)
		for (uint32_t to = 0; to < topology->node_count; to++)
			pairs += has_figures(&topology->bandwidth[from][to]);
	return pairs;
}

static void figure_cell(struct table *table, uint32_t figure)
{
	if (figure)
		table_u64(table, figure);
	else
		table_text(table, "-");
}

static void bandwidth_row(struct table *table, const struct topology *topology, uint32_t from,
			  uint32_t to)
{
	const struct hmat_pair *pair = &topology->bandwidth[from][to];

	table_u64(table, from);
	table_u64(table, to);
	figure_cell(table, pair->read_mbps);
	figure_cell(table, pair->write_mbps);
	figure_cell(table, pair->read_latency_ns);
	figure_cell(table, pair->write_latency_ns);
}

void report_bandwidths(const struct report *report, const struct topology *topology)
{
	static const struct column columns[] = {
		{ "initiator", "node", 9 }, { "target", "node", 9 },  { "read", "MB/s", 12 },
		{ "write", "MB/s", 12 },    { "read", "ns", 12 }, { "write", "ns", 12 },
	};
	uint32_t pairs = count_pairs(topology), shown = 0;
	struct table table;

	if (!pairs) {
		report_heading(report, "bandwidths and latencies: the machine gives none (HMAT)");
		return;
	}
	report_heading(report, "bandwidths and latencies (from the HMAT)");
	table_begin(&table, report, columns, 6);
	for (uint32_t from = 0; from < topology->node_count; from++) {
		for (uint32_t to = 0; to < topology->node_count; to++) {
			if (!has_figures(&topology->bandwidth[from][to]) ||
			    shown == report_rows(report, pairs))
				continue;
			bandwidth_row(&table, topology, from, to);
			shown++;
		}
	}
	report_rest(report, pairs, "pairs");
}

static void distance_record(struct record_stream *records, const struct topology *topology,
			    uint32_t from, uint32_t to)
{
	record_begin(records, "distance");
	record_u64(records, "from", from);
	record_u64(records, "to", to);
	record_u64(records, "distance", topology->distance[from][to]);
	record_text(records, "source", topology->distance_from_slit ? "slit" : "default");
	record_end(records);
}

static void bandwidth_record(struct record_stream *records, const struct topology *topology,
			     uint32_t from, uint32_t to)
{
	const struct hmat_pair *pair = &topology->bandwidth[from][to];

	record_begin(records, "bandwidth");
	record_u64(records, "initiator", from);
	record_u64(records, "target", to);
	record_u64(records, "read_mbps", pair->read_mbps);
	record_u64(records, "write_mbps", pair->write_mbps);
	record_u64(records, "read_latency_ns", pair->read_latency_ns);
	record_u64(records, "write_latency_ns", pair->write_latency_ns);
	record_end(records);
}

void report_link_records(struct report *report, const struct topology *topology)
{
	uint32_t count = topology->node_count;

	for (uint32_t from = 0; from < count; from++)
		for (uint32_t to = 0; to < count; to++)
			distance_record(&report->records, topology, from, to);
	for (uint32_t from = 0; from < count; from++)
		for (uint32_t to = 0; to < count; to++)
			if (has_figures(&topology->bandwidth[from][to]))
				bandwidth_record(&report->records, topology, from, to);
}
