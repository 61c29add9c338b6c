/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/early_alloc.h"

#include "lib/minmax.h"
#include "lib/page_units.h"

/* Memory that firmware, loaders and start-up code have an old claim on. */
enum { LOW_END_PFN = 256 };
/* The video window, 640 KiB to 768 KiB: no place to start a CPU, even if a map calls it RAM. */
enum { VIDEO_PFN = 0xa0, VIDEO_END_PFN = 0xc0 };

void early_alloc_init(struct early_alloc *early, const struct ram_range *ram, uint32_t ram_count)
{
	early->ram = ram;
	early->ram_count = ram_count;
	range_list_init(&early->reserved, early->storage, EARLY_RESERVED_MAX);
}

bool early_alloc_reserve(struct early_alloc *early, uint64_t start_bytes, uint64_t end_bytes)
{
	if (start_bytes >= end_bytes)
		return true;
	return range_list_add(&early->reserved, start_bytes >> PAGE_SHIFT,
			      ((end_bytes - 1) >> PAGE_SHIFT) + 1);
}

/*
 * Highest aligned start of `pages` free frames in [floor, top), or EARLY_ALLOC_NONE. Gaps are tried
 * from the top down; one too small for an aligned block is left for smaller requests.
 *
 *	floor                                      top
 *	|      gap       [ reserved )  gap  [ res. )
 *	          ^ start, aligned     ^ too small
 */
static uint64_t highest_fit(const struct range_list *reserved, uint64_t floor, uint64_t top,
			    uint64_t pages, uint64_t align_pages)
{
	uint32_t i = range_list_find(reserved, top);

	/* ranges[i] ends above the top: it may cut the top off, never lie inside */
	if (i < reserved->count && reserved->ranges[i].start < top)
		top = reserved->ranges[i].start;
	while (top > floor && top - floor >= pages) {
		uint64_t gap = i > 0 && reserved->ranges[i - 1].end > floor ?
			reserved->ranges[i - 1].end : floor;
		uint64_t start = (top - pages) & ~(align_pages - 1);

		if (start >= gap)
			return start;
		if (i == 0)
			break;
		top = reserved->ranges[--i].start;
	}
	return EARLY_ALLOC_NONE;
}

static bool eligible(const struct ram_range *range, uint32_t node)
{
	return node == NODE_ANY || range->node == node;
}

/* Highest fit in [floor, limit) in RAM of `node`. Ranges that touch count as one. */
static uint64_t find_pages(const struct early_alloc *early, uint64_t pages, uint64_t align_pages,
			   uint32_t node, uint64_t floor_pfn, uint64_t limit_pfn)
{
	const struct ram_range *ram = early->ram;

	for (uint32_t i = early->ram_count; i-- > 0;) {
		uint64_t floor, top, start;

		if (!eligible(&ram[i], node))
			continue;
		top = min_u64(ram[i].end_pfn, limit_pfn);
		while (i > 0 && ram[i - 1].end_pfn == ram[i].start_pfn &&
		       eligible(&ram[i - 1], node))
			i--;
		floor = max_u64(ram[i].start_pfn, floor_pfn);
		if (floor >= top)
			continue;
		start = highest_fit(&early->reserved, floor, top, pages, align_pages);
		if (start != EARLY_ALLOC_NONE)
			return start;
	}
	return EARLY_ALLOC_NONE;
}

static uint64_t take(struct early_alloc *early, uint64_t start, uint64_t pages)
{
	if (start == EARLY_ALLOC_NONE || !range_list_add(&early->reserved, start, start + pages))
		return EARLY_ALLOC_NONE;
	return start;
}

uint64_t early_alloc_pages(struct early_alloc *early, uint64_t pages, uint64_t align_pages,
			   uint32_t node, uint64_t limit_pfn)
{
	uint64_t start = EARLY_ALLOC_NONE;

	if (pages)
		start = find_pages(early, pages, align_pages, node, LOW_END_PFN, limit_pfn);
	return take(early, start, pages);
}

uint64_t early_alloc_low_page(struct early_alloc *early)
{
	uint64_t start = find_pages(early, 1, 1, NODE_ANY, VIDEO_END_PFN, LOW_END_PFN);

	if (start == EARLY_ALLOC_NONE)
		start = find_pages(early, 1, 1, NODE_ANY, 1, VIDEO_PFN);
	return take(early, start, 1);
}

void *early_alloc_bytes(struct early_alloc *early, uint64_t bytes, void *base)
{
	uint64_t pages = (bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
	uint64_t pfn = early_alloc_pages(early, pages ? pages : 1, 1, NODE_ANY, UINT64_MAX);

	return pfn == EARLY_ALLOC_NONE ? NULL : (uint8_t *)base + (pfn << PAGE_SHIFT);
}
