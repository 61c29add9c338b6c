/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The loop that this laboratory exists for. */
#include <stdint.h>

#include "mm/init/plan.h"
#include "mm/machine/page.h"
#include "mm/init/store.h"

/* Initialises the struct pages of frames [start_pfn, end_pfn), all of one node and kind: flags
 * (state: none, PG_RESERVED or PG_HOLE; section, zone, node), refcount 1, mapcount -1, lru
 * pointing at itself, all else zero. `store` is one that the CPU may use. */
void page_init_frames(struct page *base, uint64_t start_pfn, uint64_t end_pfn, uint32_t node,
		      enum frame_kind kind, enum store store);

/* The same for free frames that the page allocator already has: refcount 0. They are about to be
 * used, so the stores are plain. */
void page_init_freed(struct page *base, uint64_t start_pfn, uint64_t end_pfn, uint32_t node);

/* Flags that such a struct page gets. */
uint64_t page_init_flags(uint64_t pfn, uint32_t node, enum frame_kind kind);

/* The first frame after `pfn`, at most `end_pfn`, at which they change: a section or zone ends. */
uint64_t page_init_run_end(uint64_t pfn, uint64_t end_pfn);

struct page_init_args {
	struct page *base;
	const struct init_plan *plan;
	uint32_t node;
};

/* How many frames a job's function has to do in a chunk [start, end): the node's deferred ones. */
uint64_t page_init_chunk_pages(const struct page_init_args *args, uint64_t start_pfn,
			       uint64_t end_pfn);

/* All spans that are not deferred, by the boot CPU, before the workers start. Frames done. */
uint64_t page_init_early(struct page *base, const struct init_plan *plan, enum store store);
