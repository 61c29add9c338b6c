/* How many workers? What each rule says of each node, what came of it, and what to do. */
#include "kernel/report_text.h"
#include "kernel/report_workers.h"
#include "lib/bootstrap.h"
#include "lib/format.h"

enum { GOOD_PERCENT = 105 };

/* ---- the table ------------------------------------------------------------------------------ */

static void percent_cell(struct table *table, uint64_t cycles, uint64_t best_cycles)
{
	if (cycles && best_cycles)
		table_ratio(table, mul_div_u64(cycles, 100, 1), best_cycles, 1);
	else
		table_text(table, "-");
}

static void rule_row(struct table *table, const struct worker_verdict *verdict, uint32_t node,
		     enum worker_rule rule)
{
	const struct worker_time *time = &verdict->times[node][rule];

	table_u64(table, node);
	table_text(table, worker_rule_name(rule));
	table_u64(table, time->count.workers);
	table_text(table, time->count.used == rule ? "" : worker_rule_name(time->count.used));
	if (time->cycles) {
		table_u64(table, time->ran);
		table_ms(table, time->cycles);
	} else {
		table_text(table, "-");
		table_text(table, "-");
	}
	percent_cell(table, time->cycles, verdict->best[node].cycles);
}

/* Of the slowest node of each run. */
static void all_row(struct table *table, const struct worker_verdict *verdict,
		    enum worker_rule rule)
{
	table_text(table, "last");
	table_text(table, worker_rule_name(rule));
	for (int cell = 0; cell < 3; cell++)
		table_text(table, "");
	table_ms(table, verdict->all_cycles[rule]);
	percent_cell(table, verdict->all_cycles[rule], verdict->all_best_cycles);
}

static bool any_time(const struct worker_verdict *verdict, uint32_t node_count)
{
	for (uint32_t node = 0; node < node_count; node++)
		if (verdict->best[node].cycles)
			return true;
	return false;
}

static void rule_table(const struct report *report, const struct worker_verdict *verdict,
		       uint32_t node_count)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	{ "rule", "", -10 },  { "workers", "", 7 },
		{ "falls back", "to", -10 }, { "took part", "", 9 }, { "median", "ms", 9 },
		{ "% of best", "time", 9 },
	};
	uint32_t rows = 0;
	struct table table;

	report_heading(report, "how many workers?");
	table_begin(&table, report, columns, 7);
	for (uint32_t node = 0; node < node_count; node++)
		for (int rule = 0; rule < RULE_COUNT; rule++)
			if (verdict->times[node][rule].count.workers &&
			    rows++ < report_rows(report, UINT32_MAX))
				rule_row(&table, verdict, node, (enum worker_rule)rule);
	report_rest(report, rows, "rows");
	for (int rule = 0; rule < RULE_COUNT && node_count > 1; rule++)
		if (verdict->all_cycles[rule])
			all_row(&table, verdict, (enum worker_rule)rule);
	if (!any_time(verdict, node_count)) {
		report_line(report, "\"-\": nothing was run with them; with run=init they are "
				    "compared.");
		return;
	}
	report_wrapped(report, "The best is the fastest of all numbers that were run; the same "
			       "number on all nodes is timed once, whichever rules give it.");
	if (node_count > 1)
		report_line(report, "last: until the last node was done.");
}

static void reason_lines(const struct report *report, const struct worker_verdict *verdict,
			 uint32_t node_count)
{
	for (uint32_t node = 0; node < node_count; node++)
		for (int rule = 0; rule < RULE_COUNT; rule++) {
			const struct worker_count *count = &verdict->times[node][rule].count;

			if (!rule && !count->workers)
				report_line(report, "Node %u: no workers: %s.", node,
					    count->reason ? count->reason : "none can work");
			if (count->workers && count->reason)
				report_wrapped(report, "Node %u, %s: %s.", node,
					       worker_rule_name((enum worker_rule)rule),
					       count->reason);
			else if (rule == RULE_HMAT && count->workers)
				report_wrapped(report,
					       "Node %u, hmat: %u MB/s for node %u's CPUs, %u MB/s "
					       "for one core.",
					       node, count->node_mbps, count->initiator,
					       count->core_mbps);
		}
}

/* ---- siblings ------------------------------------------------------------------------------- */

static void sibling_line(const struct report *report, const struct interval *interval,
			 uint32_t node, uint32_t count)
{
	char low[REPORT_CELL], median[REPORT_CELL], high[REPORT_CELL];
	const char *meaning = "whether siblings help cannot be told";

	if (interval->known && interval->low > 1000)
		meaning = "siblings help";
	if (interval->known && interval->high < 1000)
		meaning = "siblings are in the way";
	format_ratio(median, interval->median, 1000, 3);
	if (interval->known)
		report_wrapped(report,
			       "Node %u: one worker per core takes %s x the time of one per CPU "
			       "(95 %% sure: %s to %s, %u runs): %s.",
			       node, median, format_ratio(low, interval->low, 1000, 3),
			       format_ratio(high, interval->high, 1000, 3), count, meaning);
	else
		report_wrapped(report,
			       "Node %u: one worker per core takes %s x the time of one per CPU; "
			       "%u runs are too few to be sure, repeat=%u or more is needed.",
			       node, median, count, BOOTSTRAP_VALUES_MIN);
}

