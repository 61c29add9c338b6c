/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/bandwidth.h"

#include "lab/summary/firmware_claims.h"
#include "lab/summary/thresholds.h"
#include "lib/format.h"
#include "report/table.h"
#include "report/text.h"

enum { MBPS_PER_GBPS = 1000, PS_PER_NS = 1000 };

static const char *const kind_names[STREAM_KINDS] = { "read", "write", "write-nt", "init" };
static const char *const order_names[STREAM_ORDERS] = { "random", "sequential" };

static void gbps_cell(struct table *table, uint64_t mbps)
{
	if (mbps)
		table_ratio(table, mbps, MBPS_PER_GBPS, 2);
	else
		table_text(table, "-");
}

/* ---- siblings ------------------------------------------------------------------------------- */

static void sibling_table(const struct report *report, const struct bandwidth_results *results)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	 { "workers", "", 7 },	 { "cores", "", 5 },
		{ "read", "random", 8 }, { "read", "seq.", 8 },	 { "write", "random", 8 },
		{ "write", "seq.", 8 },	 { "nt write", "random", 8 }, { "nt write", "seq.", 8 },
		{ "init", "random", 8 }, { "init", "seq.", 8 },
	};
	struct table table;

	report_heading(report, "siblings: GB/s of a node's CPUs on its own memory, blocks of "
			       "1 MiB");
	table_begin(&table, report, columns, 11);
	for (uint32_t i = 0; i < report_rows(report, results->row_count); i++) {
		const struct sibling_row *row = &results->rows[i];

		table_u64(&table, row->node);
		table_u64(&table, row->workers);
		table_u64(&table, row->cores);
		for (int kind = 0; kind < STREAM_KINDS; kind++)
			for (int order = 0; order < STREAM_ORDERS; order++)
				gbps_cell(&table, row->mbps[kind][order]);
	}
	report_rest(report, results->row_count, "rows");
}

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
		if (!results->reasons[node])
			continue;
		record_begin(records, "unmeasured");
		record_u64(records, "node", node);
		record_text(records, "reason", results->reasons[node]);
		record_end(records);
	}
}

static void sibling_record(struct record_stream *records, const struct sibling_row *row, int kind,
			   int order)
{
	record_begin(records, "stream");
	record_u64(records, "node", row->node);
	record_u64(records, "workers", row->workers);
	record_u64(records, "cores", row->cores);
	record_text(records, "kind", kind_names[kind]);
	record_text(records, "order", order_names[order]);
	record_u64(records, "mbps", row->mbps[kind][order]);
	record_end(records);
}

/* ---- the matrix ----------------------------------------------------------------------------- */

static void matrix_table(const struct report *report, const struct bandwidth_results *results)
{
	static const struct column columns[] = {
		{ "CPUs of", "node", 7 },  { "memory", "of node", 7 },
		{ "read", "1 core", 9 },   { "read", "all cores", 9 },
		{ "nt write", "1 core", 9 }, { "nt write", "all cores", 9 },
		{ "latency", "ns", 9 },
	};
	struct table table;

	report_heading(report, "node matrix: GB/s in random blocks of 1 MiB, and the latency of "
			       "dependent loads");
	table_begin(&table, report, columns, 7);
	for (uint32_t i = 0; i < report_rows(report, results->pair_count); i++) {
		const struct node_pair *pair = &results->pairs[i];

		table_u64(&table, pair->initiator);
		table_u64(&table, pair->target);
		for (int crew = 0; crew < STREAM_CREWS; crew++)
			gbps_cell(&table, pair->read_mbps[crew]);
		for (int crew = 0; crew < STREAM_CREWS; crew++)
			gbps_cell(&table, pair->write_mbps[crew]);
		if (pair->latency_ps)
			table_ratio(&table, pair->latency_ps, PS_PER_NS, 1);
		else
			table_text(&table, "-");
	}
	report_rest(report, results->pair_count, "pairs");
}

/* ---- what firmware claims ------------------------------------------------------------------- */

static void claim_cells(struct table *table, const struct firmware_claim *claim, uint64_t unit,
			unsigned decimals)
{
	if (claim->claimed)
		table_ratio(table, claim->claimed, unit, decimals);
	else
		table_text(table, "-");
	if (claim->known)
		table_ratio(table, claim->measured, claim->claimed, 2);
	else
		table_text(table, "-");
}

