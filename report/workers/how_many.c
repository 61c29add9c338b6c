/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/how_many.h"

#include "lib/format.h"
#include "lib/string.h"
#include "report/table.h"
#include "report/text.h"

enum { NODES_BYTES = NODE_MAX * 4 + 1 }; /* their numbers, with commas */

/* ---- the table ------------------------------------------------------------------------------ */

static void time_cells(struct table *table, const struct summary *cycles, uint64_t best_cycles)
{
	if (cycles->count) {
		table_ms(table, cycles->median);
		table_ratio(table, mul_div_u64(cycles->median, 100, 1), best_cycles, 1);
	} else {
		table_text(table, "-");
		table_text(table, "-");
	}
}

static void node_row(struct table *table, const struct worker_verdict *verdict, uint32_t node,
		     int first)
{
	const struct worker_time *times = verdict->times[node];

	table_u64(table, node);
	table_u64(table, times[first].count.workers);
	if (times[first].cycles.count)
		table_u64(table, times[first].ran);
	else
		table_text(table, "-");
	time_cells(table, &times[first].cycles, verdict->best[node].cycles);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (times[rule].same_as != times[first].same_as)
			table_text(table, "");
		else
			table_text(table, times[rule].own ? "x" :
						worker_rule_name(times[rule].count.used));
}

/* Of the slowest node of each run. */
static void last_row(struct table *table, const struct worker_verdict *verdict, int first)
{
	table_text(table, "last");
	table_text(table, "");
	table_text(table, "");
	time_cells(table, &verdict->all[first], verdict->all_best_cycles);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		table_text(table, (int)verdict->step_same_as[rule] == first ? "x" : "");
}

static void last_rows(struct table *table, const struct worker_verdict *verdict)
{
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if ((int)verdict->step_same_as[rule] == rule && verdict->all[rule].count)
			last_row(table, verdict, rule);
}

static uint32_t node_rows(struct table *table, const struct worker_verdict *verdict, uint32_t node,
			  uint32_t rows)
{
	const struct worker_time *times = verdict->times[node];

	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (times[rule].count.workers && (int)times[rule].same_as == rule &&
		    rows++ < report_rows(table->report, UINT32_MAX))
			node_row(table, verdict, node, rule);
	return rows;
}

static void legend(const struct report *report, const struct worker_verdict *verdict)
{
	report_line(report, "x: the rules that give this number; a name: the rule that one falls "
			    "back to.");
	if (!verdict->all_best_cycles) {
		report_line(report, "\"-\": nothing was timed; with run=init they are compared, if "
				    "anything is deferred.");
		return;
	}
	report_line(report, "best: the fastest of all numbers that were run.");
	if (verdict->node_count > 1)
		report_wrapped(report,
			       "last: until the last node was done. All nodes run at once: a "
			       "number comes twice where the others' numbers were not the same.");
}

static void rule_table(const struct report *report, const struct worker_verdict *verdict)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	{ "workers", "", 7 },	{ "took", "part", 4 },
		{ "median", "ms", 9 },	{ "% of", "best", 6 },	{ "quarter", "", -7 },
		{ "all", "", -3 },	{ "cores", "", -5 },	{ "hmat", "", -10 },
		{ "calibrated", "", -10 }, { "auto", "", -10 },
	};
	struct table table;
	uint32_t rows = 0;

	report_heading(report, "how many workers?");
	table_begin(&table, report, columns, 11);
	for (uint32_t node = 0; node < verdict->node_count; node++)
		rows = node_rows(&table, verdict, node, rows);
	report_rest(report, rows, "rows");
	if (verdict->node_count > 1)
		last_rows(&table, verdict);
	legend(report, verdict);
}

/* ---- why ------------------------------------------------------------------------------------ */

static const char *reason_of(const struct worker_verdict *verdict, uint32_t node, int rule)
{
	const struct worker_count *count = &verdict->times[node][rule].count;

	return count->workers && count->reason ? count->reason : "";
}

static bool said_before(const struct worker_verdict *verdict, uint32_t node, int rule)
{
	const char *reason = reason_of(verdict, node, rule);

	if (rule == RULE_AUTO && string_equal(reason, reason_of(verdict, node, RULE_CALIBRATED)))
		return true;
	for (uint32_t i = 0; i < node; i++)
		if (string_equal(reason, reason_of(verdict, i, rule)))
			return true;
	return false;
}

