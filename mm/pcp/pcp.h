/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Pages kept per CPU as Linux keeps them: a set of lists for each CPU and zone, filled from the
 * zone and emptied into it in batches, each under one hold of the zone's lock. What differs between
 * the generations is in docs/allocator.md.
 */
#include "mm/pcp/page_alloc.h"

extern const struct page_alloc_way pcp_none_way;
extern const struct page_alloc_way pcp_order0_way;
extern const struct page_alloc_way pcp_high_way;
extern const struct page_alloc_way pcp_merged_way;
extern const struct page_alloc_way pcp_trylock_way;

/* ---- mm/pcp/pcp_marks.c: how many pages ------------------------------------------------------ */

struct pcp_marks {
	uint32_t batch; /* from and to the zone at once */
	uint32_t high;  /* pages of a set; as many are too many */
};

/* What a zone's marks are worked out from, in managed pages. */
struct pcp_zone_size {
	uint64_t pages;     /* of the zone */
	uint64_t all_pages; /* of all zones */
	uint32_t cpus;      /* that share it: the node's, or all if it has none */
};

/* ---- mm/pcp/pcp_sets.c: the lists ------------------------------------------------------------ */

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
