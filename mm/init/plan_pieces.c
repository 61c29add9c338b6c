/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/plan_pieces.h"

#include "lib/minmax.h"
#include "lib/search.h"

/* Index of the first span that ends above `pfn`, or span_count. */
static uint64_t first_span(const struct init_plan *plan, uint64_t pfn)
{
	return search_first(i, plan->span_count, plan->spans[i].end_pfn > pfn);
}

struct init_pieces init_pieces_in(const struct init_plan *plan, uint32_t node, uint64_t from_pfn,
				  uint64_t to_pfn)
{
	return (struct init_pieces){ plan, node, first_span(plan, from_pfn), from_pfn, to_pfn,
				     from_pfn, from_pfn };
}

bool init_pieces_next(struct init_pieces *pieces)
{
	const struct init_plan *plan = pieces->plan;
	uint64_t from = pieces->from_pfn, to = pieces->to_pfn;

	while (pieces->next_span < plan->span_count) {
		const struct init_span *span = &plan->spans[pieces->next_span];

		if (span->start_pfn >= to)
			return false;
		pieces->next_span++;
		if (!span->deferred || span->node != pieces->node)
			continue;
		pieces->start_pfn = max_u64(span->start_pfn, from);
		pieces->end_pfn = min_u64(span->end_pfn, to);
		return true;
	}
	return false;
}

struct init_pieces init_pieces_within(const struct init_pieces *pieces, uint64_t from_pfn,
				      uint64_t to_pfn)
{
	return (struct init_pieces){ pieces->plan, pieces->node, pieces->next_span - 1, from_pfn,
				     to_pfn, from_pfn, from_pfn };
}
