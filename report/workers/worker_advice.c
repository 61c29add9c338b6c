/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/worker_advice.h"

#include "lab/summary/thresholds.h"
#include "lib/format.h"
#include "report/text.h"
#include "report/workers/siblings.h"

enum { DOUBT_BYTES = 96 };

/* "" where nothing speaks against the median. */
static const char *doubt_text(char text[DOUBT_BYTES], enum doubt doubt,
			      const struct summary *cycles)
{
	char percent[REPORT_CELL];

	text[0] = '\0';
	if (doubt == DOUBT_FEW_RUNS)
		format(text, DOUBT_BYTES, " Of %u run%s: do not rely on it.", cycles->count,
		       cycles->count == 1 ? "" : "s");
	if (doubt == DOUBT_SCATTER)
		format(text, DOUBT_BYTES,
		       " Its runs scatter (standard deviation %s %% of the mean): do not rely on "
		       "it.",
		       format_ratio(percent, mul_div_u64(cycles->stddev, 100, 1), cycles->mean,
				    0));
	return text;
}

static void node_advice(const struct report *report, const struct worker_verdict *verdict,
			uint32_t node)
{
	const struct worker_advice *advice = &verdict->advice[node];
	const struct worker_point *best = &verdict->best[node];
	char why_not[DOUBT_BYTES];

	if (!best->cycles)
		return;
	if (advice->rule == RULE_COUNT)
		report_wrapped(report,
			       "Node %u: no rule is within %u %% of the best, which %u worker%s "
			       "gave.",
			       node, THRESHOLD_KNEE_PERCENT - 100, best->workers,
			       best->workers == 1 ? "" : "s");
	else
		report_wrapped(report,
			       "Node %u: take %u worker%s (rule %s), the fewest of any rule within "
			       "%u %% of the best.%s",
			       node, advice->workers, advice->workers == 1 ? "" : "s",
			       worker_rule_name(advice->rule),
			       THRESHOLD_KNEE_PERCENT - 100,
			       doubt_text(why_not, advice->doubt,
					  &verdict->times[node][advice->rule].cycles));
}

static void common_advice(const struct report *report, const struct worker_verdict *verdict)
{
	const struct worker_advice *advice = &verdict->all_advice;
	char why_not[DOUBT_BYTES];

	if (advice->rule == RULE_COUNT)
		report_line(report, "All nodes: no rule is within %u %% of the best.",
			    THRESHOLD_KNEE_PERCENT - 100);
	else
		report_wrapped(report,
			       "All nodes: rule %s has the fewest workers of those within %u %% of "
			       "the best until the last node is done.%s",
			       worker_rule_name(advice->rule),
			       THRESHOLD_KNEE_PERCENT - 100,
			       doubt_text(why_not, advice->doubt, &verdict->all[advice->rule]));
}

static void advice_lines(const struct report *report, const struct worker_verdict *verdict)
{
	if (!verdict->all_best_cycles)
		return;
	if (verdict->nodes_share_cpus)
		report_wrapped(report,
			       "CPUs serve several nodes here, and which is done first depends on "
			       "where they begin: only the last counts.");
	else
		for (uint32_t node = 0; node < verdict->node_count; node++)
			node_advice(report, verdict, node);
	if (verdict->node_count > 1)
		common_advice(report, verdict);
}

void report_advice(struct report *report, const struct worker_verdict *verdict)
{
	report_sibling_advice(report, verdict);
	advice_lines(report, verdict);
	report_sibling_records(report, verdict);
}
