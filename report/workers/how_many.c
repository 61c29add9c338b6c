/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/how_many.h"

#include "lib/format.h"
#include "lib/string.h"
#include "lib/text.h"
#include "report/field.h"


/* ---- the table ------------------------------------------------------------------------------ */

/* A number that some rules give a node, or what the rules gave until the last node was done. */
struct marked_row {
	char node[REPORT_CELL], workers[REPORT_CELL], ran[REPORT_CELL];
	struct summary cycles;
	uint64_t best_cycles;
	const char *marks[RULE_COUNT];
};

#define MARK(rule, label, wide)                                                                  \
	FIELD(struct marked_row, marks[rule], AS_TEXT, .title = (label), .width = -(wide))

static const struct field number_fields[] = {
	FIELD(struct marked_row, node, AS_TEXT, .title = "node", .width = 4),
	FIELD(struct marked_row, workers, AS_TEXT, .title = "workers", .width = 7),
	FIELD(struct marked_row, ran, AS_TEXT, .title = "took", .unit = "part", .width = 4),
	FIELD(struct marked_row, cycles.median, AS_MS, IF(struct marked_row, cycles.count),
	      .title = "median", .unit = "ms", .width = 9),
	FIELD(struct marked_row, cycles.median, AS_PERCENT, PER(struct marked_row, best_cycles),
	      IF(struct marked_row, cycles.count), .decimals = 1, .title = "% of",
	      .unit = "best", .width = 6),
	MARK(RULE_QUARTER, "quarter", 7),
	MARK(RULE_ALL, "all", 3),
	MARK(RULE_CORES, "cores", 5),
	MARK(RULE_HMAT, "hmat", 10),
	MARK(RULE_CALIBRATED, "calibrated", 10),
	MARK(RULE_AUTO, "auto", 10),
};

static void node_row(struct field_table *table, const struct worker_verdict *verdict,
		     uint32_t node, int first)
{
	const struct rule_numbers *numbers = verdict->numbers;
	const struct worker_time *times = verdict->times[node];
	struct marked_row row = { .ran = "-", .cycles = times[first].cycles,
				  .best_cycles = verdict->best[node].cycles };

	format(row.node, REPORT_CELL, "%u", node);
	format(row.workers, REPORT_CELL, "%u", numbers->workers[first][node]);
	if (row.cycles.count)
		format(row.ran, REPORT_CELL, "%u", times[first].ran);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (times[rule].same_as == times[first].same_as)
			row.marks[rule] = times[rule].own ? "x" :
				worker_rule_name(numbers->counts[rule][node].used);
	field_table_row(table, &row);
}

/* Of the slowest node of each run. */
static void last_row(struct field_table *table, const struct worker_verdict *verdict, int first)
{
	struct marked_row row = { .node = "last", .cycles = verdict->all[first],
				  .best_cycles = verdict->all_best_cycles };

	for (int rule = 0; rule < RULE_COUNT; rule++)
		if ((int)verdict->step_same_as[rule] == first)
			row.marks[rule] = "x";
	field_table_row(table, &row);
}

static void last_rows(struct field_table *table, const struct worker_verdict *verdict)
{
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if ((int)verdict->step_same_as[rule] == rule && verdict->all[rule].count)
			last_row(table, verdict, rule);
}

