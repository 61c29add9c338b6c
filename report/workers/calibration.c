/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/calibration.h"

#include "lib/format.h"
#include "lib/page_units.h"
#include "report/field.h"

/* ---- the single-core figures ---------------------------------------------------------------- */

struct figure_row {
	uint32_t node, core_mbps;
	struct calibrated_node of;
};

#define IF_MEASURED IF(struct figure_row, of.sample.count)

static const struct field figure_fields[] = {
	FIELD(struct figure_row, node, AS_NUMBER, .name = "node", .title = "node", .width = 4),
	FIELD(struct figure_row, of.reason, AS_TEXT, .unless_zero = true, .name = "reason",
	      .meaning = "where something was not measured"),
	FIELD(struct figure_row, of.cpu, AS_NUMBER, IF_MEASURED, .name = "cpu", .title = "CPU",
	      .width = 5),
	FIELD(struct figure_row, of.sample_pages, AS_NUMBER, IF_MEASURED, .name = "pages",
	      .meaning = "of a sample: 1 MiB of memmap, less on a very slow machine"),
	FIELD(struct figure_row, of.sample.count, AS_NUMBER, IF_MEASURED, .name = "count",
	      .meaning = "samples", .title = "samples", .width = 7),
	FIELD(struct figure_row, of.sample.mean, AS_NUMBER, IF_MEASURED, .name = "mean_cycles"),
	FIELD(struct figure_row, of.sample.min, AS_NUMBER, IF_MEASURED, .name = "min_cycles"),
	FIELD(struct figure_row, of.sample.median, AS_NUMBER, IF_MEASURED,
	      .name = "median_cycles"),
	FIELD(struct figure_row, of.sample.max, AS_NUMBER, IF_MEASURED, .name = "max_cycles"),
	FIELD(struct figure_row, of.sample.stddev, AS_NUMBER, IF_MEASURED,
	      .name = "stddev_cycles"),
	FIELD(struct figure_row, of.sample.median, AS_NS_PER,
	      PER(struct figure_row, of.sample_pages), .decimals = 2, .title = "ns/page",
	      .unit = "median", .width = 8),
	FIELD(struct figure_row, core_mbps, AS_SCALED, IF_MEASURED, .scale = 1000, .decimals = 2,
	      .name = "core_mbps", .title = "GB/s", .width = 8),
	FIELD(struct figure_row, of.sample.stddev, AS_PERCENT,
	      PER(struct figure_row, of.sample.median), .decimals = 1, .title = "stddev",
	      .unit = "% of it", .width = 8),
	FIELD(struct figure_row, of.sample.max, AS_PERCENT,
	      PER(struct figure_row, of.sample.median), .title = "max", .unit = "% of it",
	      .width = 8),
	FIELD(struct figure_row, of.core_cycles, AS_MS, IF_MEASURED, .name = "took_cycles",
	      .title = "took", .unit = "ms", .width = 9),
};
const struct record_type calibration_record = RECORD_TYPE(
	"calibration", "node, with experiment bandwidth or policy cores, hmat, calibrated or auto",
	figure_fields);

static struct figure_row figure_row(const struct calibration *calibration, uint32_t node)
{
	return (struct figure_row){ node, calibration->core_mbps[node],
				    calibration->nodes[node] };
}

static void figure_table(const struct report *report, const struct calibration *calibration,
			 const struct topology *topology)
{
	struct field_table table;

	report_heading(report, "what one core initialises, 1 MiB of memmap at a time");
	field_table_begin(&table, report, FIELDS(figure_fields));
	for (uint32_t node = 0; node < report_rows(report, topology->node_count); node++) {
		struct figure_row row = figure_row(calibration, node);

		if (row.of.sample.count)
			field_table_row(&table, &row);
	}
	report_rest(report, topology->node_count, "nodes");
	for (uint32_t node = 0; node < topology->node_count; node++)
		if (calibration->nodes[node].reason)
			report_line(report, "Node %u: not all was measured: %s.", node,
				    calibration->nodes[node].reason);
}

/* ---- the search ----------------------------------------------------------------------------- */

struct curve_row {
	uint32_t node, workers;
	uint64_t pages, cycles, one_worker_cycles;
	bool complete;
	const char *note;
};

