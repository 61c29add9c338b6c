/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A page allocator over two nodes and four zones, small enough to look at every frame. */
#include "mm/buddy/buddy_census.h"
#include "mm/buddy/buddy_take.h"
#include "mm/pcp/page_alloc.h"
#include "tests/host/buddy_fixture.h"

enum { ALLOC_CPUS = 4, ALLOC_NODES = 2, ALLOC_END = 3 * 32768 };

/* Frames with a hole and a reserved page in every 3000. Between the third and the fourth range,
 * which are of one zone, are blocks that nobody initialised and a section without struct pages. */
static const struct alloc_range {
	uint64_t start_pfn, end_pfn;
	uint32_t node;
} alloc_ranges[] = {
	{ 1024, 4096, 0 }, { 4096, 15000, 0 }, { 15000, 26 * 1024, 1 },
	{ 2 * 32768, 73 * 1024, 1 },
};
enum { ALLOC_RANGES = sizeof(alloc_ranges) / sizeof(*alloc_ranges) };

struct page_world {
	struct buddy_fixture f;
	struct page_allocator allocator;
	void *memory;
	uint64_t pages; /* free at the start */
	struct buddy_census before;
};

static inline bool page_world_usable(uint64_t pfn)
{
	return pfn % 3000 != 500 && pfn % 3000 != 501;
}

static inline void page_world_free_range(struct page_world *w,
					  const struct alloc_range *range)
{
	for (uint64_t pfn = range->start_pfn; pfn < range->end_pfn; pfn++) {
		uint64_t state = page_world_usable(pfn) ? 0 : pfn % 2 ? PG_HOLE : PG_RESERVED;

		fixture_page(w->f.base, pfn, range->node, state, 1);
		w->f.pageblocks[pfn / 512] = pfn / 512 % 5 ? MIGRATE_MOVABLE : MIGRATE_UNMOVABLE;
	}
	for (uint64_t pfn = range->start_pfn; pfn < range->end_pfn; pfn++)
		if (page_world_usable(pfn)) {
			buddy_free_core(w->f.buddy, pfn, 0, true);
			w->pages++;
		}
}

static inline struct page_world *page_world_open(void)
{
	static const uint64_t sections[] = { 0, 2 };
	struct page_world *w = calloc(1, sizeof(*w));
	struct zone_area (*zones)[ZONE_COUNT];

	fixture_open(&w->f, sections, 2);
	zones = w->f.buddy->zones;
	for (unsigned i = 0; i < ALLOC_RANGES; i++) {
		const struct alloc_range *from = &alloc_ranges[i];
		struct zone_area *zone = &zones[from->node][zone_of(from->start_pfn)];

		if (zone->start_pfn == zone->end_pfn)
			zone->start_pfn = from->start_pfn;
		zone->end_pfn = from->end_pfn;
	}
	for (unsigned i = 0; i < ALLOC_RANGES; i++)
		page_world_free_range(w, &alloc_ranges[i]);
	buddy_census(w->f.buddy, &w->f.fake.memmap, &w->before);
	w->allocator = (struct page_allocator){
		.buddy = w->f.buddy, .memmap = &w->f.fake.memmap, .cpu_count = ALLOC_CPUS,
		.node_cpus = { 3, 1 }, .irq = IRQ_GUARD_NONE,
	};
	return w;
}

static inline void page_world_begin(struct page_world *w, enum pcp pcp)
{
	free(w->memory);
	w->memory = aligned_alloc(64, page_allocator_bytes(&w->allocator));
	memset(w->memory, 0xa5, page_allocator_bytes(&w->allocator));
	page_allocator_init(&w->allocator, pcp, w->memory);
}

/* Runs what follows under every way, each beginning anew. */
#define for_each_way(w, pcp)                                          \
	for (enum pcp pcp = 0; pcp < PCP_COUNT; pcp++)                \
		if (page_world_begin(w, pcp), true)

static inline void page_world_close(struct page_world *w)
{
	free(w->memory);
	fixture_close(&w->f);
	free(w);
}

/* Nothing is allocated: after a drain all is as it was. */
static inline void page_world_assert_restored(struct page_world *w)
{
	uint64_t twice;

	page_allocator_drain(&w->allocator);
	fixture_assert_restored(&w->f, &w->before);
	assert_int_equal(buddy_take_all(w->f.buddy, 0, w->f.bitmap, 0, &twice), w->pages);
	assert_int_equal(twice, 0);
}
