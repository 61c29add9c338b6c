/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/buddy/buddy_census.h"

#include "lib/random.h"
#include "mm/buddy/buddy_parts.h"

struct census_walk {
	const struct buddy *buddy;
	const struct memmap *memmap;
	const struct zone_area *zone;
	uint64_t section; /* the last one found to be populated */
	struct buddy_census *census;
};

static void note_fault(struct census_walk *walk, uint64_t pfn)
{
	if (!walk->census->faults++)
		walk->census->first_bad_pfn = pfn;
}

static bool has_struct_page(struct census_walk *walk, uint64_t pfn)
{
	if (pfn / SECTION_PAGES == walk->section)
		return true;
	if (memmap_find_section(walk->memmap, pfn) == walk->memmap->count)
		return false;
	walk->section = pfn / SECTION_PAGES;
	return true;
}

/* The frame whose struct page holds the link at `address`, if it is one of the zone's that has
 * one; else BUDDY_NONE. */
static uint64_t frame_of_link(struct census_walk *walk, uint64_t address)
{
	uint64_t offset = address - page_link_address(walk->buddy->base);
	uint64_t pfn = offset / sizeof(struct page);

	if (offset % sizeof(struct page) || !in_zone(walk->zone, pfn) ||
	    !has_struct_page(walk, pfn))
		return BUDDY_NONE;
	return pfn;
}

/* Every block around this one lies in the same 4 MiB, whose struct pages are mapped. */
static bool inside_another(const struct page *base, uint64_t pfn, uint32_t order)
{
	for (uint32_t above = order + 1; above < ORDER_COUNT; above++)
		if (is_free_block(base + (pfn & ~((1ull << above) - 1)), above))
			return true;
	return false;
}

static bool unmerged(const struct census_walk *walk, uint64_t pfn, uint32_t order)
{
	const struct page *base = walk->buddy->base;
	uint64_t other = buddy_of(pfn, order);

	return order < ORDER_MAX && in_zone(walk->zone, other) &&
	       zone_id(base[other].flags) == zone_id(base[pfn].flags) &&
	       is_free_block(base + other, order);
}

static bool flags_right(const struct census_walk *walk, uint64_t pfn, uint32_t order)
{
	uint64_t flags = pfn / SECTION_PAGES << PAGE_SECTION_SHIFT |
			 (uint64_t)walk->zone->type << PAGE_ZONE_SHIFT |
			 (uint64_t)walk->zone->node << PAGE_NODE_SHIFT;
	uint64_t state = walk->buddy->base[pfn].flags ^ flags;

	return !state || (state == PG_LAZY && order == ORDER_MAX);
}

static bool typed(const struct census_walk *walk, uint64_t pfn)
{
	return walk->buddy->pageblocks[pfn >> PAGEBLOCK_ORDER] != MIGRATE_UNTYPED;
}

static bool head_right(const struct census_walk *walk, uint64_t pfn, uint32_t order)
{
	const struct page *head = walk->buddy->base + pfn;
	uint64_t last = pfn + (1ull << order) - 1;

	return is_free_block(head, order) && !head->refcount && pfn % (1ull << order) == 0 &&
	       in_zone(walk->zone, last) && typed(walk, pfn) && typed(walk, last) &&
	       flags_right(walk, pfn, order) && !inside_another(walk->buddy->base, pfn, order) &&
	       !unmerged(walk, pfn, order);
}

static void count_block(struct census_walk *walk, uint64_t pfn, uint32_t order)
{
	struct buddy_census *census = walk->census;

	if (!head_right(walk, pfn, order))
		note_fault(walk, pfn);
	census->blocks[order]++;
	census->free_pages += 1ull << order;
	census->lazy_blocks += (walk->buddy->base[pfn].flags & PG_LAZY) != 0;
	/* Sums of well mixed numbers tell sets apart; the summand, because 0 mixes to 0. */
	census->digest += random_mix((pfn << 4 | order) + 0x9e3779b97f4a7c15ull);
}

/*
 * A page is where the link before it points, and points back there: so no page is met twice, since
 * it would have to point back to two places, and the walk ends. Where that fails, nothing behind
 * can be trusted, and the walk leaves the list.
 */
static void walk_list(struct census_walk *walk, uint32_t order)
{
	const struct free_area *area = &walk->zone->area[order];
	uint64_t head = link_address(&area->list), before = head, next = area->list.next;
	uint64_t seen = 0, last_pfn = walk->zone->start_pfn;

	while (next != head) {
		uint64_t pfn = frame_of_link(walk, next);

		if (pfn == BUDDY_NONE || walk->buddy->base[pfn].lru_prev != before) {
			note_fault(walk, last_pfn);
			return;
		}
		count_block(walk, pfn, order);
		seen++;
		last_pfn = pfn;
		before = next;
		next = walk->buddy->base[pfn].lru_next;
	}
	if (area->list.prev != before || area->blocks != seen)
		note_fault(walk, walk->zone->start_pfn);
}

void buddy_census(const struct buddy *buddy, const struct memmap *memmap,
		  struct buddy_census *census)
{
	struct census_walk walk = { .buddy = buddy, .memmap = memmap, .section = UINT64_MAX,
			     .census = census };

	*census = (struct buddy_census){ .first_bad_pfn = BUDDY_NONE };
	for (uint32_t node = 0; node < NODE_MAX; node++) {
		for (uint32_t type = 0; type < ZONE_COUNT; type++) {
			walk.zone = &buddy->zones[node][type];
			census->managed_pages += atomic_load_explicit(
				&walk.zone->managed_pages, memory_order_relaxed);
			for (uint32_t order = 0; order < ORDER_COUNT; order++)
				walk_list(&walk, order);
		}
	}
}
