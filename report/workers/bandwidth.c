/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/bandwidth.h"

#include "lab/summary/firmware_claims.h"
#include "lab/summary/thresholds.h"
#include "report/field.h"

enum { MBPS_PER_GBPS = 1000, PS_PER_NS = 1000, MILLI = 1000 };

#define GB_PER_S(row, member, ...)                                                               \
	FIELD(row, member, AS_SCALED, .scale = MBPS_PER_GBPS, .decimals = 2, .unless_zero = true, \
	      __VA_ARGS__)

/* ---- siblings ------------------------------------------------------------------------------- */

static const char *kind_name(uint32_t kind)
{
	static const char *const names[BANDWIDTH_KINDS] = { "read", "write", "write-nt", "init" };

	return names[kind];
}

static const char *order_name(uint32_t order)
{
	return order == BANDWIDTH_RANDOM ? "random" : "sequential";
}

#define ORDERS(kind, label)                                                                      \
	GB_PER_S(struct sibling_row, mbps[kind][BANDWIDTH_RANDOM], .title = (label),             \
		 .unit = "random", .width = 8),                                                  \
	GB_PER_S(struct sibling_row, mbps[kind][BANDWIDTH_SEQUENTIAL], .title = (label),         \
		 .unit = "seq.", .width = 8)

static const struct field sibling_fields[] = {
	FIELD(struct sibling_row, node, AS_NUMBER, .title = "node", .width = 4),
	FIELD(struct sibling_row, workers, AS_NUMBER, .title = "workers", .width = 7),
	FIELD(struct sibling_row, cores, AS_NUMBER, .title = "cores", .width = 5),
	ORDERS(BANDWIDTH_READ, "read"),
	ORDERS(BANDWIDTH_WRITE, "write"),
	ORDERS(BANDWIDTH_WRITE_NT, "nt write"),
	ORDERS(BANDWIDTH_INIT, "init"),
};

static void sibling_table(const struct report *report, const struct bandwidth_results *results)
{
	struct field_table table;

	report_heading(report, "siblings: GB/s of a node's CPUs on its own memory, blocks of "
			       "1 MiB");
	field_table_begin(&table, report, FIELDS(sibling_fields));
	for (uint32_t i = 0; i < report_rows(report, results->row_count); i++)
		field_table_row(&table, &results->rows[i]);
	report_rest(report, results->row_count, "rows");
}

/* One figure of a row. */
struct stream_row {
	struct sibling_row of;
	uint32_t kind, order, mbps;
};

static const struct field stream_fields[] = {
	FIELD(struct stream_row, of.node, AS_NUMBER, .name = "node"),
	FIELD(struct stream_row, of.workers, AS_NUMBER, .name = "workers"),
	FIELD(struct stream_row, of.cores, AS_NUMBER, .name = "cores"),
	FIELD(struct stream_row, kind, AS_WORD, WORDS(kind_name, BANDWIDTH_KINDS), .name = "kind"),
	FIELD(struct stream_row, order, AS_WORD, WORDS(order_name, BANDWIDTH_ORDERS),
	      .name = "order"),
	FIELD(struct stream_row, mbps, AS_NUMBER, .name = "mbps",
	      .meaning = "10^6 bytes a second; 0: not measured"),
};
const struct record_type bandwidth_stream_record = RECORD_TYPE(
	"stream", "figure of the sibling table of experiment bandwidth", stream_fields);

static void stream_records(struct record_stream *records, const struct sibling_row *of)
{
	for (uint32_t kind = 0; kind < BANDWIDTH_KINDS; kind++)
		for (uint32_t order = 0; order < BANDWIDTH_ORDERS; order++) {
			struct stream_row row = { *of, kind, order, of->mbps[kind][order] };

			field_record(records, &bandwidth_stream_record, &row);
		}
}

/* ---- nodes without a row -------------------------------------------------------------------- */

struct unmeasured_row {
	uint32_t node;
	const char *reason;
};

static const struct field unmeasured_fields[] = {
	FIELD(struct unmeasured_row, node, AS_NUMBER, .name = "node"),
	FIELD(struct unmeasured_row, reason, AS_TEXT, .name = "reason"),
};
const struct record_type unmeasured_record = RECORD_TYPE(
	"unmeasured", "node without a row in the sibling table of experiment bandwidth",
	unmeasured_fields);

