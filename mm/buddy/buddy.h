/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The page allocator underneath: Linux's binary buddy system. A zone per node and zone type; free
 * blocks of 2^0 to 2^10 pages, aligned to their size, in one list per order; pageblocks of 2 MiB
 * with a migratetype each. A merge reads the struct page of the buddy, which must be initialised
 * by then: that is why initialisation and freeing go in this order, block by block
 * [Linux mm/page_alloc.c].
 *
 * The head of a free block: refcount 0, mapcount PAGE_BUDDY, private_data = order, lru in the
 * zone's list. All other pages of it: refcount 0, mapcount -1, lru pointing at itself,
 * private_data 0. A page that is allocated looks like the latter with refcount 1 on the block's
 * first page; its owner may use lru and private_data, and restores them before giving it back.
 *
 * Blocks end at 4 MiB and sections are larger, so that a buddy's struct page is always mapped. The
 * lists point into themselves: a struct buddy stays where buddy_reset found it.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/limits.h"
#include "mm/buddy/zone_lock.h"
#include "mm/machine/memmap.h"
#include "mm/machine/page.h"

enum {
	ORDER_MAX = 10,           /* 4 MiB */
	ORDER_COUNT = ORDER_MAX + 1,
	PAGE_BUDDY = -128,        /* mapcount of the head of a free block */
	PAGEBLOCK_ORDER = 9,      /* 2 MiB */
	PG_LAZY = 1 << 12,        /* head of a free block of ORDER_MAX whose other pages are not
				   * initialised yet */
};
#define BLOCK_PAGES (1ull << ORDER_MAX)
#define PAGEBLOCK_PAGES (1ull << PAGEBLOCK_ORDER)
#define BUDDY_NONE UINT64_MAX

enum migratetype { MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, MIGRATE_UNTYPED = 0xff };

/* As struct page's lru, which it overlays: two addresses of such pairs. */
struct __attribute__((may_alias)) page_list {
	uint64_t next, prev;
};

struct free_area {
	struct page_list list;
	uint64_t blocks;
};

/* Cache lines of their own for what all CPUs write. */
struct zone_area {
	uint32_t node;
	enum zone type;
	uint64_t start_pfn, end_pfn; /* spans all RAM of the zone; start == end: no such zone */
	struct free_area area[ORDER_COUNT];
	_Alignas(64) struct zone_lock lock;
	_Alignas(64) _Atomic uint64_t managed_pages;
};

struct buddy {
	struct page *base;
	uint8_t *pageblocks; /* enum migratetype of pageblock pfn >> 9, one byte each, there
			      * for all pageblocks of populated sections */
	struct zone_area zones[NODE_MAX][ZONE_COUNT];
	/* Called, without the zone's lock, for a lazy block that is about to be split or handed
	 * out: initialises its pages but the head (refcount 0, as in a free block). NULL without
	 * policy lazy. */
	void (*fill)(void *context, uint64_t pfn);
	void *fill_context;
	/* What must never happen, counted: a struct page read that is poisoned (the buddy's in a
	 * merge, or that of a page freed, which stays allocated); a pageblock typed twice; a page
	 * freed whose refcount is not 1 (which stays as it is). */
	_Atomic uint64_t poison_reads, typed_twice, double_frees;
};

/* Empties every zone and names it by its place; keeps base, pageblocks, spans and fill; counters
 * go to zero, those of the locks too. The caller resets the pageblock bytes to MIGRATE_UNTYPED
 * (they may be many). */
void buddy_reset(struct buddy *buddy);

/* Types the pageblock that holds `pfn`. */
void buddy_type_pageblock(struct buddy *buddy, uint64_t pfn, enum migratetype type);

/* Gives back 2^order allocated pages at `pfn`, aligned to their size, as they were handed out,
 * merging upwards [Linux __free_one_page]. The block goes to the head of its list. */
void buddy_free(struct buddy *buddy, uint64_t pfn, uint32_t order);

/* Hands initialised pages (refcount 1 each) to the allocator for the first time, as Linux's
 * __free_pages_core: refcounts to 0, managed pages counted, one buddy_free. `count_managed` false
 * leaves the count to the caller (policy ktask adds it up at the end). */
void buddy_free_core(struct buddy *buddy, uint64_t pfn, uint32_t order, bool count_managed);

/* The same for a lazy block of ORDER_MAX: only its head has been initialised, and becomes
 * PG_LAZY. Its pages are counted as managed. */
void buddy_free_lazy(struct buddy *buddy, uint64_t pfn);

/* Adds to the managed pages of a zone. */
void buddy_count_managed(struct buddy *buddy, uint32_t node, enum zone type, uint64_t pages);

/* The first page of 2^order free pages of the zone, smallest sufficient order first, split as
 * needed; the upper halves go to the lists [Linux __rmqueue_smallest, expand]. BUDDY_NONE when
 * there are none: a lazy block that another CPU is filling is not there for the moment. */
uint64_t buddy_alloc_zone(struct buddy *buddy, uint32_t node, enum zone type, uint32_t order);

/* The same from any zone of the node, highest first. */
uint64_t buddy_alloc_node(struct buddy *buddy, uint32_t node, uint32_t order);

/*
 * For allocators that keep free blocks outside the zone. The head of such a block has refcount 0
 * and is otherwise like that of an allocated one.
 */

/* Under one hold of the zone's lock: takes up to `count` blocks of `order` and links them to the
 * end of `list`; returns how many.
 * Lazy blocks are filled: then the lock is given up in between [Linux rmqueue_bulk]. */
uint32_t buddy_take_bulk(struct buddy *buddy, struct zone_area *zone, uint32_t order,
			 uint32_t count, struct page_list *list);

/* Gives back a block that is on no list, merging upwards. The caller holds the zone's lock. */
void buddy_put_locked(struct buddy *buddy, struct zone_area *zone, struct page *head,
		      uint32_t order);

/* Allocated blocks of `order`, as buddy_free each; but the lock is given up only for another
 * zone's. */
void buddy_free_bulk(struct buddy *buddy, const uint64_t *pfns, uint32_t count, uint32_t order);

/* What a walk of all lists of all zones finds. */
struct buddy_census {
	uint64_t blocks[ORDER_COUNT];
	uint64_t free_pages, managed_pages;
	uint64_t lazy_blocks;
	uint64_t faults;        /* a list's links or count damaged; a head of wrong order, zone,
				 * section, state or alignment, in a pageblock that nobody typed,
				 * inside another free block, or not merged with its buddy */
	uint64_t first_bad_pfn; /* of the first fault found: a head; the zone's first frame where
				 * only a list is at fault; BUDDY_NONE: none */
	uint64_t digest;        /* of the set of (pfn, order): equal sets give equal digests */
};

/* All that buddy_take took. */
struct buddy_hoard {
	uint64_t *bitmap;  /* one bit per frame of all zones, from first_pfn; zero before */
	uint64_t first_pfn;
	uint64_t frames;   /* handed out */
	uint64_t twice;    /* of these, while marked in the bitmap; such a block is not kept */
	uint64_t last_pfn; /* the blocks, last one first: private_data = order, lru_next = pfn of
			    * the one before or BUDDY_NONE */
};
