/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/chunk_early.h"

#include "lib/minmax.h"
#include "mm/init/chunk.h"

static uint64_t pageblock_of(uint64_t pfn)
{
	return pfn >> PAGEBLOCK_ORDER;
}

/* Whether a worker will type the pageblock, into which span `index` reaches: whether it holds a
 * deferred frame. */
static bool is_for_workers(const struct init_plan *plan, uint64_t index, uint64_t pageblock)
{
	const struct init_span *spans = plan->spans;

	for (uint64_t i = index; i > 0 && pageblock_of(spans[i - 1].end_pfn - 1) >= pageblock; i--)
		if (spans[i - 1].deferred)
			return true;
	for (uint64_t i = index + 1; i < plan->span_count &&
				     pageblock_of(spans[i].start_pfn) <= pageblock; i++)
		if (spans[i].deferred)
			return true;
	return false;
}

/*
 *	pageblocks  |     |     |     |     |
 *	spans         [r  )[  early   )[def )
 *	typed here  .............             the third holds deferred frames
 */
static void type_pageblocks(struct buddy *buddy, const struct init_plan *plan)
{
	uint64_t next = 0;

	for (uint64_t i = 0; i < plan->span_count; i++) {
		uint64_t first = pageblock_of(plan->spans[i].start_pfn);
		uint64_t last = pageblock_of(plan->spans[i].end_pfn - 1);

		if (plan->spans[i].deferred || plan->spans[i].kind == FRAME_HOLE)
			continue;
		for (next = max_u64(first, next); next <= last; next++) {
			bool shared = next == first || next == last;

			if (shared && is_for_workers(plan, i, next))
				continue;
			buddy_type_pageblock(buddy, next << PAGEBLOCK_ORDER, MIGRATE_MOVABLE);
		}
	}
}

/* Order of the largest block that begins at `pfn` and ends by `end_pfn`. */
static uint32_t largest_order(uint64_t pfn, uint64_t end_pfn)
{
	uint32_t order = ORDER_MAX;

	while (pfn % (1ull << order) || end_pfn - pfn < 1ull << order)
		order--;
	return order;
}

static void free_span(struct buddy *buddy, const struct init_span *span)
{
	uint32_t order;

	for (uint64_t pfn = span->start_pfn; pfn < span->end_pfn; pfn += 1ull << order) {
		order = largest_order(pfn, span->end_pfn);
		buddy_free_core(buddy, pfn, order, true);
	}
}

uint64_t chunk_free_early(struct buddy *buddy, const struct init_plan *plan)
{
	uint64_t pages = 0;

	type_pageblocks(buddy, plan);
	for (uint64_t i = 0; i < plan->span_count; i++) {
		const struct init_span *span = &plan->spans[i];

		if (span->deferred || span->kind != FRAME_FREE)
			continue;
		free_span(buddy, span);
		pages += span->end_pfn - span->start_pfn;
	}
	return pages;
}
