/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/siblings.h"

#include "lab/summary/thresholds.h"
#include "lib/format.h"

static const char *meaning_of(enum sibling_effect effect)
{
	if (effect == SIBLINGS_HELP)
		return "siblings help";
	return effect == SIBLINGS_HINDER ? "siblings are in the way" :
					   "whether siblings help cannot be told";
}

static void sibling_line(const struct report *report, const struct sibling_ratio *ratio,
			 const char *whose)
{
	const struct interval *interval = &ratio->interval;
	char low[REPORT_CELL], median[REPORT_CELL], high[REPORT_CELL];

	format_ratio(median, interval->median, 1000, 3);
	if (ratio->effect != SIBLINGS_TOO_FEW_RUNS)
		report_wrapped(report,
			       "%s: one worker per core takes %s x the time of one per CPU "
			       "(95 %% interval of the median: %s to %s, %u runs): %s.",
			       whose, median, format_ratio(low, interval->low, 1000, 3),
			       format_ratio(high, interval->high, 1000, 3), ratio->count,
			       meaning_of(ratio->effect));
	else
		report_wrapped(report,
			       "%s: one worker per core takes %s x the time of one per CPU; "
			       "%u run%s too few to be sure, repeat=%u or more is needed.",
			       whose, median, ratio->count, ratio->count == 1 ? " is" : "s are",
			       THRESHOLD_RELIABLE_RUNS);
}

static void node_siblings(const struct report *report, const struct worker_verdict *verdict,
			  uint32_t node)
{
	const struct sibling_ratio *ratio = &verdict->ratios[node];
	char whose[REPORT_CELL];

	format(whose, sizeof(whose), "Node %u", node);
	if (ratio->count)
		sibling_line(report, ratio, whose);
	else if (verdict->has_siblings[node])
		report_line(report,
			    "Node %u: its cores have siblings; whether they help was not "
			    "measured.", node);
}

/* Where nodes share CPUs only the last one's time is worth a comparison. */
void report_sibling_advice(const struct report *report, const struct worker_verdict *verdict)
{
	const struct sibling_ratio *all = &verdict->all_ratio;

	if (!verdict->nodes_share_cpus || !all->count)
		for (uint32_t node = 0; node < verdict->node_count; node++)
			node_siblings(report, verdict, node);
	if (!verdict->any_siblings)
		report_line(report, "No core has a sibling online: one worker per core is one per "
				    "CPU.");
	else if (verdict->nodes_share_cpus && all->count)
		sibling_line(report, all, "All nodes");
}

struct siblings_row {
	uint32_t node;
	struct sibling_ratio ratio;
};

static const struct field sibling_fields[] = {
	FIELD(struct siblings_row, node, AS_NUMBER, .name = "node"),
	FIELD(struct siblings_row, ratio.count, AS_NUMBER, .name = "count", .meaning = "runs"),
	FIELD(struct siblings_row, ratio.interval.known, AS_BOOL, .name = "known",
	      .meaning = "enough runs for an interval"),
	FIELD(struct siblings_row, ratio.interval.low, AS_NUMBER, .name = "low_milli",
	      .meaning = "time with a worker per core by time with one per CPU, 1000 = equal"),
	FIELD(struct siblings_row, ratio.interval.median, AS_NUMBER, .name = "median_milli"),
	FIELD(struct siblings_row, ratio.interval.high, AS_NUMBER, .name = "high_milli"),
};
const struct record_type siblings_record = RECORD_TYPE(
	"siblings", "node with siblings, if they were compared", sibling_fields);

void report_sibling_records(struct report *report, const struct worker_verdict *verdict)
{
	for (uint32_t node = 0; node < verdict->node_count; node++)
		if (verdict->ratios[node].count) {
			struct siblings_row row = { node, verdict->ratios[node] };

			field_record(&report->records, &siblings_record, &row);
		}
}
