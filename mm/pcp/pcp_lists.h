/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the ways of keeping pages on lists do alike for each page. */
#include "lib/minmax.h"
#include "mm/buddy/buddy_parts.h"
#include "mm/pcp/pcp_sets.h"

/* The sets of `cpu`, by slot. */
static inline struct pcp_set *pcp_sets_of(const struct page_allocator *allocator, uint32_t cpu)
{
	struct pcp_state *state = allocator->state;

	return state->sets + (uint64_t)cpu * state->zone_count;
}

/* The zone is there: the page was allocated from it. */
static inline struct pcp_set *pcp_set_of_page(const struct page_allocator *allocator, uint32_t cpu,
					      uint64_t pfn)
{
	const struct pcp_state *state = allocator->state;
	uint64_t id = zone_id(allocator->buddy->base[pfn].flags) % (NODE_MAX * 8);

	return pcp_sets_of(allocator, cpu) + state->slot[id];
}

/* Pages of pageblocks with a type that has no list go to the movable ones
 * [Linux free_unref_page, get_pfnblock_migratetype]. */
static inline uint32_t pcp_type_of_page(const struct page_allocator *allocator, uint64_t pfn)
{
	uint8_t type = allocator->buddy->pageblocks[pfn >> PAGEBLOCK_ORDER];

	return type < PCP_TYPES ? type : MIGRATE_MOVABLE;
}

/* The hot end is the head, for allocations and frees; batches go to and from the tail. */
static inline struct page *pcp_first(struct pcp_set *set, struct page_list *list, uint32_t order)
{
	struct page *page = page_of_link(list->next);

	link_remove(page_link(page));
	page->refcount = 1;
	set->count -= 1u << order;
	return page;
}

static inline void pcp_add(struct pcp_set *set, struct page_list *list, struct page *page,
			   uint32_t order)
{
	page->refcount = 0;
	link_add(list, page_link(page));
	set->count += 1u << order;
}

/* From the tail to the zone, whose lock is held. */
static inline void pcp_put_last(struct buddy *buddy, struct pcp_set *set, struct page_list *list,
				uint32_t order)
{
	struct page *page = page_of_link(list->prev);

	link_remove(page_link(page));
	set->count -= 1u << order;
	buddy_put_locked(buddy, set->zone, page, order);
}

/* One block for an allocation, after a refill with a batch of blocks where there is none. NULL: nor
 * in the zone. */
static inline struct page *pcp_take(struct page_allocator *allocator,
				    struct page_alloc_stats *stats, struct pcp_set *set,
				    struct page_list *list, uint32_t order)
{
	if (!link_alone(list))
		stats->hits++;
	else if (!pcp_refill(allocator->buddy, stats, set, list, order, set->marks.batch))
		return NULL;
	return pcp_first(set, list, order);
}

/* How order0 and high allocate what they keep: from the node's zones, highest first, interrupts off
 * for all of it. BUDDY_NONE: there is none. */
static inline uint64_t pcp_take_kept(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
				     uint32_t list, uint32_t order)
{
	const struct pcp_state *state = allocator->state;
	struct page_alloc_stats *stats = &allocator->stats[cpu];
	uint64_t flags = allocator->irq.off();
	struct page *page = NULL;

	for (uint32_t slot = state->node_first[node]; slot < state->node_first[node + 1]; slot++) {
		struct pcp_set *set = pcp_sets_of(allocator, cpu) + slot;

		page = pcp_take(allocator, stats, set, &set->lists[list], order);
		if (page)
			break;
	}
	allocator->irq.restore(flags);
	return page ? (uint64_t)(page - allocator->buddy->base) : BUDDY_NONE;
}

/* What order0 and high do above their mark: a batch goes to the zone, from `lists` lists in turn,
 * the one after `list` first. The more of them are found empty, the more blocks are taken from the
 * next one [Linux 4.9 free_pcppages_bulk]. The batch is in pages, and the last block may exceed it.
 * Inlined, so that order0 pays nothing for orders that it does not have. */
static inline __attribute__((always_inline)) void
pcp_drain_batch(struct buddy *buddy, struct page_alloc_stats *stats, struct pcp_set *set,
		uint32_t lists, uint32_t list, uint32_t (*order_of)(uint32_t list))
{
	uint32_t before = set->count, batch = set->marks.batch, at_once = 0;
	uint32_t keep = before - min_u32(batch, before);

	zone_lock(&set->zone->lock);
	while (set->count > keep) {
		do {
			at_once++;
			list = (list + 1) % lists;
		} while (link_alone(&set->lists[list]));
		if (at_once == lists)
			at_once = set->count - keep;
		do
			pcp_put_last(buddy, set, &set->lists[list], order_of(list));
		while (set->count > keep && --at_once && !link_alone(&set->lists[list]));
	}
	zone_unlock(&set->zone->lock);
	stats->drains++;
	stats->drained_pages += before - set->count;
}

/* Orders that are not kept. */
static inline uint64_t pcp_zone_alloc(struct page_allocator *allocator, uint32_t node,
				      uint32_t order)
{
	uint64_t flags = allocator->irq.off();
	uint64_t pfn = buddy_alloc_node(allocator->buddy, node, order);

	allocator->irq.restore(flags);
	return pfn;
}

static inline void pcp_zone_free(struct page_allocator *allocator, uint64_t pfn, uint32_t order)
{
	uint64_t flags = allocator->irq.off();

	buddy_free(allocator->buddy, pfn, order);
	allocator->irq.restore(flags);
}
