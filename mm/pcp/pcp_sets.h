/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The lists on which pages are kept: a set for each CPU and zone. */
#include "mm/pcp/page_alloc.h"
#include "mm/pcp/pcp_marks.h"

enum {
	PCP_TYPES = 3, /* migratetypes with lists of their own: unmovable, movable, reclaimable */
	PCP_COSTLY_ORDER = 3, /* [Linux PAGE_ALLOC_COSTLY_ORDER] */
	PCP_LISTS = PCP_TYPES * (PCP_COSTLY_ORDER + 1) + 1, /* the most that a way has */
};

/* Four cache lines, as Linux 5.14's [44042b449872]. */
struct pcp_set {
	_Alignas(64) uint32_t count; /* pages */
	struct pcp_marks marks;
	uint16_t free_factor;        /* way merged: frees since the last allocation, as drains */
	_Atomic uint32_t lock;       /* way trylock */
	struct zone_area *zone;
	struct page_list lists[PCP_LISTS];
};
_Static_assert(sizeof(struct pcp_set) == 256, "four cache lines");

/* Where the sets are; behind it, all sets of the first CPU, then the second's, and so on. */
struct pcp_state {
	_Alignas(64) uint32_t zone_count;
	uint16_t node_first[NODE_MAX + 1];    /* a node's zones, highest first: from here to the
					       * next node's */
	uint16_t slot[NODE_MAX * 8];          /* by the zone number of a struct page */
	struct pcp_set sets[];
};

uint64_t pcp_sets_bytes(const struct page_allocator *allocator);

void pcp_sets_init(struct page_allocator *allocator,
		   struct pcp_marks (*marks)(const struct pcp_zone_size *));

/* Takes `blocks` of an order from the zone to the end of a list that is empty. False: none. */
bool pcp_refill(struct buddy *buddy, struct page_alloc_stats *stats, struct pcp_set *set,
		struct page_list *list, uint32_t order, uint32_t blocks);

/* All of a CPU's sets back to the zones, a list after the other, of orders `order_of(list)`. */
void pcp_sets_drain(struct page_allocator *allocator, uint32_t cpu,
		    uint32_t (*order_of)(uint32_t list));
