/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/buddy/buddy_take.h"

#include "mm/buddy/buddy_parts.h"

static bool marked(const struct buddy_hoard *hoard, uint64_t pfn)
{
	uint64_t bit = pfn - hoard->first_pfn;

	return hoard->bitmap[bit / 64] >> bit % 64 & 1;
}

static void flip_marks(struct buddy_hoard *hoard, uint64_t pfn, uint32_t order)
{
	uint64_t bit = pfn - hoard->first_pfn, end = bit + (1ull << order);

	for (; bit < end; bit++)
		hoard->bitmap[bit / 64] ^= 1ull << bit % 64;
}

static uint64_t count_marked(const struct buddy_hoard *hoard, uint64_t pfn, uint32_t order)
{
	uint64_t frames = 0;

	for (uint64_t end = pfn + (1ull << order); pfn < end; pfn++)
		frames += marked(hoard, pfn);
	return frames;
}

/* A block that overlaps another is left alone: freed twice it would do damage. */
static void keep(struct buddy *buddy, struct buddy_hoard *hoard, uint64_t pfn, uint32_t order)
{
	struct page *page = buddy->base + pfn;
	uint64_t twice = count_marked(hoard, pfn, order);

	hoard->frames += 1ull << order;
	hoard->twice += twice;
	if (twice)
		return;
	flip_marks(hoard, pfn, order);
	page->private_data = order;
	page->lru_next = hoard->last_pfn;
	hoard->last_pfn = pfn;
}

/* A zone cannot have more blocks than frames, whatever an allocator gone wrong hands out. */
static void take_zone(struct buddy *buddy, const struct zone_area *zone, uint32_t order,
		      struct buddy_hoard *hoard)
{
	uint64_t left = zone->end_pfn - zone->start_pfn, pfn;

	for (uint32_t size = order + 1; size-- > 0;)
		for (; left; left--) {
			pfn = buddy_alloc_zone(buddy, zone->node, zone->type, size);
			if (pfn == BUDDY_NONE)
				break;
			keep(buddy, hoard, pfn, size);
		}
}

void buddy_take(struct buddy *buddy, uint32_t order, struct buddy_hoard *hoard)
{
	hoard->frames = 0;
	hoard->twice = 0;
	hoard->last_pfn = BUDDY_NONE;
	for (uint32_t node = 0; node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++)
			take_zone(buddy, &buddy->zones[node][type], order, hoard);
}

void buddy_give_back(struct buddy *buddy, struct buddy_hoard *hoard)
{
	while (hoard->last_pfn != BUDDY_NONE) {
		uint64_t pfn = hoard->last_pfn;
		struct page *page = buddy->base + pfn;
		uint32_t order = (uint32_t)page->private_data;

		hoard->last_pfn = page->lru_next;
		page->lru_next = page_link_address(page);
		page->private_data = 0;
		flip_marks(hoard, pfn, order);
		buddy_free(buddy, pfn, order);
	}
}

uint64_t buddy_take_all(struct buddy *buddy, uint32_t order, uint64_t *bitmap, uint64_t first_pfn,
			uint64_t *twice)
{
	struct buddy_hoard hoard = { .bitmap = bitmap, .first_pfn = first_pfn };

	buddy_take(buddy, order, &hoard);
	buddy_give_back(buddy, &hoard);
	*twice = hoard.twice;
	return hoard.frames;
}
