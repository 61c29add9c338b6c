/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/worker_advice.h"

#include "lab/summary/quotable.h"
#include "lab/summary/thresholds.h"

static enum doubt doubt_of(const struct summary *cycles)
{
	if (cycles->count < THRESHOLD_RELIABLE_RUNS)
		return DOUBT_FEW_RUNS;
	return summary_scatters(cycles) ? DOUBT_SCATTER : DOUBT_NONE;
}

/* Takes the rule if its time is near to the best and it has fewer workers than the one so far. */
static void consider(struct worker_advice *advice, enum worker_rule rule,
		     const struct summary *cycles, uint32_t workers, uint64_t best_cycles)
{
	if (!cycles->count || !worker_time_is_near(cycles->median, best_cycles) ||
	    (advice->rule != RULE_COUNT && workers >= advice->workers))
		return;
	*advice = (struct worker_advice){ rule, workers, doubt_of(cycles) };
}

static uint32_t workers_on_all(const struct worker_verdict *verdict, int rule)
{
	uint32_t workers = 0;

	for (uint32_t node = 0; node < verdict->node_count; node++)
		workers += verdict->times[node][rule].ran;
	return workers;
}

void worker_advise(struct worker_verdict *verdict)
{
	verdict->all_advice = (struct worker_advice){ .rule = RULE_COUNT };
	for (int rule = 0; rule < RULE_COUNT; rule++)
		consider(&verdict->all_advice, (enum worker_rule)rule, &verdict->all[rule],
			 workers_on_all(verdict, rule), verdict->all_best_cycles);
	for (uint32_t node = 0; node < verdict->node_count; node++) {
		verdict->advice[node] = (struct worker_advice){ .rule = RULE_COUNT };
		for (int rule = 0; rule < RULE_COUNT; rule++)
			consider(&verdict->advice[node], (enum worker_rule)rule,
				 &verdict->times[node][rule].cycles,
				 verdict->times[node][rule].ran, verdict->best[node].cycles);
	}
}
