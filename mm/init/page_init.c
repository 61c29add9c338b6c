/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/page_init.h"

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "mm/init/plan_pieces.h"

uint64_t page_init_run_end(uint64_t pfn, uint64_t end_pfn)
{
	uint64_t section_end = (pfn / SECTION_PAGES + 1) * SECTION_PAGES;
	uint64_t end = min_u64(section_end, end_pfn);

	/* The border at 4 GiB is one of sections. */
	return pfn < ZONE_DMA_END_PFN ? min_u64(end, ZONE_DMA_END_PFN) : end;
}

uint64_t page_init_flags(uint64_t pfn, uint32_t node, enum frame_kind kind)
{
	static const uint64_t state[FRAME_KINDS] = {
		[FRAME_FREE] = 0,
		[FRAME_RESERVED] = PG_RESERVED,
		[FRAME_HOLE] = PG_HOLE,
	};

	return state[kind] | pfn / SECTION_PAGES << PAGE_SECTION_SHIFT |
	       (uint64_t)zone_of(pfn) << PAGE_ZONE_SHIFT | (uint64_t)node << PAGE_NODE_SHIFT;
}

static void init_frames(struct page *base, uint64_t start_pfn, uint64_t end_pfn, uint32_t node,
			enum frame_kind kind, uint64_t counts, store_function *fill)
{
	for (uint64_t pfn = start_pfn, end; pfn < end_pfn; pfn = end) {
		end = page_init_run_end(pfn, end_pfn);
		fill(base + pfn, base + end, page_init_flags(pfn, node, kind), counts);
	}
}

void page_init_frames(struct page *base, uint64_t start_pfn, uint64_t end_pfn, uint32_t node,
		      enum frame_kind kind, enum store store)
{
	init_frames(base, start_pfn, end_pfn, node, kind, COUNTS_IN_USE, store_kernel(store)->fill);
}

void page_init_freed(struct page *base, uint64_t start_pfn, uint64_t end_pfn, uint32_t node)
{
	init_frames(base, start_pfn, end_pfn, node, FRAME_FREE, COUNTS_FREE, store_plain);
}

uint64_t page_init_chunk_pages(const struct page_init_args *args, uint64_t start_pfn,
			       uint64_t end_pfn)
{
	struct init_pieces pieces = init_pieces_in(args->plan, args->node, start_pfn, end_pfn);
	uint64_t pages = 0;

	while (init_pieces_next(&pieces))
		pages += pieces.end_pfn - pieces.start_pfn;
	return pages;
}

uint64_t page_init_early(struct page *base, const struct init_plan *plan, enum store store)
{
	uint64_t pages = 0;

	for (uint64_t i = 0; i < plan->span_count; i++) {
		const struct init_span *span = &plan->spans[i];

		if (span->deferred)
			continue;
		page_init_frames(base, span->start_pfn, span->end_pfn, span->node, span->kind,
				 store);
		pages += span->end_pfn - span->start_pfn;
	}
	return pages;
}
