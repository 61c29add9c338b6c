/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/pcp/pcp_sets.h"

#include "mm/pcp/pcp_lists.h"

static bool exists(const struct zone_area *zone)
{
	return zone->start_pfn != zone->end_pfn;
}

static uint32_t count_zones(const struct buddy *buddy)
{
	uint32_t zones = 0;

	for (uint32_t node = 0; node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++)
			zones += exists(&buddy->zones[node][type]);
	return zones;
}

uint64_t pcp_sets_bytes(const struct page_allocator *allocator)
{
	return sizeof(struct pcp_state) + (uint64_t)allocator->cpu_count *
						  count_zones(allocator->buddy) *
						  sizeof(struct pcp_set);
}

static uint64_t managed_pages(const struct zone_area *zone)
{
	return atomic_load_explicit(&zone->managed_pages, memory_order_relaxed);
}

static void set_init(struct pcp_set *set, struct zone_area *zone, struct pcp_marks marks)
{
	set->zone = zone;
	set->marks = marks;
	for (uint32_t list = 0; list < PCP_LISTS; list++)
		link_init(&set->lists[list]);
}

static uint64_t all_managed(const struct buddy *buddy)
{
	uint64_t pages = 0;

	for (uint32_t node = 0; node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++)
			pages += managed_pages(&buddy->zones[node][type]);
	return pages;
}

static uint32_t online_cpus(const struct page_allocator *allocator)
{
	uint32_t cpus = 0;

	for (uint32_t node = 0; node < NODE_MAX; node++)
		cpus += allocator->node_cpus[node];
	return cpus;
}

static void zone_init(struct page_allocator *allocator, uint32_t slot, struct zone_area *zone,
		      struct pcp_marks marks)
{
	struct pcp_state *state = allocator->state;

	state->slot[zone->node * 8 + zone->type] = (uint16_t)slot;
	for (uint32_t cpu = 0; cpu < allocator->cpu_count; cpu++)
		set_init(pcp_sets_of(allocator, cpu) + slot, zone, marks);
}

void pcp_sets_init(struct page_allocator *allocator,
		   struct pcp_marks (*marks)(const struct pcp_zone_size *))
{
	struct pcp_state *state = allocator->state;
	struct pcp_zone_size size = { .all_pages = all_managed(allocator->buddy) };
	uint32_t slot = 0;

	state->zone_count = count_zones(allocator->buddy);
	for (uint32_t node = 0; node < NODE_MAX; node++) {
		state->node_first[node] = (uint16_t)slot;
		size.cpus = allocator->node_cpus[node];
		if (!size.cpus)
			size.cpus = online_cpus(allocator);
		for (uint32_t type = ZONE_COUNT; type-- > 0;) {
			struct zone_area *zone = &allocator->buddy->zones[node][type];

			if (!exists(zone))
				continue;
			size.pages = managed_pages(zone);
			zone_init(allocator, slot++, zone, marks(&size));
		}
	}
	state->node_first[NODE_MAX] = (uint16_t)slot;
}

bool pcp_refill(struct buddy *buddy, struct page_alloc_stats *stats, struct pcp_set *set,
		struct page_list *list, uint32_t order, uint32_t blocks)
{
	uint32_t pages = buddy_take_bulk(buddy, set->zone, order, blocks, list) << order;

	set->count += pages;
	stats->refills += pages != 0;
	stats->refilled_pages += pages;
	return pages;
}

static void drain_set(struct buddy *buddy, struct pcp_set *set,
		      uint32_t (*order_of)(uint32_t list))
{
	zone_lock(&set->zone->lock);
	for (uint32_t list = 0; list < PCP_LISTS; list++)
		while (!link_alone(&set->lists[list]))
			pcp_put_last(buddy, set, &set->lists[list], order_of(list));
	zone_unlock(&set->zone->lock);
}

void pcp_sets_drain(struct page_allocator *allocator, uint32_t cpu,
		    uint32_t (*order_of)(uint32_t list))
{
	struct pcp_state *state = allocator->state;
	struct pcp_set *sets = pcp_sets_of(allocator, cpu);
	struct page_alloc_stats *stats = &allocator->stats[cpu];
	uint64_t flags = allocator->irq.off();

	for (uint32_t slot = 0; slot < state->zone_count; slot++) {
		stats->drains += sets[slot].count != 0;
		stats->drained_pages += sets[slot].count;
		if (sets[slot].count)
			drain_set(allocator->buddy, &sets[slot], order_of);
	}
	allocator->irq.restore(flags);
}
