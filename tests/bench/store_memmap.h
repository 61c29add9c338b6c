/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The memmap that bench_store writes, and a page allocator of one node to free it into. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/page_units.h"
#include "mm/buddy/buddy_zones.h"
#include "mm/init/plan.h"

enum { SLICE_SECTIONS = 32 }; /* 64 MiB of memmap */
#define SLICE_PAGES (SLICE_SECTIONS * SECTION_PAGES)
#define SLICE_BYTES (SLICE_PAGES * sizeof(struct page))

struct bench_memmap {
	struct page *base;
	uint64_t slices;
	const char *mapped; /* how */
	struct init_span span;
	struct init_plan *plan;
	struct buddy *buddy;
	uint8_t *pageblocks;
};

static inline void fail(const char *what)
{
	perror(what);
	exit(1);
}

static inline char *map_memory(uint64_t bytes, int flags)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
		    0);
}

static inline void set_memmap(struct bench_memmap *m, char *memory, uint64_t bytes)
{
	memset(memory, PAGE_POISON_BYTE, bytes);
	m->base = (struct page *)memory;
}

/* Huge pages that were set aside, else those that the kernel gives on request; all present before
 * the clock runs. */
static inline void map_memmap(struct bench_memmap *m)
{
	uint64_t bytes = m->slices * SLICE_BYTES;
	char *memory = map_memory(bytes, MAP_HUGETLB);

	m->mapped = "MAP_HUGETLB";
	if (memory == MAP_FAILED) {
		m->mapped = "madvise(MADV_HUGEPAGE)";
		memory = map_memory(bytes + HUGE_PAGE_BYTES, 0);
		if (memory == MAP_FAILED)
			fail("memory for the memmap");
		memory += HUGE_PAGE_BYTES - (uintptr_t)memory % HUGE_PAGE_BYTES;
		if (madvise(memory, bytes, MADV_HUGEPAGE))
			m->mapped = "pages of 4 KiB: madvise failed";
	}
	set_memmap(m, memory, bytes);
}

/* Another memmap in place of the one there is. */
static inline void map_small(struct bench_memmap *m)
{
	uint64_t bytes = m->slices * SLICE_BYTES;
	char *memory;

	if (munmap(m->base, bytes))
		fail("munmap");
	memory = map_memory(bytes, 0);
	if (memory == MAP_FAILED || madvise(memory, bytes, MADV_NOHUGEPAGE))
		fail("memory of 4 KiB pages for the memmap");
	set_memmap(m, memory, bytes);
	m->buddy->base = m->base;
}

/* One node; all of its memory is deferred. */
static inline void set_up_allocator(struct bench_memmap *m)
{
	static const uint64_t ends[ZONE_COUNT] = { ZONE_DMA_END_PFN, ZONE_DMA32_END_PFN,
						   UINT64_MAX };
	uint64_t pages = m->slices * SLICE_PAGES, start = 0;

	m->plan = calloc(1, sizeof(*m->plan));
	m->buddy = aligned_alloc(64, (sizeof(*m->buddy) + 63) / 64 * 64);
	m->pageblocks = malloc(pages / PAGEBLOCK_PAGES);
	if (!m->plan || !m->buddy || !m->pageblocks)
		fail("memory for the page allocator");
	m->span = (struct init_span){ 0, pages, 0, FRAME_FREE, true };
	m->plan->spans = &m->span;
	m->plan->span_count = 1;
	memset(m->buddy, 0, sizeof(*m->buddy));
	m->buddy->base = m->base;
	m->buddy->pageblocks = m->pageblocks;
	for (int type = 0; type < ZONE_COUNT && start < pages; type++) {
		struct zone_area *zone = &m->buddy->zones[0][type];

		zone->start_pfn = start;
		zone->end_pfn = ends[type] < pages ? ends[type] : pages;
		start = zone->end_pfn;
	}
}
