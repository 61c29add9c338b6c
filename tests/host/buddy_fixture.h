/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Struct pages as initialisation leaves them, written again from the definition, and an allocator
 * over a few sections. Frames that nobody initialised stay poisoned. */
#include <stdbool.h>

#include "mm/buddy/buddy.h"
#include "mm/buddy/buddy_census.h"
#include "tests/host/fake_memmap.h"

enum { FIXTURE_SECTIONS = 34 };

struct buddy_fixture {
	struct fake_memmap fake;
	struct page *base;
	struct buddy *buddy;
	uint8_t pageblocks[FIXTURE_SECTIONS * 64];
	uint64_t bitmap[FIXTURE_SECTIONS * 512];
};

static inline void fixture_open(struct buddy_fixture *f, const uint64_t *sections, unsigned count)
{
	fake_memmap_open(&f->fake, FIXTURE_SECTIONS * SECTION_PAGES);
	f->base = f->fake.memmap.base;
	for (unsigned i = 0; i < count; i++) {
		fake_memmap_add(&f->fake, sections[i]);
		memset(f->base + sections[i] * SECTION_PAGES, PAGE_POISON_BYTE,
		       SECTION_PAGES * sizeof(struct page));
	}
	f->buddy = aligned_alloc(64, sizeof(struct buddy));
	memset(f->buddy, 0, sizeof(struct buddy));
	f->buddy->base = f->base;
	f->buddy->pageblocks = f->pageblocks;
	memset(f->pageblocks, MIGRATE_UNTYPED, sizeof(f->pageblocks));
	memset(f->bitmap, 0, sizeof(f->bitmap));
	buddy_reset(f->buddy);
}

static inline void fixture_close(struct buddy_fixture *f)
{
	free(f->buddy);
	fake_memmap_close(&f->fake);
}

static inline uint64_t fixture_lru(const struct page *page)
{
	return (uint64_t)(uintptr_t)page + 8;
}

static inline void fixture_page(struct page *base, uint64_t pfn, uint32_t node, uint64_t state,
				int32_t refcount)
{
	uint64_t zone = pfn < 0x1000 ? 0 : pfn < 0x100000 ? 1 : 2;

	base[pfn] = (struct page){
		.flags = state | pfn >> 15 << 24 | zone << 49 | (uint64_t)node << 52,
		.lru_next = fixture_lru(base + pfn),
		.lru_prev = fixture_lru(base + pfn),
		.mapcount = -1,
		.refcount = refcount,
	};
}

/* A zone with all its pages initialised and its pageblocks typed, none of it free yet. */
static inline struct zone_area *fixture_zone(struct buddy_fixture *f, uint32_t node,
					     uint64_t start_pfn, uint64_t end_pfn)
{
	struct zone_area *zone = &f->buddy->zones[node][zone_of(start_pfn)];

	zone->start_pfn = start_pfn;
	zone->end_pfn = end_pfn;
	for (uint64_t pfn = start_pfn; pfn < end_pfn; pfn++) {
		fixture_page(f->base, pfn, node, 0, 1);
		f->pageblocks[pfn / 512] = MIGRATE_MOVABLE;
	}
	return zone;
}

/* The same, all of it free, in blocks of ORDER_MAX. */
static inline void fixture_free_zone(struct buddy_fixture *f, uint32_t node, uint64_t start_pfn,
				     uint64_t end_pfn)
{
	fixture_zone(f, node, start_pfn, end_pfn);
	for (uint64_t pfn = start_pfn; pfn < end_pfn; pfn += BLOCK_PAGES)
		buddy_free_core(f->buddy, pfn, ORDER_MAX, true);
}

/* The lists are sound, and what is in them is what was there before. */
static inline void fixture_assert_restored(struct buddy_fixture *f,
					   const struct buddy_census *before)
{
	struct buddy_census now;

	buddy_census(f->buddy, &f->fake.memmap, &now);
	assert_int_equal(now.faults, 0);
	assert_int_equal(now.free_pages, before->free_pages);
	assert_memory_equal(now.blocks, before->blocks, sizeof(now.blocks));
	assert_true(now.digest == before->digest);
	assert_int_equal(f->buddy->double_frees, 0);
	assert_int_equal(f->buddy->poison_reads, 0);
}

static inline bool fixture_allocated(const struct page *page)
{
	return page->refcount == 1 && page->mapcount == -1 && !page->private_data &&
	       page->lru_next == fixture_lru(page) && page->lru_prev == fixture_lru(page);
}