/* Why a node has no row, and what of it is in the matrix nevertheless. */
static void reason_lines(const struct report *report, const struct bandwidth_results *results,
			 uint32_t node_count)
{
	for (uint32_t node = 0; node < node_count; node++) {
		const char *rest = "nor is it in the matrix";

		if (!results->reasons[node])
			continue;
		if (results->blocks[node])
			rest = "in the matrix it is only as memory";
		else if (results->cpus[node])
			rest = "in the matrix it is only by its CPUs";
		report_wrapped(report, "Node %u has no row: %s; %s.", node, results->reasons[node],
			       rest);
	}
}

static void reason_records(struct record_stream *records, const struct bandwidth_results *results,
			   uint32_t node_count)
{
	for (uint32_t node = 0; node < node_count; node++) {
		struct unmeasured_row row = { node, results->reasons[node] };

		if (row.reason)
			field_record(records, &unmeasured_record, &row);
	}
}

/* ---- the matrix ----------------------------------------------------------------------------- */

struct pair_row {
	struct node_pair of;
	struct hmat_pair hmat;
	uint32_t distance;
	struct pair_claims by_firmware;
	const char *off;
};

#define CLAIM(kind) by_firmware.claims[kind]
#define OFF(kind, label)                                                                         \
	FIELD(struct pair_row, CLAIM(kind).off, AS_BOOL, IF(struct pair_row, CLAIM(kind).known), \
	      .name = (label), .meaning = "claim and measurement differ by more than 2x")

static const struct field pair_fields[] = {
	FIELD(struct pair_row, of.initiator, AS_NUMBER, .name = "initiator",
	      .meaning = "node with the CPUs", .title = "CPUs of", .unit = "node", .width = 7),
	FIELD(struct pair_row, of.target, AS_NUMBER, .name = "target",
	      .meaning = "node with the memory", .title = "memory", .unit = "of node",
	      .width = 7),
	GB_PER_S(struct pair_row, of.read_mbps[BANDWIDTH_ONE_CORE], .always_recorded = true,
		 .name = "read_one_mbps", .title = "read", .unit = "1 core", .width = 9),
	GB_PER_S(struct pair_row, of.read_mbps[BANDWIDTH_ALL_CORES], .always_recorded = true,
		 .name = "read_all_mbps", .title = "read", .unit = "all cores", .width = 9),
	GB_PER_S(struct pair_row, of.write_mbps[BANDWIDTH_ONE_CORE], .always_recorded = true,
		 .name = "write_one_mbps", .meaning = "non-temporal", .title = "nt write",
		 .unit = "1 core", .width = 9),
	GB_PER_S(struct pair_row, of.write_mbps[BANDWIDTH_ALL_CORES], .always_recorded = true,
		 .name = "write_all_mbps", .meaning = "non-temporal", .title = "nt write",
		 .unit = "all cores", .width = 9),
	FIELD(struct pair_row, of.latency_ps, AS_SCALED, .scale = PS_PER_NS, .decimals = 1,
	      .unless_zero = true, .always_recorded = true, .name = "latency_ps",
	      .meaning = "of a dependent load", .title = "latency", .unit = "ns", .width = 9),
	FIELD(struct pair_row, hmat.read_mbps, AS_NUMBER, .name = "hmat_read_mbps",
	      .meaning = "0: unknown"),
	FIELD(struct pair_row, hmat.write_mbps, AS_NUMBER, .name = "hmat_write_mbps",
	      .meaning = "0: unknown"),
	FIELD(struct pair_row, hmat.read_latency_ns, AS_NUMBER, .name = "hmat_read_latency_ns",
	      .meaning = "0: unknown"),
	FIELD(struct pair_row, distance, AS_NUMBER, .name = "distance"),
	OFF(CLAIM_READ, "read_off"),
	OFF(CLAIM_WRITE, "write_off"),
	OFF(CLAIM_LATENCY, "latency_off"),
	OFF(CLAIM_DISTANCE, "distance_off"),
};
const struct record_type matrix_record =
	RECORD_TYPE("matrix", "pair of nodes of experiment bandwidth", pair_fields);

