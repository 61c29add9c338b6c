/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * What an unmapping has taken out of the page tables and not freed yet, as Linux's struct
 * mmu_gather [Linux 4.11 include/asm-generic/tlb.h, mm/memory.c]: the first 8 pages stand in the
 * structure itself, 510 more in every batch, a page that is allocated when it is needed and used
 * again until the end. When that many batches are full, or no page can be had for another,
 * everything is freed, in the order in which it was gathered.
 *
 * In Linux a flush of the TLBs comes before each freeing. Nothing was ever accessed through these
 * tables: flushes are counted, not made.
 */
#include <stdbool.h>
#include <stdint.h>

#include "mm/unmap/address_space.h"

enum {
	GATHER_BUNDLE = 8,   /* MMU_GATHER_BUNDLE */
	GATHER_PAGES = 510,  /* MAX_GATHER_BATCH: a page less two words */
	GATHER_BATCHES = 10000 / GATHER_PAGES /* MAX_GATHER_BATCH_COUNT */
};

/* A page of the allocator. */
struct gather_batch {
	uint64_t next_pfn; /* of the next batch; BUDDY_NONE: none */
	uint32_t count;    /* of `pfns` */
	uint32_t order;    /* of all of them; valid where there are any */
	uint64_t pfns[GATHER_PAGES];
};
_Static_assert(sizeof(struct gather_batch) == PAGE_BYTES, "as in Linux, a page");

struct gather {
	const struct address_space *space;
	uint32_t cpu, node;
	uint32_t max_batches;
	/* Where this is not NULL, and at least `threshold` pages were gathered, the batches but not
	 * the bundle are offered to it; true: it has them, with the pages they are. */
	bool (*queue)(void *context, uint64_t first_pfn);
	void *context;
	uint64_t threshold;

	uint64_t bundle[GATHER_BUNDLE];
	uint32_t bundle_count;
	uint32_t order;       /* of everything gathered; pages of another order are flushed first */
	uint64_t pages;       /* gathered since the last flush, each counted as one */
	uint64_t first_pfn, active_pfn; /* batches; BUDDY_NONE: none, the bundle is in use */
	uint32_t batch_count;
	uint64_t flushes, failures; /* freed for want of a page for a batch */
};

/* For `cpu`, whose batches come from `node` where it has pages. */
void gather_begin(struct gather *gather, const struct address_space *space, uint32_t cpu,
		  uint32_t node, uint32_t max_batches);

void gather_add(struct gather *gather, uint64_t pfn, uint32_t order);

/* Frees all that was gathered. */
void gather_flush(struct gather *gather);

/* Flushes, and frees the batches' own pages. */
void gather_end(struct gather *gather);

/* On `cpu`: frees what is in a chain of batches, and their own pages. Another than who gathered it
 * may do so. */
void gather_free_chain(const struct address_space *space, uint32_t cpu, uint64_t first_pfn);
