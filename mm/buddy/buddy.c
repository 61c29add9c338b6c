/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/buddy/buddy.h"

#include "lib/assert.h"
#include "mm/buddy/buddy_parts.h"

static void count(_Atomic uint64_t *counter)
{
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static void zone_reset(struct zone_area *zone, uint32_t node, enum zone type)
{
	zone->node = node;
	zone->type = type;
	for (uint32_t order = 0; order < ORDER_COUNT; order++) {
		link_init(&zone->area[order].list);
		zone->area[order].blocks = 0;
	}
	zone->lock = (struct zone_lock){ 0 };
	atomic_store_explicit(&zone->managed_pages, 0, memory_order_relaxed);
}

void buddy_reset(struct buddy *buddy)
{
	for (uint32_t node = 0; node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++)
			zone_reset(&buddy->zones[node][type], node, (enum zone)type);
	atomic_store_explicit(&buddy->poison_reads, 0, memory_order_relaxed);
	atomic_store_explicit(&buddy->typed_twice, 0, memory_order_relaxed);
	atomic_store_explicit(&buddy->double_frees, 0, memory_order_relaxed);
}

/* An exchange, so that of two CPUs that type the same pageblock one sees it. */
void buddy_type_pageblock(struct buddy *buddy, uint64_t pfn, enum migratetype type)
{
	_Atomic uint8_t *byte = (_Atomic uint8_t *)&buddy->pageblocks[pfn >> PAGEBLOCK_ORDER];

	if (atomic_exchange_explicit(byte, (uint8_t)type, memory_order_relaxed) !=
	    MIGRATE_UNTYPED)
		count(&buddy->typed_twice);
}

void buddy_count_managed(struct buddy *buddy, uint32_t node, enum zone type, uint64_t pages)
{
	atomic_fetch_add_explicit(&buddy->zones[node][type].managed_pages, pages,
				  memory_order_relaxed);
}

/* Under the zone's lock from here to the next such line. */
static void add_block(struct zone_area *zone, struct page *head, uint32_t order)
{
	head->mapcount = PAGE_BUDDY;
	head->private_data = order;
	link_add(&zone->area[order].list, page_link(head));
	zone->area[order].blocks++;
}

static void remove_block(struct zone_area *zone, struct page *head, uint32_t order)
{
	link_remove(page_link(head));
	head->mapcount = -1;
	head->private_data = 0;
	zone->area[order].blocks--;
}

/* The zone in the struct page decides, since the spans of nodes may interleave. Only if it is the
 * same does the zone's lock cover the rest of the struct page. */
static bool can_merge(struct buddy *buddy, const struct page *page, uint64_t id, uint32_t order)
{
	if (zone_id(page->flags) == id)
		return is_free_block(page, order);
	if (page->flags == FLAGS_POISONED)
		count(&buddy->poison_reads);
	return false;
}

/*
 *   order 0                  [p]               freed
 *         0               [b]                  its buddy is free: one block of order 1
 *         1               [     ][      ]      that one's buddy as well: one of order 2
 *         2   [ b in part ]                    is not: stop
 */
static void merge_and_add(struct buddy *buddy, struct zone_area *zone, uint64_t pfn,
			  uint32_t order)
{
	uint64_t id = zone_id(buddy->base[pfn].flags);

	for (; order < ORDER_MAX; order++) {
		uint64_t other = buddy_of(pfn, order);

		if (!in_zone(zone, other) || !can_merge(buddy, buddy->base + other, id, order))
			break;
		remove_block(zone, buddy->base + other, order);
		pfn &= other;
	}
	add_block(zone, buddy->base + pfn, order);
}

/* Takes the head of the first list that has blocks large enough off it. */
static struct page *take_block(struct zone_area *zone, uint32_t order, uint32_t *found)
{
	for (; order < ORDER_COUNT; order++) {
		struct page_list *list = &zone->area[order].list;

		if (!link_alone(list)) {
			struct page *head = page_of_link(list->next);

			remove_block(zone, head, order);
			head->refcount = 1;
			*found = order;
			return head;
		}
	}
	return NULL;
}

/*
 *   [               found               )
 *   [ order )[ list )[ list )[   list   )
 */
static void split(struct zone_area *zone, struct page *head, uint32_t found, uint32_t order)
{
	while (found-- > order)
		add_block(zone, head + (1ull << found), found);
}

/* Without the zone's lock again. NULL if the struct page names none. */
static struct zone_area *page_zone(struct buddy *buddy, const struct page *page)
{
	struct zone_area *zone = zone_named(buddy, page->flags);

	if (!zone)
		count(&buddy->poison_reads);
	return zone;
}

/* The refcount is looked at under the lock, where of two who free the same page one is second.
 * Flags are written for lazy blocks only: other zones' merges may read them. */
static bool free_locked(struct buddy *buddy, struct zone_area *zone, uint64_t pfn, uint32_t order,
			bool lazy)
{
	struct page *head = buddy->base + pfn;

	if (head->refcount != 1) {
		count(&buddy->double_frees);
		return false;
	}
	head->refcount = 0;
	if (lazy)
		head->flags |= PG_LAZY;
	merge_and_add(buddy, zone, pfn, order);
	return true;
}

static bool free_block(struct buddy *buddy, struct zone_area *zone, uint64_t pfn, uint32_t order,
		       bool lazy)
{
	bool allocated;

	zone_lock(&zone->lock);
	allocated = free_locked(buddy, zone, pfn, order, lazy);
	zone_unlock(&zone->lock);
	return allocated;
}

static void assert_block(uint64_t pfn, uint32_t order)
{
	lab_assert(order <= ORDER_MAX && !(pfn & ((1ull << order) - 1)));
}

void buddy_free(struct buddy *buddy, uint64_t pfn, uint32_t order)
{
	struct zone_area *zone = page_zone(buddy, buddy->base + pfn);

	assert_block(pfn, order);
	if (zone)
		free_block(buddy, zone, pfn, order, false);
}

/* One store per page, eight between two jumps. */
static void clear_refcounts(struct page *page, struct page *end)
{
	struct page *const eights = page + ((end - page) & ~7ll);

	for (; page != eights; page += 8) {
		page[0].refcount = 0;
		page[1].refcount = 0;
		page[2].refcount = 0;
		page[3].refcount = 0;
		page[4].refcount = 0;
		page[5].refcount = 0;
		page[6].refcount = 0;
		page[7].refcount = 0;
	}
	for (; page != end; page++)
		page->refcount = 0;
}

/* The head keeps its refcount until the lock is held; the other pages are nobody else's to see. */
void buddy_free_core(struct buddy *buddy, uint64_t pfn, uint32_t order, bool count_managed)
{
	struct page *head = buddy->base + pfn;
	struct zone_area *zone = page_zone(buddy, head);

	assert_block(pfn, order);
	if (!zone)
		return;
	if (head->refcount == 1)
		clear_refcounts(head + 1, head + (1ull << order));
	if (free_block(buddy, zone, pfn, order, false) && count_managed)
		atomic_fetch_add_explicit(&zone->managed_pages, 1ull << order,
					  memory_order_relaxed);
}

/* A block of ORDER_MAX is never merged, so that none of its other pages is read. */
void buddy_free_lazy(struct buddy *buddy, uint64_t pfn)
{
	struct zone_area *zone = page_zone(buddy, buddy->base + pfn);

	assert_block(pfn, ORDER_MAX);
	lab_assert(buddy->fill);
	if (zone && free_block(buddy, zone, pfn, ORDER_MAX, true))
		atomic_fetch_add_explicit(&zone->managed_pages, BLOCK_PAGES,
					  memory_order_relaxed);
}

/* Nobody else knows of the block while it is on no list. */
static void fill_block(struct buddy *buddy, struct zone_area *zone, struct page *head)
{
	zone_unlock(&zone->lock);
	head->flags &= ~(uint64_t)PG_LAZY;
	buddy->fill(buddy->fill_context, (uint64_t)(head - buddy->base));
	zone_lock(&zone->lock);
}

/* The lock is held before and after. */
static struct page *take_locked(struct buddy *buddy, struct zone_area *zone, uint32_t order)
{
	uint32_t found;
	struct page *head = take_block(zone, order, &found);

	if (head && head->flags & PG_LAZY)
		fill_block(buddy, zone, head);
	if (head)
		split(zone, head, found, order);
	return head;
}

uint64_t buddy_alloc_zone(struct buddy *buddy, uint32_t node, enum zone type, uint32_t order)
{
	struct zone_area *zone = &buddy->zones[node][type];
	struct page *head;

	lab_assert(node < NODE_MAX && type < ZONE_COUNT);
	zone_lock(&zone->lock);
	head = take_locked(buddy, zone, order);
	zone_unlock(&zone->lock);
	return head ? (uint64_t)(head - buddy->base) : BUDDY_NONE;
}

uint64_t buddy_alloc_node(struct buddy *buddy, uint32_t node, uint32_t order)
{
	for (uint32_t type = ZONE_COUNT; type-- > 0;) {
		const struct zone_area *zone = &buddy->zones[node][type];
		uint64_t pfn = BUDDY_NONE;

		if (zone->start_pfn != zone->end_pfn)
			pfn = buddy_alloc_zone(buddy, node, (enum zone)type, order);
		if (pfn != BUDDY_NONE)
			return pfn;
	}
	return BUDDY_NONE;
}

uint32_t buddy_take_bulk(struct buddy *buddy, struct zone_area *zone, uint32_t order,
			 uint32_t count, struct page_list *list)
{
	uint32_t taken = 0;

	zone_lock(&zone->lock);
	for (; taken < count; taken++) {
		struct page *head = take_locked(buddy, zone, order);

		if (!head)
			break;
		head->refcount = 0;
		link_add_tail(list, page_link(head));
	}
	zone_unlock(&zone->lock);
	return taken;
}

void buddy_put_locked(struct buddy *buddy, struct zone_area *zone, struct page *head,
		      uint32_t order)
{
	merge_and_add(buddy, zone, (uint64_t)(head - buddy->base), order);
}

void buddy_free_bulk(struct buddy *buddy, const uint64_t *pfns, uint32_t count, uint32_t order)
{
	struct zone_area *held = NULL;

	for (uint32_t i = 0; i < count; i++) {
		struct zone_area *zone = page_zone(buddy, buddy->base + pfns[i]);

		assert_block(pfns[i], order);
		if (!zone)
			continue;
		if (zone != held && held)
			zone_unlock(&held->lock);
		if (zone != held)
			zone_lock(&zone->lock);
		held = zone;
		free_locked(buddy, zone, pfns[i], order, false);
	}
	if (held)
		zone_unlock(&held->lock);
}
