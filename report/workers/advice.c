/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/advice.h"

#include "lib/bootstrap.h"
#include "lib/format.h"
#include "report/text.h"
#include "report/workers/workers.h"

enum { GOOD_PERCENT = 105, STEADY_PERCENT = 5, DOUBT_BYTES = 96 };

/* ---- siblings ------------------------------------------------------------------------------- */

static void sibling_line(const struct report *report, const struct sibling_ratio *ratio,
			 const char *whose)
{
	const struct interval *interval = &ratio->interval;
	char low[REPORT_CELL], median[REPORT_CELL], high[REPORT_CELL];
	const char *meaning = "whether siblings help cannot be told";

	if (interval->known && interval->low > 1000)
		meaning = "siblings help";
	if (interval->known && interval->high < 1000)
		meaning = "siblings are in the way";
	format_ratio(median, interval->median, 1000, 3);
	if (interval->known)
		report_wrapped(report,
			       "%s: one worker per core takes %s x the time of one per CPU "
			       "(95 %% interval of the median: %s to %s, %u runs): %s.",
			       whose, median, format_ratio(low, interval->low, 1000, 3),
			       format_ratio(high, interval->high, 1000, 3), ratio->count,
			       meaning);
	else
		report_wrapped(report,
			       "%s: one worker per core takes %s x the time of one per CPU; "
			       "%u run%s too few to be sure, repeat=%u or more is needed.",
			       whose, median, ratio->count, ratio->count == 1 ? " is" : "s are",
			       BOOTSTRAP_VALUES_MIN);
}

static bool has_siblings(const struct worker_verdict *verdict, uint32_t node)
{
	return verdict->times[node][RULE_ALL].count.workers >
	       verdict->times[node][RULE_CORES].count.workers;
}

static void node_siblings(const struct report *report, const struct worker_verdict *verdict,
			  uint32_t node)
{
	const struct sibling_ratio *ratio = &verdict->ratios[node];
	char whose[REPORT_CELL];

	format(whose, sizeof(whose), "Node %u", node);
	if (ratio->count)
		sibling_line(report, ratio, whose);
	else if (has_siblings(verdict, node))
		report_line(report,
			    "Node %u: its cores have siblings; whether they help was not "
			    "measured.", node);
}

/* Where nodes share CPUs only the last one's time is worth a comparison. */
static void sibling_lines(const struct report *report, const struct worker_verdict *verdict,
			  uint32_t node_count)
{
	const struct sibling_ratio *all = &verdict->all_ratio;
	uint32_t with = 0;

	for (uint32_t node = 0; node < node_count; node++) {
		with += has_siblings(verdict, node);
		if (!verdict->nodes_share_cpus || !all->count)
			node_siblings(report, verdict, node);
	}
	if (!with)
		report_line(report, "No core has a sibling online: one worker per core is one per "
				    "CPU.");
	else if (verdict->nodes_share_cpus && all->count)
		sibling_line(report, all, "All nodes");
}

static void sibling_record(struct record_stream *records, const struct sibling_ratio *ratio,
			   uint32_t node)
{
	const struct interval *interval = &ratio->interval;

	record_begin(records, "siblings");
	record_u64(records, "node", node);
	record_u64(records, "count", ratio->count);
	record_bool(records, "known", interval->known);
	record_u64(records, "low_milli", interval->low);
	record_u64(records, "median_milli", interval->median);
	record_u64(records, "high_milli", interval->high);
	record_end(records);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* Why not to rely on a median; "" where nothing speaks against it. */
static const char *doubt(char text[DOUBT_BYTES], const struct summary *cycles)
{
	char percent[REPORT_CELL];

	text[0] = '\0';
	if (cycles->count < BOOTSTRAP_VALUES_MIN)
		format(text, DOUBT_BYTES, " Of %u run%s: do not rely on it.", cycles->count,
		       cycles->count == 1 ? "" : "s");
	else if (mul_div_u64(cycles->stddev, 100, STEADY_PERCENT) > cycles->mean)
		format(text, DOUBT_BYTES,
		       " Its runs scatter (standard deviation %s %% of the mean): do not rely on "
		       "it.",
		       format_ratio(percent, mul_div_u64(cycles->stddev, 100, 1), cycles->mean,
				    0));
	return text;
}

static bool is_good(const struct summary *cycles, uint64_t best_cycles)
{
	return cycles->count && cycles->median <= mul_div_u64(best_cycles, GOOD_PERCENT, 100);
}

static void node_advice(const struct report *report, const struct worker_verdict *verdict,
			uint32_t node)
{
	const struct worker_time *times = verdict->times[node];
	const struct worker_point *best = &verdict->best[node];
	char why_not[DOUBT_BYTES];
	int found = RULE_COUNT;

	if (!best->cycles)
		return;
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (is_good(&times[rule].cycles, best->cycles) &&
		    (found == RULE_COUNT || times[rule].ran < times[found].ran))
			found = rule;
	if (found == RULE_COUNT)
		report_wrapped(report,
			       "Node %u: no rule is within 5 %% of the best, which %u worker%s "
			       "gave.",
			       node, best->workers, best->workers == 1 ? "" : "s");
	else
		report_wrapped(report,
			       "Node %u: take %u worker%s (rule %s), the fewest of any rule within "
			       "5 %% of the best.%s",
			       node, times[found].ran, times[found].ran == 1 ? "" : "s",
			       worker_rule_name((enum worker_rule)found),
			       doubt(why_not, &times[found].cycles));
}

static uint64_t workers_of(const struct worker_verdict *verdict, uint32_t node_count, int rule)
{
	uint64_t workers = 0;

	for (uint32_t node = 0; node < node_count; node++)
		workers += verdict->times[node][rule].ran;
	return workers;
}

static void common_advice(const struct report *report, const struct worker_verdict *verdict,
			  uint32_t node_count)
{
	char why_not[DOUBT_BYTES];
	int found = RULE_COUNT;

	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (is_good(&verdict->all[rule], verdict->all_best_cycles) &&
		    (found == RULE_COUNT || workers_of(verdict, node_count, rule) <
						    workers_of(verdict, node_count, found)))
			found = rule;
	if (found == RULE_COUNT)
		report_line(report, "All nodes: no rule is within 5 %% of the best.");
	else
		report_wrapped(report,
			       "All nodes: rule %s has the fewest workers of those within 5 %% of "
			       "the best until the last node is done.%s",
			       worker_rule_name((enum worker_rule)found),
			       doubt(why_not, &verdict->all[found]));
}

static void advice_lines(const struct report *report, const struct worker_verdict *verdict,
			 uint32_t node_count)
{
	if (!verdict->all_best_cycles)
		return;
	if (verdict->nodes_share_cpus)
		report_wrapped(report,
			       "CPUs serve several nodes here, and which is done first depends on "
			       "where they begin: only the last counts.");
	else
		for (uint32_t node = 0; node < node_count; node++)
			node_advice(report, verdict, node);
	if (node_count > 1)
		common_advice(report, verdict, node_count);
}

void report_advice(struct report *report, const struct worker_verdict *verdict,
		   const struct topology *topology)
{
	uint32_t nodes = topology->node_count;

	sibling_lines(report, verdict, nodes);
	advice_lines(report, verdict, nodes);
	for (uint32_t node = 0; node < nodes; node++)
		if (verdict->ratios[node].count)
			sibling_record(&report->records, &verdict->ratios[node], node);
}
