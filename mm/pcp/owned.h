/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Way `owned` of the page allocator: a CPU owns whole blocks of ORDER_MAX.
 *
 *   stacks    per CPU, node and order: first frames of free pages, last in first out. Alloc and
 *             free are a load, a store and a count; no atomic operation, no struct page but the
 *             page's own.
 *   blocks    a bit per frame, set: free and on no stack. Freeing sets bits, with one atomic
 *             operation for all the frames of a word, from any CPU; so merging costs nothing,
 *             and no list of pages can grow with an owner who is not there to take them. Taking
 *             clears bits, under the lock of the owner's heap: a word of 64 frames at a time.
 *   outbox    per CPU: bits of other CPUs' blocks that are not set yet, four words.
 *   zone      gives and takes blocks of ORDER_MAX, whose buddies no merge ever reads; one hold of
 *             its lock per 1024 pages.
 *
 * A CPU keeps OWNED_KEEP blocks that are wholly free; more go to the zone, given back by the CPU
 * that freed their last page. An allocation that finds nothing in the zone looks into the blocks
 * of all CPUs of the node before it fails; what it can miss is in other CPUs' stacks and outboxes,
 * at most OWNED_STACK_PAGES + 4 * 64 pages each, and pieces of orders above 0 behind 64 blocks of
 * one CPU that have none. A zone with fewer than OWNED_SHARE blocks per CPU gives none away: its
 * pages come and go by the stacks alone, as with Linux's per-CPU lists.
 *
 * A bit per frame and a piece of memory reserved by a CPU are also the base of LLFree [Wrenger et
 * al., USENIX ATC 2023], which has no stacks, and no zone behind it.
 */
#include "mm/pcp/page_alloc.h"

enum {
	OWNED_KEEP = 2,
	OWNED_SHARE = 4,
	OWNED_STACK_PAGES = 3712,
	OWNED_BOXES = 4, /* words of an outbox */
};

extern const struct page_alloc_way owned_way;

/* Of all CPUs, for tests. */
struct owned_counts {
	uint64_t blocks;  /* that have an owner */
	uint64_t whole;   /* of these, kept because all their pages are free */
	uint64_t stacked; /* pages on stacks */
	uint64_t boxed;   /* pages in outboxes */
	uint64_t loose;   /* pages whose bit is set */
	uint64_t hidden;  /* of these, in blocks that are listed as full: none */
};

/* While no CPU calls anything. */
struct owned_counts owned_counts(const struct page_allocator *allocator);
