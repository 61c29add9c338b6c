/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/memmap_place.h"

#include "lib/page_units.h"

#define GIB_PAGES (GIB_SECTIONS * HUGE_PAGE_PAGES)
#define GIB_BLOCK_NONE UINT64_MAX

void memmap_placer_init(struct memmap_placer *placer, const struct memmap *memmap,
			const struct topology *topology, struct early_alloc *early)
{
	*placer = (struct memmap_placer){
		.topology = topology,
		.early = early,
		.place = memmap->place,
		.largest = memmap->largest,
		.gib_block = GIB_BLOCK_NONE,
	};
}

static bool has_room(const struct memmap_placer *placer, uint32_t node)
{
	return placer->topology->nodes[node].pages && !placer->full[node];
}

/* Begins behind `node`, which comes last: of equally far nodes the next by number is taken, so that
 * the memmaps of all nodes do not end in one. */
static uint32_t farthest_with_room(const struct memmap_placer *placer, uint32_t node)
{
	uint32_t count = placer->topology->node_count, best = NODE_NONE;

	for (uint32_t i = 1; i <= count; i++) {
		uint32_t to = (node + i) % count;
		const uint8_t *distance = placer->topology->distance[node];

		if (has_room(placer, to) && (best == NODE_NONE || distance[to] > distance[best]))
			best = to;
	}
	return best;
}

static uint32_t next_with_room(const struct memmap_placer *placer)
{
	uint32_t count = placer->topology->node_count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = (placer->turn + i) % count;

		if (has_room(placer, node))
			return node;
	}
	return NODE_NONE;
}

static uint32_t choose_node(const struct memmap_placer *placer, uint32_t node)
{
	switch (placer->place) {
	case PLACE_REMOTE:
		return farthest_with_room(placer, node);
	case PLACE_INTERLEAVE:
		return next_with_room(placer);
	case PLACE_LOCAL:
	default:
		return topology_nearest_ram(placer->topology, node, placer->full);
	}
}

static uint64_t take_aligned(struct memmap_placer *placer, uint64_t pages, uint32_t node)
{
	uint64_t pfn = early_alloc_pages(placer->early, pages, pages, node, UINT64_MAX);

	if (pfn != EARLY_ALLOC_NONE)
		placer->turn = node + 1;
	return pfn;
}

/* Whether the RAM of these 64 GiB of addresses is all of `node`. */
static bool block_of_one_node(const struct topology *topology, uint64_t block, uint32_t node)
{
	uint64_t start_pfn = block * GIB_SECTIONS * SECTION_PAGES;
	uint64_t end_pfn = start_pfn + GIB_SECTIONS * SECTION_PAGES;

	for (uint32_t i = 0; i < topology->ram_count; i++) {
		const struct ram_range *ram = &topology->ram[i];

		if (ram->start_pfn < end_pfn && ram->end_pfn > start_pfn && ram->node != node)
			return false;
	}
	return true;
}

/* Looks for a GiB when a section begins other 64 GiB than the one before. */
static void begin_block(struct memmap_placer *placer, const struct memmap_section *section)
{
	uint64_t block = section->section / GIB_SECTIONS;
	uint32_t node;

	if (block == placer->gib_block)
		return;
	placer->gib_block = block;
	placer->gib_pfn = EARLY_ALLOC_NONE;
	if (placer->largest != VMEMMAP_1G)
		return;
	if (placer->place != PLACE_INTERLEAVE &&
	    !block_of_one_node(placer->topology, block, section->node))
		return;
	node = choose_node(placer, section->node);
	if (node == NODE_NONE || placer->gib_full[node])
		return;
	placer->gib_pfn = take_aligned(placer, GIB_PAGES, node);
	placer->gib_node = node;
	placer->gib_full[node] = placer->gib_pfn == EARLY_ALLOC_NONE;
}

bool memmap_place(struct memmap_placer *placer, struct memmap_section *section)
{
	begin_block(placer, section);
	if (placer->gib_pfn != EARLY_ALLOC_NONE) {
		uint64_t index = section->section % GIB_SECTIONS;

		section->mapping = VMEMMAP_1G;
		section->backing_node = placer->gib_node;
		section->backing_pfn = placer->gib_pfn + index * HUGE_PAGE_PAGES;
		return true;
	}
	section->mapping = placer->largest == VMEMMAP_4K ? VMEMMAP_4K : VMEMMAP_2M;
	for (;;) {
		uint32_t node = choose_node(placer, section->node);

		if (node == NODE_NONE)
			return false;
		section->backing_node = node;
		section->backing_pfn = take_aligned(placer, HUGE_PAGE_PAGES, node);
		if (section->backing_pfn != EARLY_ALLOC_NONE)
			return true;
		placer->full[node] = true;
	}
}
