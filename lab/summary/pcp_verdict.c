/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/pcp_verdict.h"

#include "lab/summary/pcp.h"
#include "lab/summary/thresholds.h"
#include "lib/stats.h"

/* What is judged: of each the first of its kind, or the last one with most CPUs and most nodes. */
static const struct kind {
	enum pcp_bench bench;
	uint32_t order, batch;
	bool last;
} judged[PCP_JUDGED_MAX] = {
	{ PCP_ORDERS, 0, 1, false },
	{ PCP_ORDERS, 3, 1, false },
	{ PCP_ORDERS, PAGEBLOCK_ORDER, 1, false },
	{ PCP_OUTSTANDING, 0, PCP_OUTSTANDING_EACH, false },
	{ PCP_BULK, 0, PCP_BULK_MAX, false },
	{ PCP_PARALLEL, 0, 1, true },
	{ PCP_PARALLEL, 3, 1, true },
	{ PCP_PARALLEL, PAGEBLOCK_ORDER, 1, true },
	{ PCP_OUTSTANDING, 0, PCP_OUTSTANDING_EACH, true },
	{ PCP_BULK, 0, PCP_BULK_MAX, true },
	{ PCP_CROSS, 0, 1, true },
	{ PCP_CROSS, 3, 1, true },
};

/* UINT32_MAX: there is none, or it is the first one, which is judged already. */
static uint32_t find_cell(const struct pcp_results *results, const struct kind *kind)
{
	uint32_t first = pcp_first_cell(results, kind->bench, kind->order, kind->batch);
	uint32_t last = pcp_last_cell(results, kind->bench, kind->order, kind->batch);
	bool once = kind->bench != PCP_OUTSTANDING && kind->bench != PCP_BULK;

	if (!kind->last)
		return first;
	return once || last != first ? last : UINT32_MAX;
}

/* ---- the best way at one workload ----------------------------------------------------------- */

/* The way with the least median, but for `other`. 0: it has no figure. */
static uint32_t find_best(const uint64_t *medians, uint32_t count, uint32_t other)
{
	uint32_t best = PCP_NO_WAY;
	uint64_t least = UINT64_MAX;

	for (uint32_t way = 0; way < count; way++) {
		if (way == other || !medians[way] || medians[way] >= least)
			continue;
		best = way;
		least = medians[way];
	}
	return best;
}

static uint32_t find_order0(const struct pcp_results *results)
{
	for (uint32_t way = 0; way < results->way_count; way++)
		if (results->ways[way] == PCP_ORDER0)
			return way;
	return PCP_NO_WAY;
}

static struct pcp_ratio compare(const struct pcp_results *results, uint32_t cell, uint32_t best,
				uint32_t way)
{
	uint64_t ratios[BOOTSTRAP_VALUES_MAX];
	uint32_t count = 0;

	if (way == PCP_NO_WAY || way == best || !results->repetitions)
		return (struct pcp_ratio){ 0 };
	for (uint32_t i = 0; i < results->repetitions && count < BOOTSTRAP_VALUES_MAX; i++) {
		uint64_t a = pcp_millicycles(pcp_sample(results, cell, best, i));
		uint64_t b = pcp_millicycles(pcp_sample(results, cell, way, i));

		if (a && b)
			ratios[count++] = mul_div_u64(b, PCP_RATIO_ONE, a);
	}
	return (struct pcp_ratio){ true, bootstrap_median(ratios, count) };
}

/* False: no way has a figure there. */
static bool judge_cell(const struct pcp_results *results, uint32_t cell, struct pcp_best *into)
{
	uint64_t medians[PCP_COUNT];
	uint32_t best, next;

	for (uint32_t way = 0; way < results->way_count; way++)
		medians[way] = pcp_summarise(results, cell, way).millicycles.median;
	best = find_best(medians, results->way_count, PCP_NO_WAY);
	if (best == PCP_NO_WAY)
		return false;
	next = find_best(medians, results->way_count, best);
	*into = (struct pcp_best){
		.cell = cell,
		.best = best,
		.next = next,
		.millicycles = medians[best],
		.next_ratio = compare(results, cell, best, next),
		.order0_ratio = compare(results, cell, best, find_order0(results)),
	};
	return true;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void judge_scatter(const struct pcp_results *results, struct pcp_verdict *verdict)
{
	for (uint32_t cell = 0; cell < results->cell_count; cell++)
		for (uint32_t way = 0; way < results->way_count; way++) {
			struct summary s = pcp_summarise(results, cell, way).millicycles;

			verdict->figures += s.count > 1;
			verdict->scattered +=
				s.count > 1 &&
				s.stddev > mul_div_u64(s.mean, THRESHOLD_SCATTER_PERCENT, 100);
		}
	verdict->unsteady = verdict->scattered > verdict->figures / THRESHOLD_UNSTEADY_SHARE;
}

void pcp_judge(const struct pcp_results *results, struct pcp_verdict *verdict)
{
	*verdict = (struct pcp_verdict){ 0 };
	for (uint32_t i = 0; i < PCP_JUDGED_MAX && results->way_count > 1; i++) {
		uint32_t cell = find_cell(results, &judged[i]);

		if (cell != UINT32_MAX)
			verdict->best_count += judge_cell(results, cell,
							  &verdict->best[verdict->best_count]);
	}
	judge_scatter(results, verdict);
}