/* One line for all nodes with the same. */
static void reason_line(const struct report *report, const struct worker_verdict *verdict,
			uint32_t node, int rule)
{
	const char *reason = reason_of(verdict, node, rule);
	char nodes[NODES_BYTES];
	size_t length = 0;

	if (!*reason || said_before(verdict, node, rule))
		return;
	for (uint32_t i = node; i < verdict->node_count; i++)
		if (string_equal(reason, reason_of(verdict, i, rule)))
			length += format(nodes + length, sizeof(nodes) - length, "%s%u",
					 length ? ", " : "", i);
	report_wrapped(report, "Rule %s falls back, node %s: %s.",
		       worker_rule_name((enum worker_rule)rule), nodes, reason);
}

static void node_lines(const struct report *report, const struct worker_verdict *verdict,
		       uint32_t node)
{
	const struct worker_count *all = &verdict->times[node][RULE_ALL].count;
	const struct worker_count *hmat = &verdict->times[node][RULE_HMAT].count;

	if (!all->workers)
		report_line(report, "Node %u: no workers: %s.", node,
			    all->reason ? all->reason : "none can work");
	if (hmat->workers && !hmat->reason)
		report_wrapped(report,
			       "Node %u, hmat: %u MB/s for node %u's CPUs, %u MB/s for one core.",
			       node, hmat->node_mbps, hmat->initiator, hmat->core_mbps);
}

/* By the slowest node with the numbers that the search has led to. */
static void search_line(const struct report *report, const struct worker_verdict *verdict,
			const struct calibration *calibration)
{
	char took[REPORT_CELL], percent[REPORT_CELL], whole[REPORT_CELL];
	uint64_t slowest = verdict->all[RULE_CALIBRATED].median;

	if (!calibration->step_count || !slowest)
		return;
	format_ratio(percent, mul_div_u64(calibration->search_cycles, 100, 1), slowest, 1);
	report_wrapped(report,
		       "The search for rule calibrated took %s ms, %s %% of the %s ms that the "
		       "initialisation took with its numbers.",
		       report_ms(report, took, calibration->search_cycles), percent,
		       report_ms(report, whole, slowest));
}

/* ---- records -------------------------------------------------------------------------------- */

static void rule_record(struct record_stream *records, const struct worker_verdict *verdict,
			uint32_t node, enum worker_rule rule)
{
	const struct worker_time *time = &verdict->times[node][rule];

	record_begin(records, "rule");
	record_u64(records, "node", node);
	record_text(records, "rule", worker_rule_name(rule));
	record_u64(records, "workers", time->count.workers);
	record_text(records, "used", worker_rule_name(time->count.used));
	if (time->count.reason)
		record_text(records, "reason", time->count.reason);
	if (rule == RULE_HMAT && time->count.initiator != NODE_NONE)
		record_u64(records, "initiator", time->count.initiator);
	if (rule == RULE_HMAT) {
		record_u64(records, "node_mbps", time->count.node_mbps);
		record_u64(records, "core_mbps", time->count.core_mbps);
	}
	if (time->cycles.count) {
		record_u64(records, "step", verdict->steps[rule]);
		record_u64(records, "ran_workers", time->ran);
		record_u64(records, "median_cycles", time->cycles.median);
	}
	if (verdict->best[node].cycles) {
		record_u64(records, "best_workers", verdict->best[node].workers);
		record_u64(records, "best_median_cycles", verdict->best[node].cycles);
	}
	record_end(records);
}

static void all_record(struct record_stream *records, const struct worker_verdict *verdict,
		       enum worker_rule rule)
{
	record_begin(records, "rule_all");
	record_text(records, "rule", worker_rule_name(rule));
	record_u64(records, "median_cycles", verdict->all[rule].median);
	record_u64(records, "best_median_cycles", verdict->all_best_cycles);
	record_end(records);
}

void report_how_many(struct report *report, const struct worker_verdict *verdict,
		     const struct calibration *calibration)
{
	uint32_t nodes = verdict->node_count;

	rule_table(report, verdict);
	for (uint32_t node = 0; node < nodes; node++)
		node_lines(report, verdict, node);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		for (uint32_t node = 0; node < nodes; node++)
			reason_line(report, verdict, node, rule);
	search_line(report, verdict, calibration);
	for (uint32_t node = 0; node < nodes; node++)
		for (int rule = 0; rule < RULE_COUNT; rule++)
			rule_record(&report->records, verdict, node, (enum worker_rule)rule);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (verdict->all[rule].count)
			all_record(&report->records, verdict, (enum worker_rule)rule);
}
