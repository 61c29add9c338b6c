/* SPDX-License-Identifier: GPL-2.0-only */
/* Orders 0 to 3 are kept: single pages in a list for each migratetype, of every higher order one
 * list [Gorman, High-order per-cpu page allocator, version 3, 2016]. */
#include "mm/pcp/pcp.h"

#include "mm/pcp/pcp_lists.h"
#include "mm/pcp/pcp_marks.h"
#include "mm/pcp/pcp_sets.h"

enum { HIGH_LISTS = PCP_TYPES + PCP_COSTLY_ORDER };

static uint32_t list_of(uint32_t type, uint32_t order)
{
	return order ? PCP_TYPES + order - 1 : type;
}

static uint32_t order_of(uint32_t list)
{
	return list < PCP_TYPES ? 0 : list - PCP_TYPES + 1;
}

static void init(struct page_allocator *allocator)
{
	pcp_sets_init(allocator, pcp_marks_high);
}

/* A refill is a batch of blocks whatever their order. */
static uint64_t alloc_block(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			    uint32_t order)
{
	if (order > PCP_COSTLY_ORDER)
		return pcp_zone_alloc(allocator, node, order);
	return pcp_take_kept(allocator, cpu, node, list_of(MIGRATE_MOVABLE, order), order);
}

static __attribute__((noinline)) void drain_some(struct buddy *buddy,
						 struct page_alloc_stats *stats,
						 struct pcp_set *set)
{
	pcp_drain_batch(buddy, stats, set, HIGH_LISTS, HIGH_LISTS - 1, order_of);
}

static void free_kept(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	struct pcp_set *set = pcp_set_of_page(allocator, cpu, pfn);
	uint32_t type = pcp_type_of_page(allocator, pfn);
	uint64_t flags = allocator->irq.off();

	pcp_add(set, &set->lists[list_of(type, order)], allocator->buddy->base + pfn, order);
	if (set->count >= set->marks.high)
		drain_some(allocator->buddy, &allocator->stats[cpu], set);
	else
		allocator->stats[cpu].hits++;
	allocator->irq.restore(flags);
}

static void free_block(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	if (order > PCP_COSTLY_ORDER)
		pcp_zone_free(allocator, pfn, order);
	else
		free_kept(allocator, cpu, pfn, order);
}

static void free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
		      uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		free_kept(allocator, cpu, pfns[i], 0);
}

static void drain(struct page_allocator *allocator, uint32_t cpu)
{
	pcp_sets_drain(allocator, cpu, order_of);
}

const struct page_alloc_way pcp_high_way = {
	.word = { "high", "orders 0 to 3 (series of 2016, version 3)" },
	.bytes = pcp_sets_bytes,
	.init = init,
	.alloc = alloc_block,
	.free = free_block,
	.free_many = free_many,
	.drain = drain,
};
