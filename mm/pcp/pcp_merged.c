/* SPDX-License-Identifier: GPL-2.0-only */
/* Orders 0 to 3 and huge pages are kept [Linux 5.14 rmqueue_pcplist, free_unref_page], and high
 * orders are bounded as the follow-up of 2022 does it [Linux 5.18 free_pcppages_bulk]. */
#include "mm/pcp/pcp_merged.h"

#include "lib/minmax.h"
#include "mm/pcp/pcp.h"
#include "mm/pcp/pcp_marks.h"
#include "mm/pcp/pcp_sets.h"

static uint32_t order_of(uint32_t list)
{
	return list == PCP_HUGE_LIST ? PAGEBLOCK_ORDER : list / PCP_TYPES;
}

void pcp_merged_init(struct page_allocator *allocator)
{
	pcp_sets_init(allocator, pcp_marks_merged);
}

void pcp_merged_drain(struct page_allocator *allocator, uint32_t cpu)
{
	pcp_sets_drain(allocator, cpu, order_of);
}

/* Twice as many each time, as long as there are no allocations; a batch stays
 * [Linux 5.14 nr_pcp_free]. */
static uint32_t pages_to_drain(struct pcp_set *set)
{
	uint32_t batch = set->marks.batch, most = set->marks.high - batch;
	uint32_t pages = batch << set->free_factor;

	if (pages < most)
		set->free_factor++;
	return min_u32(pages, most);
}

/* The lists in turn, each until it is empty. */
static void drain_pages(struct buddy *buddy, struct pcp_set *set, uint32_t list, uint32_t pages)
{
	uint32_t keep = set->count - min_u32(pages, set->count);

	zone_lock(&set->zone->lock);
	while (set->count > keep) {
		if (link_alone(&set->lists[list]))
			list = (list + 1) % PCP_LISTS;
		else
			pcp_put_last(buddy, set, &set->lists[list], order_of(list));
	}
	zone_unlock(&set->zone->lock);
}

/* In pieces, the zone's lock is given up after each batch, and nothing more is drained once there
 * are few enough [0acc67c4030c and the two after it, 2025]. */
void pcp_merged_drain_some(struct page_allocator *allocator, uint32_t cpu, struct pcp_set *set,
			   uint32_t list, bool all)
{
	struct page_alloc_stats *stats = &allocator->stats[cpu];
	uint32_t before = set->count, high = all ? 0 : set->marks.high;
	uint32_t pages = all ? before : pages_to_drain(set);
	uint32_t piece = allocator->drain_pieces ? set->marks.batch : pages;

	for (uint32_t done = 0; done < pages && set->count >= high && set->count; done += piece)
		drain_pages(allocator->buddy, set, list, piece);
	stats->drains++;
	stats->drained_pages += before - set->count;
}

static uint64_t alloc_block(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			    uint32_t order)
{
	const struct pcp_state *state = allocator->state;
	struct pcp_set *sets = pcp_sets_of(allocator, cpu);
	struct page *page = NULL;
	uint64_t flags;

	if (!pcp_merged_keeps(order))
		return pcp_zone_alloc(allocator, node, order);
	flags = allocator->irq.off();
	for (uint32_t slot = state->node_first[node]; slot < state->node_first[node + 1]; slot++) {
		page = pcp_merged_take(allocator, cpu, sets + slot, order);
		if (page)
			break;
	}
	allocator->irq.restore(flags);
	return page ? (uint64_t)(page - allocator->buddy->base) : BUDDY_NONE;
}

static void free_block(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	struct pcp_set *set = pcp_set_of_page(allocator, cpu, pfn);
	uint64_t flags;

	if (!pcp_merged_keeps(order)) {
		pcp_zone_free(allocator, pfn, order);
		return;
	}
	flags = allocator->irq.off();
	pcp_merged_commit(allocator, cpu, set, pfn, order);
	allocator->irq.restore(flags);
}

/* Interrupts are off for as many as come at once [Linux 5.14 free_unref_page_list]. */
static void free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
		      uint32_t count)
{
	uint64_t flags = allocator->irq.off();

	for (uint32_t i = 0; i < count; i++)
		pcp_merged_commit(allocator, cpu, pcp_set_of_page(allocator, cpu, pfns[i]), pfns[i],
				  0);
	allocator->irq.restore(flags);
}

uint32_t pcp_merged_take_many(struct page_allocator *allocator, uint32_t cpu, struct pcp_set *set,
			      uint64_t *pfns, uint32_t count)
{
	uint32_t found = 0;

	while (found < count) {
		struct page *page = pcp_merged_take(allocator, cpu, set, 0);

		if (!page)
			break;
		pfns[found++] = (uint64_t)(page - allocator->buddy->base);
	}
	return found;
}

/* The node's first zone only [Linux 5.14 __alloc_pages_bulk]. */
static uint32_t alloc_many(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			   uint64_t *pfns, uint32_t count)
{
	const struct pcp_state *state = allocator->state;
	struct pcp_set *set = pcp_sets_of(allocator, cpu) + state->node_first[node];
	uint32_t found;
	uint64_t flags;

	if (state->node_first[node] == state->node_first[node + 1])
		return 0;
	flags = allocator->irq.off();
	found = pcp_merged_take_many(allocator, cpu, set, pfns, count);
	allocator->irq.restore(flags);
	return found;
}

const struct page_alloc_way pcp_merged_way = {
	.word = { "merged", "orders 0 to 3 and 9 (Linux 5.14)" },
	.bytes = pcp_sets_bytes,
	.init = pcp_merged_init,
	.alloc = alloc_block,
	.free = free_block,
	.free_many = free_many,
	.alloc_many = alloc_many,
	.drain = pcp_merged_drain,
};