static uint32_t node_rows(struct field_table *table, const struct worker_verdict *verdict,
			  uint32_t node, uint32_t rows)
{
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (verdict->numbers->workers[rule][node] &&
		    (int)verdict->times[node][rule].same_as == rule &&
		    rows++ < report_rows(table->table.report, UINT32_MAX))
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
	struct field_table table;
	uint32_t rows = 0;

	report_heading(report, "how many workers?");
	field_table_begin(&table, report, FIELDS(number_fields));
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
	const struct worker_count *count = &verdict->numbers->counts[rule][node];

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

struct same_reason {
	const struct worker_verdict *verdict;
	const char *reason;
	int rule;
};

static bool has_reason(const void *context, uint32_t node)
{
	const struct same_reason *same = context;

	return string_equal(same->reason, reason_of(same->verdict, node, same->rule));
}

/* One line for all nodes with the same. */
static void reason_line(const struct report *report, const struct worker_verdict *verdict,
			uint32_t node, int rule)
{
	const char *reason = reason_of(verdict, node, rule);
	const struct same_reason same = { verdict, reason, rule };
	char numbers[REPORT_TEXT / 2];
	struct text nodes = text_in(numbers, sizeof(numbers));

	if (!*reason || said_before(verdict, node, rule))
		return;
	text_add_numbers(&nodes, verdict->node_count, has_reason, &same);
	report_wrapped(report, "Rule %s falls back, node %s: %s.",
		       worker_rule_name((enum worker_rule)rule), nodes.to, reason);
}

static void node_lines(const struct report *report, const struct worker_verdict *verdict,
		       uint32_t node)
{
	const struct worker_count *all = &verdict->numbers->counts[RULE_ALL][node];
	const struct worker_count *hmat = &verdict->numbers->counts[RULE_HMAT][node];

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

struct rule_row {
	uint32_t node;
	enum worker_rule rule;
	struct worker_count count;
	uint32_t step, ran;
	struct summary cycles;
	struct worker_point best;
	bool is_hmat;
};

#define IF_TIMED IF(struct rule_row, cycles.count)
#define IF_HMAT IF(struct rule_row, is_hmat)
#define RULE_WORDS WORDS(rule_word, RULE_COUNT)

static const char *rule_word(uint32_t rule)
{
	return worker_rule_name((enum worker_rule)rule);
}

static const struct field rule_fields[] = {
	FIELD(struct rule_row, node, AS_NUMBER, .name = "node"),
	FIELD(struct rule_row, rule, AS_WORD, RULE_WORDS, .name = "rule"),
	FIELD(struct rule_row, count.workers, AS_NUMBER, .name = "workers",
	      .meaning = "0: nobody can, or no RAM"),
	FIELD(struct rule_row, count.used, AS_WORD, RULE_WORDS, .name = "used",
	      .meaning = "the rule whose number it is"),
	FIELD(struct rule_row, count.reason, AS_TEXT, .unless_zero = true, .name = "reason",
	      .meaning = "where it fell back"),
	FIELD(struct rule_row, count.initiator, AS_NUMBER, IF_HMAT, .unless_all_ones = true,
	      .name = "initiator", .meaning = "of rule hmat: a node"),
	FIELD(struct rule_row, count.node_mbps, AS_NUMBER, IF_HMAT, .name = "node_mbps",
	      .meaning = "of rule hmat"),
	FIELD(struct rule_row, count.core_mbps, AS_NUMBER, IF_HMAT, .name = "core_mbps",
	      .meaning = "of rule hmat"),
	FIELD(struct rule_row, step, AS_NUMBER, IF_TIMED, .name = "step",
	      .meaning = "of the comparison, where it was timed"),
	FIELD(struct rule_row, ran, AS_NUMBER, IF_TIMED, .name = "ran_workers"),
	FIELD(struct rule_row, cycles.median, AS_NUMBER, IF_TIMED, .name = "median_cycles"),
	FIELD(struct rule_row, best.workers, AS_NUMBER, IF(struct rule_row, best.cycles),
	      .name = "best_workers", .meaning = "of all steps of the comparison"),
	FIELD(struct rule_row, best.cycles, AS_NUMBER, .unless_zero = true,
	      .name = "best_median_cycles"),
};
const struct record_type rule_record =
	RECORD_TYPE("rule", "node and rule, with the `calibration`", rule_fields);

static void write_rule(struct record_stream *records, const struct worker_verdict *verdict,
		       uint32_t node, enum worker_rule rule)
{
	const struct worker_time *time = &verdict->times[node][rule];
	struct rule_row row = { node, rule, verdict->numbers->counts[rule][node],
				verdict->steps[rule], time->ran, time->cycles,
				verdict->best[node], rule == RULE_HMAT };

	field_record(records, &rule_record, &row);
}

struct rule_all_row {
	enum worker_rule rule;
	uint64_t cycles, best_cycles;
};

static const struct field rule_all_fields[] = {
	FIELD(struct rule_all_row, rule, AS_WORD, RULE_WORDS, .name = "rule"),
	FIELD(struct rule_all_row, cycles, AS_NUMBER, .name = "median_cycles",
	      .meaning = "until the slowest node was done"),
	FIELD(struct rule_all_row, best_cycles, AS_NUMBER, .name = "best_median_cycles",
	      .meaning = "of all steps of the comparison"),
};
const struct record_type rule_all_record =
	RECORD_TYPE("rule_all", "rule that was timed", rule_all_fields);

static void write_rule_all(struct record_stream *records, const struct worker_verdict *verdict,
			   enum worker_rule rule)
{
	struct rule_all_row row = { rule, verdict->all[rule].median, verdict->all_best_cycles };

	field_record(records, &rule_all_record, &row);
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
			write_rule(&report->records, verdict, node, (enum worker_rule)rule);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (verdict->all[rule].count)
			write_rule_all(&report->records, verdict, (enum worker_rule)rule);
}
