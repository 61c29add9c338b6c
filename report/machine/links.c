/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/links.h"

#include "acpi/hmat_lookup.h"
#include "lib/format.h"
#include "lib/text.h"

enum {
	MATRIX_NODES = 12, /* more than this make a matrix only where verbose */
	BAND_NODES = 18,   /* columns of the matrix side by side */
};
_Static_assert(7 + 5 * BAND_NODES <= REPORT_COLUMNS, "a line of the matrix fits");

/* ---- distances ------------------------------------------------------------------------------- */

/* One line of the matrix, for the targets [first, end): the header where `from` is NODE_NONE. */
static void matrix_line(const struct report *report, const struct topology *topology, uint32_t from,
			uint32_t first, uint32_t end)
{
	char buffer[REPORT_COLUMNS + 1];
	struct text line = text_in(buffer, sizeof(buffer));

	if (from == NODE_NONE)
		text_add(&line, "from\\to");
	else
		text_add(&line, "%7u", from);
	for (uint32_t to = first; to < end; to++)
		text_add(&line, " %4u", from == NODE_NONE ? to : topology->distance[from][to]);
	report_line(report, "%s", line.to);
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

/* ---- bandwidths ------------------------------------------------------------------------------ */

struct bandwidth_row {
	uint32_t initiator, target;
	struct hmat_pair pair;
};

/* 0 is what the HMAT says nothing of. */
#define FIGURE .unless_zero = true, .always_recorded = true, .width = 12

static const struct field bandwidth_fields[] = {
	FIELD(struct bandwidth_row, initiator, AS_NUMBER, .name = "initiator",
	      .title = "initiator", .unit = "node", .width = 9, .meaning = "a node"),
	FIELD(struct bandwidth_row, target, AS_NUMBER, .name = "target", .title = "target",
	      .unit = "node", .width = 9, .meaning = "a node"),
	FIELD(struct bandwidth_row, pair.read_mbps, AS_NUMBER, FIGURE, .name = "read_mbps",
	      .title = "read", .unit = "MB/s", .meaning = "0 here and below: not told"),
	FIELD(struct bandwidth_row, pair.write_mbps, AS_NUMBER, FIGURE, .name = "write_mbps",
	      .title = "write", .unit = "MB/s"),
	FIELD(struct bandwidth_row, pair.read_latency_ns, AS_NUMBER, FIGURE,
	      .name = "read_latency_ns", .title = "read", .unit = "ns"),
	FIELD(struct bandwidth_row, pair.write_latency_ns, AS_NUMBER, FIGURE,
	      .name = "write_latency_ns", .title = "write", .unit = "ns"),
};
const struct record_type bandwidth_record =
	RECORD_TYPE("bandwidth", "one per pair with any figure", bandwidth_fields);

/* The first pair with figures from number `at` on, into `row`; its number, or the number of all
 * pairs. Pairs are numbered by initiator, then by target. */
static uint32_t next_pair(const struct topology *topology, uint32_t at, struct bandwidth_row *row)
{
	uint32_t count = topology->node_count;

	for (; at < count * count; at++) {
		*row = (struct bandwidth_row){ at / count, at % count,
					       topology->bandwidth[at / count][at % count] };
		if (hmat_pair_known(&row->pair))
			break;
	}
	return at;
}

void report_bandwidths(const struct report *report, const struct topology *topology)
{
	uint32_t count = topology->node_count, pairs = 0, at = 0;
	struct bandwidth_row row;
	struct field_table table;

	while ((at = next_pair(topology, at, &row)) < count * count) {
		pairs++;
		at++;
	}
	if (!pairs) {
		report_heading(report, "bandwidths and latencies: the machine gives none (HMAT)");
		return;
	}
	report_heading(report, "bandwidths and latencies (from the HMAT)");
	field_table_begin(&table, report, FIELDS(bandwidth_fields));
	at = 0;
	for (uint32_t i = 0; i < report_rows(report, pairs); i++) {
		at = next_pair(topology, at, &row) + 1;
		field_table_row(&table, &row);
	}
	report_rest(report, pairs, "pairs");
}

/* ---- records --------------------------------------------------------------------------------- */

struct distance_row {
	uint32_t from, to;
	uint8_t distance;
	bool from_slit;
};

static const char *source_name(uint32_t from_slit)
{
	return from_slit ? "slit" : "default";
}

static const struct field distance_fields[] = {
	FIELD(struct distance_row, from, AS_NUMBER, .name = "from", .meaning = "a node"),
	FIELD(struct distance_row, to, AS_NUMBER, .name = "to", .meaning = "a node"),
	FIELD(struct distance_row, distance, AS_NUMBER, .name = "distance"),
	FIELD(struct distance_row, from_slit, AS_WORD, WORDS(source_name, 2), .name = "source"),
};
const struct record_type distance_record =
	RECORD_TYPE("distance", "one per pair of nodes", distance_fields);

void report_link_records(struct report *report, const struct topology *topology)
{
	uint32_t count = topology->node_count, at = 0;
	struct bandwidth_row bandwidth;

	for (uint32_t pair = 0; pair < count * count; pair++) {
		const struct distance_row row = {
			pair / count, pair % count,
			topology->distance[pair / count][pair % count],
			topology->distance_from_slit,
		};

		field_record(&report->records, &distance_record, &row);
	}
	while ((at = next_pair(topology, at, &bandwidth)) < count * count) {
		field_record(&report->records, &bandwidth_record, &bandwidth);
		at++;
	}
}
