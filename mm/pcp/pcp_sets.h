/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "mm/pcp/pcp.h"

uint64_t pcp_sets_bytes(const struct page_allocator *allocator);

void pcp_sets_init(struct page_allocator *allocator,
		   struct pcp_marks (*marks)(const struct pcp_zone_size *));

/* Takes `blocks` of an order from the zone to the end of a list that is empty. False: none. */
bool pcp_refill(struct buddy *buddy, struct page_alloc_stats *stats, struct pcp_set *set,
		struct page_list *list, uint32_t order, uint32_t blocks);

/* All of a CPU's sets back to the zones, a list after the other, of orders `order_of(list)`. */
void pcp_sets_drain(struct page_allocator *allocator, uint32_t cpu,
		    uint32_t (*order_of)(uint32_t list));