static bool has_siblings(const struct worker_verdict *verdict, uint32_t node)
{
	return verdict->times[node][RULE_ALL].count.workers >
	       verdict->times[node][RULE_CORES].count.workers;
}

static void sibling_lines(const struct report *report, const struct worker_verdict *verdict,
			  uint32_t node_count)
{
	uint32_t with = 0;

	for (uint32_t node = 0; node < node_count; node++) {
		uint32_t count = verdict->ratio_count[node];
		struct interval interval = bootstrap_median(verdict->ratios[node], count);

		with += has_siblings(verdict, node);
		if (count)
			sibling_line(report, &interval, node, count);
		else if (has_siblings(verdict, node))
			report_line(report,
				    "Node %u: its cores have siblings; whether they help was not "
				    "measured.",
				    node);
	}
	if (!with)
		report_line(report, "No core has a sibling online: one worker per core is one per "
				    "CPU.");
}

static void sibling_record(struct record_stream *records, const struct interval *interval,
			   uint32_t node, uint32_t count)
{
	record_begin(records, "siblings");
	record_u64(records, "node", node);
	record_u64(records, "count", count);
	record_bool(records, "known", interval->known);
	record_u64(records, "low_milli", interval->low);
	record_u64(records, "median_milli", interval->median);
	record_u64(records, "high_milli", interval->high);
	record_end(records);
}

/* ---- what to do ----------------------------------------------------------------------------- */

/* The fewest workers that are good enough; NULL: nothing was measured. */
static const struct worker_time *advice(const struct worker_verdict *verdict, uint32_t node)
{
	const struct worker_time *found = NULL;
	uint64_t limit = mul_div_u64(verdict->best[node].cycles, GOOD_PERCENT, 100);

	for (int rule = 0; rule < RULE_COUNT; rule++) {
		const struct worker_time *time = &verdict->times[node][rule];

		if (time->cycles && time->cycles <= limit && (!found || time->ran < found->ran))
			found = time;
	}
	return found;
}

static void advice_lines(const struct report *report, const struct worker_verdict *verdict,
			 uint32_t node_count)
{
	for (uint32_t node = 0; node < node_count; node++) {
		const struct worker_time *best = advice(verdict, node);

		if (best)
			report_wrapped(report,
				       "Node %u: take %u workers, as rule %s; no rule with fewer "
				       "is within 5 %% of the best.",
				       node, best->ran,
				       worker_rule_name((enum worker_rule)(
					       best - verdict->times[node])));
		else if (verdict->best[node].cycles)
			report_wrapped(report,
				       "Node %u: no rule is within 5 %% of the best, %u workers.",
				       node, verdict->best[node].workers);
	}
}

/* By the slowest node with the numbers that the search has led to. */
static void search_line(const struct report *report, const struct worker_verdict *verdict,
			const struct calibration *calibration)
{
	char took[REPORT_CELL], percent[REPORT_CELL], whole[REPORT_CELL];
	uint64_t slowest = verdict->all_cycles[RULE_CALIBRATED];

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
	if (time->cycles) {
		record_u64(records, "step", time->step);
		record_u64(records, "ran_workers", time->ran);
		record_u64(records, "median_cycles", time->cycles);
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
	record_u64(records, "median_cycles", verdict->all_cycles[rule]);
	record_u64(records, "best_median_cycles", verdict->all_best_cycles);
	record_end(records);
}

void report_how_many(struct report *report, const struct worker_verdict *verdict,
		     const struct calibration *calibration, const struct store_choice *stores,
		     const struct topology *topology)
{
	uint32_t nodes = topology->node_count;

	rule_table(report, verdict, nodes);
	reason_lines(report, verdict, nodes);
	search_line(report, verdict, calibration);
	sibling_lines(report, verdict, nodes);
	advice_lines(report, verdict, nodes);
	report_wrapped(report, "Stores: store=%s for policies that free at once, as in these runs; "
			       "store=%s for two passes (ktask).",
		       store_kernel(stores->with_free)->name, store_kernel(stores->alone)->name);
	for (uint32_t node = 0; node < nodes; node++)
		for (int rule = 0; rule < RULE_COUNT; rule++)
			rule_record(&report->records, verdict, node, (enum worker_rule)rule);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (verdict->all_cycles[rule])
			all_record(&report->records, verdict, (enum worker_rule)rule);
	for (uint32_t node = 0; node < nodes; node++) {
		uint32_t count = verdict->ratio_count[node];
		struct interval interval = bootstrap_median(verdict->ratios[node], count);

		if (count)
			sibling_record(&report->records, &interval, node, count);
	}
}
