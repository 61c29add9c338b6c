/* SPDX-License-Identifier: GPL-2.0-only */
/* Single pages are kept, a list for each migratetype [Linux 4.9 buffered_rmqueue,
 * free_hot_cold_page]. */
#include "mm/pcp/pcp.h"

#include "mm/pcp/pcp_lists.h"
#include "mm/pcp/pcp_marks.h"
#include "mm/pcp/pcp_sets.h"

static void init(struct page_allocator *allocator)
{
	pcp_sets_init(allocator, pcp_marks_order0);
}

static uint64_t alloc_block(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			    uint32_t order)
{
	if (order)
		return pcp_zone_alloc(allocator, node, order);
	return pcp_take_kept(allocator, cpu, node, MIGRATE_MOVABLE, 0);
}

static uint32_t order_of(uint32_t list)
{
	(void)list;
	return 0;
}

static __attribute__((noinline)) void drain_some(struct buddy *buddy,
						 struct page_alloc_stats *stats,
						 struct pcp_set *set)
{
	pcp_drain_batch(buddy, stats, set, PCP_TYPES, 0, order_of);
}

static void free_page(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn)
{
	struct pcp_set *set = pcp_set_of_page(allocator, cpu, pfn);
	uint32_t type = pcp_type_of_page(allocator, pfn);
	uint64_t flags = allocator->irq.off();

	pcp_add(set, &set->lists[type], allocator->buddy->base + pfn, 0);
	if (set->count >= set->marks.high)
		drain_some(allocator->buddy, &allocator->stats[cpu], set);
	else
		allocator->stats[cpu].hits++;
	allocator->irq.restore(flags);
}

static void free_block(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	if (order)
		pcp_zone_free(allocator, pfn, order);
	else
		free_page(allocator, cpu, pfn);
}

/* One by one, interrupts off for each [Linux 4.11 free_hot_cold_page_list]. */
static void free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
		      uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		free_page(allocator, cpu, pfns[i]);
}

static void drain(struct page_allocator *allocator, uint32_t cpu)
{
	pcp_sets_drain(allocator, cpu, order_of);
}

const struct page_alloc_way pcp_order0_way = {
	.word = { "order0", "single pages only (Linux 4.9)" },
	.bytes = pcp_sets_bytes,
	.init = init,
	.alloc = alloc_block,
	.free = free_block,
	.free_many = free_many,
	.drain = drain,
};
