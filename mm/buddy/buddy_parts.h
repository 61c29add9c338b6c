/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the page allocator and its census share: links and blocks. */
#include <stddef.h>

#include "lib/page_units.h"
#include "mm/buddy/buddy.h"

_Static_assert(offsetof(struct page, lru_prev) == offsetof(struct page, lru_next) +
							  offsetof(struct page_list, prev),
	       "a struct page's lru is a page_list");
_Static_assert(BLOCK_PAGES <= SECTION_PAGES, "a buddy lies in the same section");

#define FLAGS_POISONED UINT64_MAX

static inline uint64_t link_address(const void *link)
{
	return (uint64_t)(uintptr_t)link;
}

static inline uint64_t page_link_address(const struct page *page)
{
	return link_address(&page->lru_next);
}

/* Zone and node of a struct page as one number. */
static inline uint64_t zone_id(uint64_t flags)
{
	return flags >> PAGE_ZONE_SHIFT;
}

/* The zone that the flags of a struct page name, or NULL. */
static inline struct zone_area *zone_named(struct buddy *buddy, uint64_t flags)
{
	uint32_t node = (uint32_t)(flags >> PAGE_NODE_SHIFT), type = flags >> PAGE_ZONE_SHIFT & 7;

	return node < NODE_MAX && type < ZONE_COUNT ? &buddy->zones[node][type] : NULL;
}

/* The other half of the block of the next order. */
static inline uint64_t buddy_of(uint64_t pfn, uint32_t order)
{
	return pfn ^ (1ull << order);
}

static inline bool in_zone(const struct zone_area *zone, uint64_t pfn)
{
	return pfn >= zone->start_pfn && pfn < zone->end_pfn;
}

/* Heads a free block of this order. */
static inline bool is_free_block(const struct page *page, uint32_t order)
{
	return page->mapcount == PAGE_BUDDY && page->private_data == order;
}

static inline struct page_list *link_at(uint64_t address)
{
	return (struct page_list *)(uintptr_t)address;
}

static inline struct page_list *page_link(struct page *page)
{
	return link_at(page_link_address(page));
}

static inline struct page *page_of_link(uint64_t address)
{
	return (struct page *)(uintptr_t)(address - offsetof(struct page, lru_next));
}

static inline void link_init(struct page_list *link)
{
	link->next = link_address(link);
	link->prev = link_address(link);
}

static inline bool link_alone(const struct page_list *link)
{
	return link->next == link_address(link);
}

static inline void link_add(struct page_list *list, struct page_list *link)
{
	link->next = list->next;
	link->prev = link_address(list);
	link_at(list->next)->prev = link_address(link);
	list->next = link_address(link);
}

static inline void link_add_tail(struct page_list *list, struct page_list *link)
{
	link_add(link_at(list->prev), link);
}

static inline void link_remove(struct page_list *link)
{
	link_at(link->next)->prev = link->prev;
	link_at(link->prev)->next = link->next;
	link_init(link);
}
