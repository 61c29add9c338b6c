/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * What a worker does with a chunk: the functions of the jobs. Frames are taken in blocks of 4 MiB:
 * all deferred frames of a block are initialised before any of them is freed, since a merge reads
 * the buddy's struct page, and a block's struct pages (64 KiB) are still in the cache when they are
 * freed [Linux deferred_init_memmap_chunk]. A whole block is freed at once, the pieces of others
 * page by page.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "mm/buddy/buddy.h"
#include "mm/init/plan.h"
#include "mm/init/store.h"

struct chunk_args {
	struct buddy *buddy; /* also says where the memmap is; not used by chunk_init_sized */
	const struct init_plan *plan;
	uint32_t node;
	enum store store;    /* not used by chunk_init_sized */
	bool count_managed;             /* false: into freed_pages instead */
	_Atomic uint64_t *freed_pages;  /* of the node */
	/* For chunk_init_sized. A section's descriptors lie at the start of where its struct
	 * pages would: that of frame pfn at descriptors + 64 x (pfn - pfn % SECTION_PAGES) +
	 * descriptor_bytes x (pfn % SECTION_PAGES). So they need no mapping of their own, sparse
	 * memory or not. */
	uint32_t descriptor_bytes;
	uint8_t *descriptors;           /* the memmap's base */
};

/* Each is a job's function: `args` is a struct chunk_args, frames [start_pfn, end_pfn), both
 * borders multiples of a block but where the job itself begins. Only the node's deferred spans are
 * touched. Freeing types the pageblocks that hold a deferred frame. */
void chunk_init_and_free(void *args, uint64_t start_pfn, uint64_t end_pfn);
void chunk_init(void *args, uint64_t start_pfn, uint64_t end_pfn);
void chunk_free(void *args, uint64_t start_pfn, uint64_t end_pfn);
void chunk_lazy(void *args, uint64_t start_pfn, uint64_t end_pfn);

/* struct buddy's fill: the pages of a lazy block but its head; context is the struct buddy *. */
void chunk_fill_lazy(void *context, uint64_t pfn);
