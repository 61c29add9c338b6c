/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The page allocator as its users see it: one way or another of keeping pages per CPU, in front of
 * the buddy allocator. The ways (enum pcp, docs/allocator.md) are Linux's generations and one of
 * our own; all hand out and take back the same pages.
 *
 * The head of an allocated block: refcount 1, mapcount -1, private_data 0, lru pointing at itself,
 * index = order. Its other pages: refcount 0, index 0. A page on a per-CPU list is no different
 * from one inside a free block, but for its lru: refcount 0, mapcount -1, private_data 0, index 0.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/irq_guard.h"
#include "lib/page_units.h"
#include "lib/words.h"
#include "mm/buddy/buddy.h"
#include "mm/machine/memmap.h"

/* Pages kept per CPU, in the order of their history; docs/allocator.md. */
enum pcp {
	PCP_NONE,    /* the zone's lock each time */
	PCP_ORDER0,  /* single pages only */
	PCP_HIGH,    /* orders 0 to 3, as the series of 2016, version 3 */
	PCP_MERGED,  /* as Linux 5.14: also the huge-page order */
	PCP_TRYLOCK, /* as Linux 6.0: the same behind a lock that is only tried */
	PCP_OWNED,   /* our own: a CPU owns whole blocks */
	PCP_COUNT
};

/* In this order they are looked for. Of two CPUs that free one page in the same moment neither may
 * be caught, as the ways but `none` take no lock; Linux has an atomic reference count there. */
enum free_fault_kind {
	FREE_FAULT_NONE,
	FREE_FAULT_RESERVED, /* reserved, a hole, a struct page that nobody initialised, or none */
	FREE_FAULT_DOUBLE,   /* refcount is not 1: free already, or inside a larger block */
	FREE_FAULT_ORDER,    /* freed with another order than it was allocated with */
	FREE_FAULT_KINDS
};

/* A free that must not be. The pages stay as they are. */
struct free_fault {
	enum free_fault_kind kind;
	uint64_t pfn;
	uint32_t order;       /* as given */
	uint32_t cpu;
};

/* Counted by each CPU for itself, on cache lines of its own. What Linux calls a hit is an
 * allocation or free that took no zone lock. */
struct page_alloc_stats {
	_Alignas(64) uint64_t allocations;
	uint64_t frees;
	uint64_t hits;                    /* of both */
	uint64_t refills, refilled_pages; /* taken from the zone to be kept: how often, and how many
					   * 4 KiB pages in all */
	uint64_t drains, drained_pages;   /* given back to the zone */
	uint64_t lock_failures;           /* trylock: the list was in use, the zone served */
	/* trylock: pages of orders that are kept, past the lists from the zone and to it */
	uint64_t passed_out_pages, passed_in_pages;
	uint64_t remote_frees;            /* owned: handed to the CPU that owns the block */
	uint64_t failures;                /* allocations that found nothing */
};

struct page_allocator;

/* One way. `cpu` is the calling CPU's index in topology->cpus; no two CPUs call with the same at
 * the same time. */
struct page_alloc_way {
	struct word word;
	/* Bytes of state for all CPUs; both may look at allocator->buddy's zones. */
	uint64_t (*bytes)(const struct page_allocator *allocator);
	void (*init)(struct page_allocator *allocator); /* allocator->state is zeroed */
	/* As buddy_alloc_node: any zone of the node, highest first; head as described above except
	 * that index is still 0. BUDDY_NONE: none. */
	uint64_t (*alloc)(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			  uint32_t order);
	/* Checked before: the head still has refcount 1, its index is 0. */
	void (*free)(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order);
	/* At most PAGE_FREE_BATCH single pages, checked before, as release_pages and
	 * free_unref_page_list of the generation free them. */
	void (*free_many)(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
			  uint32_t count);
	/* Up to `count` single pages, heads as of `alloc`; returns how many. NULL: the generation
	 * has no such call, and they are allocated one by one. */
	uint32_t (*alloc_many)(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			       uint64_t *pfns, uint32_t count);
	/* Everything that `cpu` keeps goes back to the zones. While no other CPU calls anything. */
	void (*drain)(struct page_allocator *allocator, uint32_t cpu);
};

enum { PAGE_FREE_BATCH = 32 }; /* [Linux SWAP_CLUSTER_MAX] */

extern const struct word_list pcp_words;

const struct page_alloc_way *page_alloc_way(enum pcp pcp);

const char *pcp_name(enum pcp pcp);

struct page_allocator {
	struct buddy *buddy;
	const struct memmap *memmap; /* which sections have struct pages; NULL: all that a zone
				      * spans */
	uint32_t cpu_count;          /* indexes in topology->cpus are below */
	uint32_t node_cpus[NODE_MAX]; /* online ones, for the high marks */
	struct irq_guard irq;
	enum pcp pcp;
	bool drain_pieces;           /* merged, trylock: what goes back to the zone above the mark
				      * goes in pieces of a batch, the zone's lock given up after
				      * each [upstream 0acc67c4030c, 2025]. False from init on */
	const struct page_alloc_way *way;
	void *state;                 /* the way's own */
	struct page_alloc_stats *stats; /* one per CPU */
	uint64_t *sections;          /* a bit for each below section_limit: has struct pages */
	uint64_t section_limit;
	_Atomic uint64_t fault_count;
	struct free_fault fault;     /* the first; valid where fault_count is not 0 */
};

/* Bytes of scratch for any way, 64-byte aligned; buddy with its zones, memmap, cpu_count and
 * node_cpus are set. */
uint64_t page_allocator_bytes(const struct page_allocator *allocator);

/* Begins with `pcp`: empty lists, statistics and faults zero. All pages are in the zones, whose
 * managed pages the marks are worked out from. */
void page_allocator_init(struct page_allocator *allocator, enum pcp pcp, void *memory);

/* First frame of 2^order pages of `node`, or BUDDY_NONE. */
uint64_t page_alloc(struct page_allocator *allocator, uint32_t cpu, uint32_t node, uint32_t order);

/* Likewise of `node`, else of the first other one below `node_count` that has some. */
uint64_t page_alloc_near(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			 uint32_t node_count, uint32_t order);

/* Takes them back. What must not be freed is noted as a fault and stays as it is. */
void page_free(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order);

/* `count` single pages at once. */
void page_free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
		    uint32_t count);

/* Single pages of `node` into `pfns`, as alloc_pages_bulk; returns how many there were. */
uint32_t page_alloc_many(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			 uint64_t *pfns, uint32_t count);

/* Makes an allocated block 2^order allocated single pages [Linux split_page]. */
void page_split(struct page_allocator *allocator, uint64_t pfn, uint32_t order);

/* Everything that is kept per CPU goes back to the zones. While no CPU calls anything else. */
void page_allocator_drain(struct page_allocator *allocator);

/* Sum over all CPUs. */
struct page_alloc_stats page_allocator_stats(const struct page_allocator *allocator);

/* Whether the frame is in a section that has struct pages, of all frames that there are. */
static inline bool page_allocator_has(const struct page_allocator *allocator, uint64_t pfn)
{
	uint64_t section = pfn / SECTION_PAGES;

	return section < allocator->section_limit &&
	       allocator->sections[section / 64] >> section % 64 & 1;
}

const char *free_fault_name(enum free_fault_kind kind);