static const struct field curve_fields[] = {
	FIELD(struct curve_row, node, AS_NUMBER, .name = "node", .title = "node", .width = 4),
	FIELD(struct curve_row, workers, AS_NUMBER, .name = "workers", .title = "workers",
	      .width = 7),
	FIELD(struct curve_row, pages, AS_NUMBER, .name = "pages"),
	FIELD(struct curve_row, cycles, AS_NUMBER, .name = "cycles",
	      .meaning = "scaled to `pages`"),
	FIELD(struct curve_row, complete, AS_BOOL, .name = "complete",
	      .meaning = "the curve goes to all workers"),
	FIELD(struct curve_row, cycles, AS_NS_PER, PER(struct curve_row, pages), .decimals = 3,
	      .title = "ns/page", .width = 9),
	FIELD(struct curve_row, one_worker_cycles, AS_RATIO, PER(struct curve_row, cycles),
	      .decimals = 2, .unless_zero = true, .title = "speed-up", .unit = "vs 1",
	      .width = 8),
	FIELD(struct curve_row, note, AS_TEXT, .title = "", .width = -9),
};
const struct record_type curve_record =
	RECORD_TYPE("curve", "step of the search and node", curve_fields);

/* `knee`: how many workers it has, 0: none. */
static struct curve_row curve_row(const struct worker_curve *curve, uint32_t node, uint32_t i,
				  uint32_t knee)
{
	const struct worker_point *point = &curve->points[i];
	struct curve_row row = { node, point->workers, CALIBRATE_CURVE_PAGES, point->cycles,
				 curve->points[0].cycles, curve->complete, "" };

	if (point->workers == knee)
		row.note = "knee";
	else if (i + 1 == curve->count && !curve->complete)
		row.note = "time over";
	return row;
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
	struct field_table table;
	uint32_t rows = 0;

	report_heading(report, "the search for the knee, all nodes at once");
	field_table_begin(&table, report, FIELDS(curve_fields));
	for (uint32_t node = 0; node < topology->node_count; node++) {
		const struct worker_curve *curve = &calibration->curves[node];
		uint32_t knee = worker_curve_knee(curve);

		for (uint32_t i = 0; i < curve->count; i++) {
			struct curve_row row = curve_row(curve, node, i, knee);

			if (rows++ < report_rows(report, UINT32_MAX))
				field_table_row(&table, &row);
		}
	}
	report_rest(report, rows, "rows");
	cost_lines(report, calibration);
}

struct search_step_row {
	uint32_t number;
	struct calibrate_step step;
};

static const struct field step_fields[] = {
	FIELD(struct search_step_row, number, AS_NUMBER, .name = "step"),
	FIELD(struct search_step_row, step.cpus, AS_NUMBER, .name = "cpus",
	      .meaning = "on all nodes"),
	FIELD(struct search_step_row, step.left_cycles, AS_NUMBER, .name = "left_cycles",
	      .meaning = "of the search's time when it began"),
	FIELD(struct search_step_row, step.predicted_cycles, AS_NUMBER,
	      .name = "predicted_cycles", .meaning = "at most left_cycles"),
	FIELD(struct search_step_row, step.cycles, AS_NUMBER, .name = "cycles",
	      .meaning = "it took; 0: the CPUs did not all meet"),
};
const struct record_type search_step_record =
	RECORD_TYPE("search_step", "step of the search", step_fields);

static const struct field search_fields[] = {
	FIELD(struct calibration, step_count, AS_NUMBER, .name = "steps"),
	FIELD(struct calibration, estimate_cycles, AS_NUMBER, .name = "estimate_cycles",
	      .meaning = "what the initialisation takes at least, as known in the end"),
	FIELD(struct calibration, touch_cycles, AS_NUMBER, .name = "touch_cycles",
	      .meaning = "first touches before the search"),
	FIELD(struct calibration, search_cycles, AS_NUMBER, .name = "cycles",
	      .meaning = "it took"),
	FIELD(struct calibration, limit_cycles, AS_NUMBER, .name = "limit_cycles",
	      .meaning = "it had: 5 % of the estimate"),
};
const struct record_type search_record =
	RECORD_TYPE("search", "search, if there was time to begin", search_fields);

/* ---- all of it ------------------------------------------------------------------------------ */

static void figure_records(struct record_stream *records, const struct calibration *calibration,
			   uint32_t node_count)
{
	for (uint32_t node = 0; node < node_count; node++) {
		struct figure_row row = figure_row(calibration, node);

		field_record(records, &calibration_record, &row);
	}
	for (uint32_t node = 0; node < node_count; node++)
		for (uint32_t i = 0; i < calibration->curves[node].count; i++) {
			struct curve_row row = curve_row(&calibration->curves[node], node, i, 0);

			field_record(records, &curve_record, &row);
		}
}

void report_calibration(struct report *report, const struct calibration *calibration,
			const struct topology *topology)
{
	bool searched = calibration->search_cycles > 0 && calibration->estimate_cycles > 0;

	figure_table(report, calibration, topology);
	if (searched)
		curve_table(report, calibration, topology);
	figure_records(&report->records, calibration, topology->node_count);
	if (!searched)
		return;
	for (uint32_t i = 0; i < calibration->step_count; i++) {
		struct search_step_row row = { i, calibration->steps[i] };

		field_record(&report->records, &search_step_record, &row);
	}
	field_record(&report->records, &search_record, calibration);
}