static void claim_row(struct table *table, const struct node_pair *pair,
		      const struct pair_claims *of)
{
	const struct firmware_claim *claims = of->claims;

	table_u64(table, pair->initiator);
	table_u64(table, pair->target);
	claim_cells(table, &claims[CLAIM_READ], MBPS_PER_GBPS, 2);
	claim_cells(table, &claims[CLAIM_WRITE], MBPS_PER_GBPS, 2);
	claim_cells(table, &claims[CLAIM_LATENCY], PS_PER_NS, 0);
	claim_cells(table, &claims[CLAIM_DISTANCE], 1000, 2);
	table_text(table, of->off ? "OFF" : "");
}

static void claims_table(const struct report *report, const struct bandwidth_results *results,
			 const struct topology *topology)
{
	static const struct column columns[] = {
		{ "CPUs of", "node", 7 },   { "memory", "of node", 7 },
		{ "HMAT", "read GB/s", 9 }, { "x", "found", 7 },
		{ "HMAT", "write", 8 },	    { "x", "found", 7 },
		{ "HMAT", "ns", 6 },	    { "x", "found", 7 },
		{ "SLIT", "/ local", 8 },   { "x", "found", 7 },
		{ "", "", -3 },
	};
	uint32_t off = 0;
	struct table table;

	if (!firmware_claims_any(topology))
		return;
	report_heading(report, "what firmware claims, and what was found as a multiple of it");
	table_begin(&table, report, columns, 11);
	for (uint32_t i = 0; i < results->pair_count; i++) {
		struct pair_claims of = firmware_claims_of(results, topology, i);

		off += of.off;
		if (i < report_rows(report, results->pair_count))
			claim_row(&table, &results->pairs[i], &of);
	}
	report_rest(report, results->pair_count, "pairs");
	if (off)
		report_line(report, "OFF: %u of the firmware's figures %s off by more than %ux: do "
				    "not size anything by %s.", off, off == 1 ? "is" : "are",
			    THRESHOLD_FIRMWARE_FACTOR, off == 1 ? "it" : "them");
}

static void pair_record(struct record_stream *records, const struct bandwidth_results *results,
			const struct topology *topology, uint32_t number)
{
	static const char *const off_names[CLAIM_KINDS] = { "read_off", "write_off", "latency_off",
							    "distance_off" };
	const struct node_pair *pair = &results->pairs[number];
	const struct hmat_pair *hmat = &topology->bandwidth[pair->initiator][pair->target];
	struct pair_claims of = firmware_claims_of(results, topology, number);

	record_begin(records, "matrix");
	record_u64(records, "initiator", pair->initiator);
	record_u64(records, "target", pair->target);
	record_u64(records, "read_one_mbps", pair->read_mbps[STREAM_ONE_CORE]);
	record_u64(records, "read_all_mbps", pair->read_mbps[STREAM_ALL_CORES]);
	record_u64(records, "write_one_mbps", pair->write_mbps[STREAM_ONE_CORE]);
	record_u64(records, "write_all_mbps", pair->write_mbps[STREAM_ALL_CORES]);
	record_u64(records, "latency_ps", pair->latency_ps);
	record_u64(records, "hmat_read_mbps", hmat->read_mbps);
	record_u64(records, "hmat_write_mbps", hmat->write_mbps);
	record_u64(records, "hmat_read_latency_ns", hmat->read_latency_ns);
	record_u64(records, "distance", topology->distance[pair->initiator][pair->target]);
	for (int kind = 0; kind < CLAIM_KINDS; kind++)
		if (of.claims[kind].known)
			record_bool(records, off_names[kind], of.claims[kind].off);
	record_end(records);
}

void report_bandwidth(struct report *report, const struct bandwidth_results *results,
		      const struct topology *topology)
{
	char ms[REPORT_CELL];

	sibling_table(report, results);
	reason_lines(report, results, topology->node_count);
	matrix_table(report, results);
	claims_table(report, results, topology);
	report_ms(report, ms, results->cycles);
	report_line(report, "Each figure from %u us or one block; all of it took %s ms.",
		    results->slice_us, ms);
	if (results->timed_out)
		report_line(report, "Where \"-\" stands workers did not all meet in time.");
	reason_records(&report->records, results, topology->node_count);
	for (uint32_t i = 0; i < results->row_count; i++)
		for (int kind = 0; kind < STREAM_KINDS; kind++)
			for (int order = 0; order < STREAM_ORDERS; order++)
				sibling_record(&report->records, &results->rows[i], kind, order);
	for (uint32_t i = 0; i < results->pair_count; i++)
		pair_record(&report->records, results, topology, i);
}
