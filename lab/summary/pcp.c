/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/pcp.h"

static void take_workers(struct pcp_summary *summary, const struct pcp_sample *sample)
{
	if (!summary->slowest_worker_millicycles ||
	    sample->fastest_millicycles < summary->fastest_worker_millicycles)
		summary->fastest_worker_millicycles = sample->fastest_millicycles;
	if (sample->slowest_millicycles > summary->slowest_worker_millicycles)
		summary->slowest_worker_millicycles = sample->slowest_millicycles;
}

static uint64_t calls(const struct pcp_results *results, uint32_t cell, uint32_t way)
{
	const struct page_alloc_stats *pages = &pcp_counters(results, cell, way)->pages;

	return pages->allocations + pages->frees;
}

struct pcp_summary pcp_summarise(const struct pcp_results *results, uint32_t cell, uint32_t way)
{
	struct pcp_summary summary = {
		.cell = results->cells[cell],
		.way = results->ways[way],
		.counters = *pcp_counters(results, cell, way),
		.calls = calls(results, cell, way),
	};
	uint64_t figures[REPEAT_MAX];
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->repeat && count < REPEAT_MAX; i++) {
		const struct pcp_sample *sample = pcp_sample(results, cell, way, i);
		uint64_t millicycles = pcp_millicycles(sample);

		if (millicycles)
			figures[count++] = millicycles;
		if (sample->operations)
			take_workers(&summary, sample);
	}
	summary.millicycles = stats_summary(figures, count);
	summary.operations =
		summary.cell.bench == PCP_CROSS ? summary.calls : summary.calls / 2;
	return summary;
}

/* ---- cells of a kind ------------------------------------------------------------------------ */

static bool was_measured(const struct pcp_results *results, uint32_t cell)
{
	for (uint32_t way = 0; way < results->way_count; way++)
		if (calls(results, cell, way))
			return true;
	return false;
}

static bool is_kind(const struct pcp_cell *cell, enum pcp_bench bench, uint32_t order,
		    uint32_t batch)
{
	return cell->bench == bench && cell->order == order && cell->batch == batch;
}

uint32_t pcp_first_cell(const struct pcp_results *results, enum pcp_bench bench, uint32_t order,
			uint32_t batch)
{
	for (uint32_t i = 0; i < results->cell_count; i++)
		if (is_kind(&results->cells[i], bench, order, batch))
			return i;
	return UINT32_MAX;
}

uint32_t pcp_last_cell(const struct pcp_results *results, enum pcp_bench bench, uint32_t order,
		       uint32_t batch)
{
	uint32_t found = UINT32_MAX;

	for (uint32_t i = 0; i < results->cell_count; i++)
		if (is_kind(&results->cells[i], bench, order, batch) &&
		    (found == UINT32_MAX || was_measured(results, i)))
			found = i;
	return found;
}
