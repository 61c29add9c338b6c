/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The lists of Linux 5.14 and later, which ways merged and trylock share: a list for each
 * migratetype and order 0 to 3, and one for huge pages. The caller has the set for itself. */
#include "mm/pcp/pcp_lists.h"
#include "mm/pcp/pcp_sets.h"

enum { PCP_HUGE_LIST = PCP_LISTS - 1 };

/* Whether blocks of this order are kept [Linux pcp_allowed_order]. */
static inline bool pcp_merged_keeps(uint32_t order)
{
	return order <= PCP_COSTLY_ORDER || order == PAGEBLOCK_ORDER;
}

/* [Linux order_to_pindex] */
static inline uint32_t pcp_merged_list(uint32_t type, uint32_t order)
{
	return order > PCP_COSTLY_ORDER ? PCP_HUGE_LIST : PCP_TYPES * order + type;
}

/* Blocks of a refill: as many pages as a batch, but two blocks at least. */
static inline uint32_t pcp_merged_blocks(uint32_t batch, uint32_t order)
{
	uint32_t blocks = batch >> order;

	if (batch <= 1)
		return batch;
	return blocks > 2 ? blocks : 2;
}

/* An allocation halves what the next drain takes [Linux 5.18 rmqueue_pcplist]. */
static inline struct page *pcp_merged_take(struct page_allocator *allocator, uint32_t cpu,
					   struct pcp_set *set, uint32_t order)
{
	struct page_list *list = &set->lists[pcp_merged_list(MIGRATE_MOVABLE, order)];
	struct page_alloc_stats *stats = &allocator->stats[cpu];

	set->free_factor >>= 1;
	if (!link_alone(list))
		stats->hits++;
	else if (!pcp_refill(allocator->buddy, stats, set, list, order,
			     pcp_merged_blocks(set->marks.batch, order)))
		return NULL;
	return pcp_first(set, list, order);
}

/* Gives back as many pages as the marks say, list `list` first. `all`: all. */
void pcp_merged_drain_some(struct page_allocator *allocator, uint32_t cpu, struct pcp_set *set,
			   uint32_t list, bool all);

/* When blocks of orders 1 to 3 are freed again and again without an allocation, none are kept
 * [Linux 5.18 free_unref_page_commit]. */
static inline void pcp_merged_commit(struct page_allocator *allocator, uint32_t cpu,
				     struct pcp_set *set, uint64_t pfn, uint32_t order)
{
	uint32_t list = pcp_merged_list(pcp_type_of_page(allocator, pfn), order);
	bool all = set->free_factor && order && order <= PCP_COSTLY_ORDER;

	pcp_add(set, &set->lists[list], allocator->buddy->base + pfn, order);
	if (set->count >= set->marks.high || all)
		pcp_merged_drain_some(allocator, cpu, set, list, all);
	else
		allocator->stats[cpu].hits++;
}

/* Single pages, until there are no more; returns how many. */
uint32_t pcp_merged_take_many(struct page_allocator *allocator, uint32_t cpu, struct pcp_set *set,
			      uint64_t *pfns, uint32_t count);

void pcp_merged_init(struct page_allocator *allocator);
void pcp_merged_drain(struct page_allocator *allocator, uint32_t cpu);
