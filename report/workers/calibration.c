/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/calibration.h"

#include "lib/format.h"
#include "lib/page_units.h"
#include "report/table.h"
#include "report/text.h"

static void figure_row(const struct report *report, struct table *table,
		       const struct calibration *calibration, uint32_t node)
{
	const struct calibrated_node *n = &calibration->nodes[node];

	table_u64(table, node);
	table_u64(table, n->cpu);
	table_u64(table, n->sample.count);
	table_ratio(table, report_ns(report, n->sample.median), n->sample_pages, 2);
	table_ratio(table, calibration->core_mbps[node], 1000, 2);
	table_ratio(table, mul_div_u64(n->sample.stddev, 100, 1), n->sample.median, 1);
	table_ratio(table, mul_div_u64(n->sample.max, 100, 1), n->sample.median, 0);
	table_ms(table, n->core_cycles);
}

static void figure_table(const struct report *report, const struct calibration *calibration,
			 const struct topology *topology)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	   { "CPU", "", 5 },	 { "samples", "", 7 },
		{ "ns/page", "median", 8 }, { "GB/s", "", 8 },	 { "stddev", "% of it", 8 },
		{ "max", "% of it", 8 },   { "took", "ms", 9 },
	};
	struct table table;

	report_heading(report, "what one core initialises, 1 MiB of memmap at a time");
	table_begin(&table, report, columns, 8);
	for (uint32_t node = 0; node < report_rows(report, topology->node_count); node++)
		if (calibration->nodes[node].sample.count)
			figure_row(report, &table, calibration, node);
	report_rest(report, topology->node_count, "nodes");
	for (uint32_t node = 0; node < topology->node_count; node++)
		if (calibration->nodes[node].reason)
			report_line(report, "Node %u: not all was measured: %s.", node,
				    calibration->nodes[node].reason);
}

static void curve_row(const struct report *report, struct table *table,
		      const struct worker_curve *curve, uint32_t node, uint32_t i)
{
	const struct worker_point *point = &curve->points[i];

	table_u64(table, node);
	table_u64(table, point->workers);
	table_ratio(table, report_ns(report, point->cycles), CALIBRATE_CURVE_PAGES, 3);
	table_speedup(table, curve->points[0].cycles, point->cycles);
	if (point->workers == worker_curve_knee(curve))
		table_text(table, "knee");
	else
		table_text(table, i + 1 == curve->count && !curve->complete ? "time over" : "");
}

/* What it took, and by how much that is more than it had: by the steps that took longer than they
 * were predicted to. */
static void cost_lines(const struct report *report, const struct calibration *calibration)
{
	char took[REPORT_CELL], percent[REPORT_CELL], least[REPORT_CELL], touch[REPORT_CELL];
	uint64_t cycles = calibration->search_cycles, limit = calibration->limit_cycles;

	format_ratio(percent, mul_div_u64(cycles, 100, 1), calibration->estimate_cycles, 1);
	report_wrapped(report,
		       "It took %s ms, %s %% of the %s ms that the initialisation takes at least; "
		       "%u %% are for it.",
		       report_ms(report, took, cycles), percent,
		       report_ms(report, least, calibration->estimate_cycles), CALIBRATE_PERCENT);
	if (cycles > limit)
		report_line(report, "That is %s ms too long: more than was predicted, see the "
				    "records of its steps.",
			    report_ms(report, took, cycles - limit));
	if (calibration->touch_cycles)
		report_wrapped(report,
			       "Before it its frames were touched, in %s ms: first touches take "
			       "longer than the stores here, as under a hypervisor.",
			       report_ms(report, touch, calibration->touch_cycles));
}

static void curve_table(const struct report *report, const struct calibration *calibration,
			const struct topology *topology)
{
	static const struct column columns[] = {
		{ "node", "", 4 }, { "workers", "", 7 }, { "ns/page", "", 9 },
		{ "speed-up", "vs 1", 8 }, { "", "", -9 },
	};
	uint32_t rows = 0;
	struct table table;

	report_heading(report, "the search for the knee, all nodes at once");
	table_begin(&table, report, columns, 5);
	for (uint32_t node = 0; node < topology->node_count; node++)
		for (uint32_t i = 0; i < calibration->curves[node].count; i++)
			if (rows++ < report_rows(report, UINT32_MAX))
				curve_row(report, &table, &calibration->curves[node], node, i);
	report_rest(report, rows, "rows");
	cost_lines(report, calibration);
}

static void node_record(struct record_stream *records, const struct calibration *calibration,
			uint32_t node)
{
	const struct calibrated_node *n = &calibration->nodes[node];

	record_begin(records, "calibration");
	record_u64(records, "node", node);
	if (n->reason)
		record_text(records, "reason", n->reason);
	if (n->sample.count) {
		record_u64(records, "cpu", n->cpu);
		record_u64(records, "pages", n->sample_pages);
		record_summary(records, &n->sample);
		record_u64(records, "core_mbps", calibration->core_mbps[node]);
		record_u64(records, "took_cycles", n->core_cycles);
	}
	record_end(records);
}

static void curve_records(struct record_stream *records, const struct worker_curve *curve,
			  uint32_t node)
{
	for (uint32_t i = 0; i < curve->count; i++) {
		record_begin(records, "curve");
		record_u64(records, "node", node);
		record_u64(records, "workers", curve->points[i].workers);
		record_u64(records, "pages", CALIBRATE_CURVE_PAGES);
		record_u64(records, "cycles", curve->points[i].cycles);
		record_bool(records, "complete", curve->complete);
		record_end(records);
	}
}

static void step_record(struct record_stream *records, const struct calibrate_step *step,
			uint32_t index)
{
	record_begin(records, "search_step");
	record_u64(records, "step", index);
	record_u64(records, "cpus", step->cpus);
	record_u64(records, "left_cycles", step->left_cycles);
	record_u64(records, "predicted_cycles", step->predicted_cycles);
	record_u64(records, "cycles", step->cycles);
	record_end(records);
}

void report_calibration(struct report *report, const struct calibration *calibration,
			const struct topology *topology)
{
	struct record_stream *records = &report->records;
	bool searched = calibration->search_cycles > 0 && calibration->estimate_cycles > 0;

	figure_table(report, calibration, topology);
	if (searched)
		curve_table(report, calibration, topology);
	for (uint32_t node = 0; node < topology->node_count; node++)
		node_record(records, calibration, node);
	for (uint32_t node = 0; node < topology->node_count; node++)
		curve_records(records, &calibration->curves[node], node);
	if (!searched)
		return;
	for (uint32_t i = 0; i < calibration->step_count; i++)
		step_record(records, &calibration->steps[i], i);
	record_begin(records, "search");
	record_u64(records, "steps", calibration->step_count);
	record_u64(records, "estimate_cycles", calibration->estimate_cycles);
	record_u64(records, "touch_cycles", calibration->touch_cycles);
	record_u64(records, "cycles", calibration->search_cycles);
	record_u64(records, "limit_cycles", calibration->limit_cycles);
	record_end(records);
}
