/* SPDX-License-Identifier: GPL-2.0-only */
/* The lists of way merged, each set behind a lock, so that another CPU may empty it. Who allocates
 * or frees only tries to take it and else goes to the zone [Linux 6.0, 4b23a68f9536, 01b44456a7aa]:
 * with interrupts off, as up to 6.1. */
#include "mm/pcp/pcp.h"

#include "lib/spinlock.h"
#include "mm/pcp/pcp_merged.h"
#include "mm/pcp/pcp_sets.h"

static bool try_lock(struct page_allocator *allocator, uint32_t cpu, struct pcp_set *set)
{
	if (!atomic_exchange_explicit(&set->lock, 1, memory_order_acquire))
		return true;
	allocator->stats[cpu].lock_failures++;
	return false;
}

static uint64_t alloc_kept(struct page_allocator *allocator, uint32_t cpu, struct pcp_set *set,
			   uint32_t order)
{
	uint64_t flags = allocator->irq.off();
	struct page *page = NULL;

	if (try_lock(allocator, cpu, set)) {
		page = pcp_merged_take(allocator, cpu, set, order);
		spin_unlock(&set->lock);
	}
	allocator->irq.restore(flags);
	return page ? (uint64_t)(page - allocator->buddy->base) : BUDDY_NONE;
}

/* Also where the list could not be refilled: another CPU may have freed something since. */
static uint64_t alloc_zone(struct page_allocator *allocator, uint32_t cpu,
			   const struct zone_area *zone, uint32_t order)
{
	uint64_t flags = allocator->irq.off();
	uint64_t pfn = buddy_alloc_zone(allocator->buddy, zone->node, zone->type, order);

	if (pfn != BUDDY_NONE && pcp_merged_keeps(order))
		allocator->stats[cpu].passed_out_pages += 1ull << order;
	allocator->irq.restore(flags);
	return pfn;
}

/* Each zone's list, then that zone itself [Linux 6.0 rmqueue]. */
static uint64_t alloc_block(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			    uint32_t order)
{
	const struct pcp_state *state = allocator->state;
	struct pcp_set *sets = pcp_sets_of(allocator, cpu);
	uint64_t pfn = BUDDY_NONE;

	for (uint32_t slot = state->node_first[node]; slot < state->node_first[node + 1]; slot++) {
		if (pcp_merged_keeps(order))
			pfn = alloc_kept(allocator, cpu, sets + slot, order);
		if (pfn == BUDDY_NONE)
			pfn = alloc_zone(allocator, cpu, sets[slot].zone, order);
		if (pfn != BUDDY_NONE)
			break;
	}
	return pfn;
}

static void free_kept(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	struct pcp_set *set = pcp_set_of_page(allocator, cpu, pfn);
	uint64_t flags = allocator->irq.off();

	if (try_lock(allocator, cpu, set)) {
		pcp_merged_commit(allocator, cpu, set, pfn, order);
		spin_unlock(&set->lock);
	} else {
		buddy_free(allocator->buddy, pfn, order);
		allocator->stats[cpu].passed_in_pages += 1ull << order;
	}
	allocator->irq.restore(flags);
}

static void free_block(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	if (pcp_merged_keeps(order))
		free_kept(allocator, cpu, pfn, order);
	else
		pcp_zone_free(allocator, pfn, order);
}

/* One hold of a set's lock, for which is waited, while the pages are of one zone
 * [Linux 6.0 free_unref_page_list]. */
static void free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
		      uint32_t count)
{
	uint64_t flags = allocator->irq.off();
	struct pcp_set *held = NULL;

	for (uint32_t i = 0; i < count; i++) {
		struct pcp_set *set = pcp_set_of_page(allocator, cpu, pfns[i]);

		if (set != held && held)
			spin_unlock(&held->lock);
		if (set != held)
			spin_lock(&set->lock);
		held = set;
		pcp_merged_commit(allocator, cpu, set, pfns[i], 0);
	}
	if (held)
		spin_unlock(&held->lock);
	allocator->irq.restore(flags);
}

/* [Linux 6.0 __alloc_pages_bulk] */
static uint32_t alloc_many(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			   uint64_t *pfns, uint32_t count)
{
	const struct pcp_state *state = allocator->state;
	struct pcp_set *set = pcp_sets_of(allocator, cpu) + state->node_first[node];
	uint32_t found = 0;
	uint64_t flags;

	if (state->node_first[node] == state->node_first[node + 1])
		return 0;
	flags = allocator->irq.off();
	if (try_lock(allocator, cpu, set)) {
		found = pcp_merged_take_many(allocator, cpu, set, pfns, count);
		spin_unlock(&set->lock);
	}
	allocator->irq.restore(flags);
	return found;
}

const struct page_alloc_way pcp_trylock_way = {
	.word = { "trylock", "as merged, behind a lock that is only tried (Linux 6.0)" },
	.bytes = pcp_sets_bytes,
	.init = pcp_merged_init,
	.alloc = alloc_block,
	.free = free_block,
	.free_many = free_many,
	.alloc_many = alloc_many,
	.drain = pcp_merged_drain,
};