#define CLAIMED(kind, divisor, places, label, what, wide)                                        \
	FIELD(struct pair_row, CLAIM(kind).claimed, AS_SCALED, .scale = (divisor),               \
	      .decimals = (places), .unless_zero = true, .title = (label), .unit = (what),       \
	      .width = (wide)),                                                                  \
	FIELD(struct pair_row, CLAIM(kind).measured, AS_RATIO,                                   \
	      PER(struct pair_row, CLAIM(kind).claimed),                                         \
	      IF(struct pair_row, CLAIM(kind).known), .decimals = 2, .title = "x",               \
	      .unit = "found", .width = 7)

static const struct field claim_fields[] = {
	FIELD(struct pair_row, of.initiator, AS_NUMBER, .title = "CPUs of", .unit = "node",
	      .width = 7),
	FIELD(struct pair_row, of.target, AS_NUMBER, .title = "memory", .unit = "of node",
	      .width = 7),
	CLAIMED(CLAIM_READ, MBPS_PER_GBPS, 2, "HMAT", "read GB/s", 9),
	CLAIMED(CLAIM_WRITE, MBPS_PER_GBPS, 2, "HMAT", "write", 8),
	CLAIMED(CLAIM_LATENCY, PS_PER_NS, 0, "HMAT", "ns", 6),
	CLAIMED(CLAIM_DISTANCE, MILLI, 2, "SLIT", "/ local", 8),
	FIELD(struct pair_row, off, AS_TEXT, .title = "", .width = -3),
};

static struct pair_row pair_row(const struct bandwidth_results *results,
				const struct topology *topology, uint32_t number)
{
	const struct node_pair *pair = &results->pairs[number];
	struct pair_row row = {
		.of = *pair,
		.hmat = topology->bandwidth[pair->initiator][pair->target],
		.distance = topology->distance[pair->initiator][pair->target],
		.by_firmware = firmware_claims_of(results, topology, number),
	};

	row.off = row.by_firmware.off ? "OFF" : "";
	return row;
}

static void matrix_table(const struct report *report, const struct bandwidth_results *results,
			 const struct topology *topology)
{
	struct field_table table;

	report_heading(report, "node matrix: GB/s in random blocks of 1 MiB, and the latency of "
			       "dependent loads");
	field_table_begin(&table, report, FIELDS(pair_fields));
	for (uint32_t i = 0; i < report_rows(report, results->pair_count); i++) {
		struct pair_row row = pair_row(results, topology, i);

		field_table_row(&table, &row);
	}
	report_rest(report, results->pair_count, "pairs");
}

static void claims_table(const struct report *report, const struct bandwidth_results *results,
			 const struct topology *topology)
{
	struct field_table table;
	uint32_t off = 0;

	if (!firmware_claims_any(topology))
		return;
	report_heading(report, "what firmware claims, and what was found as a multiple of it");
	field_table_begin(&table, report, FIELDS(claim_fields));
	for (uint32_t i = 0; i < results->pair_count; i++) {
		struct pair_row row = pair_row(results, topology, i);

		off += row.by_firmware.off;
		if (i < report_rows(report, results->pair_count))
			field_table_row(&table, &row);
	}
	report_rest(report, results->pair_count, "pairs");
	if (off)
		report_line(report, "OFF: %u of the firmware's figures %s off by more than %ux: do "
				    "not size anything by %s.", off, off == 1 ? "is" : "are",
			    THRESHOLD_FIRMWARE_FACTOR, off == 1 ? "it" : "them");
}

/* ---- all of it ------------------------------------------------------------------------------ */

void report_bandwidth(struct report *report, const struct bandwidth_results *results,
		      const struct topology *topology)
{
	char ms[REPORT_CELL];

	sibling_table(report, results);
	reason_lines(report, results, topology->node_count);
	matrix_table(report, results, topology);
	claims_table(report, results, topology);
	report_ms(report, ms, results->cycles);
	report_line(report, "Each figure from %u us or one block; all of it took %s ms.",
		    results->slice_us, ms);
	if (results->timed_out)
		report_line(report, "Where \"-\" stands workers did not all meet in time.");
	reason_records(&report->records, results, topology->node_count);
	for (uint32_t i = 0; i < results->row_count; i++)
		stream_records(&report->records, &results->rows[i]);
	for (uint32_t i = 0; i < results->pair_count; i++) {
		struct pair_row row = pair_row(results, topology, i);

		field_record(&report->records, &matrix_record, &row);
	}
}
