/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/buddy/buddy_zones.h"

#include "lib/minmax.h"

static uint64_t zone_end_pfn(enum zone type)
{
	if (type == ZONE_DMA)
		return ZONE_DMA_END_PFN;
	return type == ZONE_DMA32 ? ZONE_DMA32_END_PFN : UINT64_MAX;
}

/* Ranges come by ascending pfn: the first one begins the zone, the last one ends it. */
static void add_to_zone(struct zone_area *zone, uint64_t start_pfn, uint64_t end_pfn)
{
	if (zone->start_pfn == zone->end_pfn)
		zone->start_pfn = start_pfn;
	zone->end_pfn = end_pfn;
}

static void add_range(struct buddy *buddy, const struct ram_range *ram)
{
	uint64_t start_pfn = ram->start_pfn;

	while (start_pfn < ram->end_pfn) {
		enum zone type = zone_of(start_pfn);
		uint64_t limit_pfn = zone_end_pfn(type);
		uint64_t end_pfn = min_u64(ram->end_pfn, limit_pfn);

		add_to_zone(&buddy->zones[ram->node][type], start_pfn, end_pfn);
		start_pfn = end_pfn;
	}
}

void buddy_set_zones(struct buddy *buddy, const struct topology *topology)
{
	for (uint32_t node = 0; node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++)
			buddy->zones[node][type].start_pfn = buddy->zones[node][type].end_pfn = 0;
	for (uint32_t i = 0; i < topology->ram_count; i++)
		add_range(buddy, &topology->ram[i]);
}
