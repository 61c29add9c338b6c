/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/cxl_nodes.h"

#include "lib/minmax.h"
#include "lib/page_units.h"

bool cxl_window_in_srat(const struct cedt_window *window, const struct srat_facts *srat)
{
	for (uint32_t i = 0; i < srat->memory_count; i++)
		if (srat->memory[i].start < window->end && window->start < srat->memory[i].end)
			return true;
	return false;
}

static uint64_t ram_bytes(const struct cedt_window *window, const struct memory_map *map)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < map->count; i++) {
		const struct memory_range *range = &map->ranges[i];
		uint64_t start = max_u64(range->start_pfn, window->start >> PAGE_SHIFT);
		uint64_t end = min_u64(range->end_pfn, window->end >> PAGE_SHIFT);

		if (range->type == MEMORY_USABLE && start < end)
			pages += end - start;
	}
	return pages << PAGE_SHIFT;
}

static uint64_t highest_domain(const struct srat_facts *srat)
{
	uint64_t highest = 0;

	for (uint32_t i = 0; i < srat->cpu_count; i++)
		highest = max_u64(highest, srat->cpus[i].pxm);
	for (uint32_t i = 0; i < srat->memory_count; i++)
		highest = max_u64(highest, srat->memory[i].pxm);
	for (uint32_t i = 0; i < srat->initiator_count; i++)
		highest = max_u64(highest, srat->initiators[i]);
	return highest;
}

void cxl_nodes_join(const struct cedt_facts *cedt, const struct memory_map *map,
		    struct srat_facts *srat, struct anomaly_log *log)
{
	uint64_t pxm = highest_domain(srat) + 1;

	for (uint32_t i = 0; i < cedt->window_count; i++) {
		const struct cedt_window *window = &cedt->windows[i];
		uint64_t bytes = ram_bytes(window, map);

		if (!bytes || pxm >= PXM_NONE || cxl_window_in_srat(window, srat) ||
		    srat->memory_count == SRAT_MEMORY_MAX)
			continue;
		anomaly_add(log, "CEDT", window->offset,
			    "RAM in a CXL window that no SRAT range covers: a node of its own",
			    bytes);
		srat->memory[srat->memory_count++] = (struct srat_memory){
			.start = window->start, .end = window->end, .pxm = (uint32_t)pxm++,
		};
	}
}
