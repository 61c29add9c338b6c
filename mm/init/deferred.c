/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/deferred.h"

#include "lib/page_units.h"
#include "lib/spinlock.h"
#include "mm/init/chunk.h"
#include "mm/init/plan_pieces.h"
#include "mm/init/page_init.h"

#define NOTHING_DEFERRED UINT64_MAX

void deferred_init(struct deferred *deferred, const struct init_plan *plan, struct buddy *buddy)
{
	deferred->plan = plan;
	deferred->buddy = buddy;
	atomic_store_explicit(&deferred->grown_pages, 0, memory_order_relaxed);
	for (uint32_t node = 0; node < NODE_MAX; node++) {
		atomic_store_explicit(&deferred->nodes[node].lock, 0, memory_order_relaxed);
		deferred->nodes[node].first_pfn = plan->nodes[node].first_deferred_pfn;
	}
}

static uint64_t read_border(struct deferred_node *node)
{
	uint64_t pfn;

	spin_lock(&node->lock);
	pfn = node->first_pfn;
	spin_unlock(&node->lock);
	return pfn;
}

uint64_t deferred_take(struct deferred *deferred, uint32_t node)
{
	struct deferred_node *taken = &deferred->nodes[node];
	uint64_t pfn;

	spin_lock(&taken->lock);
	pfn = taken->first_pfn;
	taken->first_pfn = NOTHING_DEFERRED;
	spin_unlock(&taken->lock);
	return pfn;
}

/*
 * Initialises and frees section after section from *border on until they hold `wanted` deferred
 * frames; sections without any cost nothing. Moves the border behind them. Returns the frames.
 *
 *	sections  |     |     |     |     |     |     |
 *	deferred  [r)         [ )   [       )           wanted: more than a and b
 *	grown     [ a )       [ b ) [ c )
 *	border    ^ before                ^ after
 */
static uint64_t grow_sections(struct deferred *deferred, uint32_t node, uint64_t wanted,
			      uint64_t *border)
{
	const struct init_plan *plan = deferred->plan;
	struct chunk_args chunk = { .buddy = deferred->buddy, .plan = plan, .node = node,
				    .count_managed = true };
	struct page_init_args count = { deferred->buddy->base, plan, node };
	uint64_t pages = 0;

	for (;;) {
		struct init_pieces left = init_pieces_in(plan, node, *border, UINT64_MAX);
		uint64_t start;

		if (!init_pieces_next(&left)) {
			*border = NOTHING_DEFERRED;
			return pages;
		}
		if (pages >= wanted)
			return pages;
		start = left.start_pfn - left.start_pfn % SECTION_PAGES;
		*border = start + SECTION_PAGES;
		chunk_init_and_free(&chunk, start, *border);
		pages += page_init_chunk_pages(&count, start, *border);
	}
}

bool deferred_grow(struct deferred *deferred, uint32_t node, uint32_t order,
		   uint64_t seen_first_pfn)
{
	struct deferred_node *grown = &deferred->nodes[node];

	if (seen_first_pfn == NOTHING_DEFERRED)
		return false;
	spin_lock(&grown->lock);
	/* read again: while we waited somebody may have grown the node, or taken the rest */
	if (grown->first_pfn == seen_first_pfn)
		atomic_fetch_add_explicit(&deferred->grown_pages,
					  grow_sections(deferred, node, 1ull << order,
							&grown->first_pfn),
					  memory_order_relaxed);
	spin_unlock(&grown->lock);
	return true;
}

/* The border only moves up, and a last time to nowhere: the loop ends. */
uint64_t deferred_alloc(struct deferred *deferred, uint32_t node, uint32_t order)
{
	uint64_t seen, pfn;

	do {
		seen = read_border(&deferred->nodes[node]);
		pfn = buddy_alloc_node(deferred->buddy, node, order);
	} while (pfn == BUDDY_NONE && deferred_grow(deferred, node, order, seen));
	return pfn;
}
