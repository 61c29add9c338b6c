/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/address_space_fill.h"

#include "mm/unmap/address_space.h"

#define PAGE_FLAGS                                                                               \
	(ENTRY_PRESENT | ENTRY_WRITE | ENTRY_USER | ENTRY_ACCESSED | ENTRY_DIRTY |                \
	 ENTRY_NO_EXECUTE)

struct page_block {
	uint64_t pfn;
	uint32_t order;
};

static uint32_t node_of_entry(const struct address_space *space,
			      const struct address_space_supply *supply, uint64_t entry)
{
	uint32_t node = 0;

	while (node + 1 < space->node_count && entry >= supply->end_entry[node])
		node++;
	return node;
}

/* The largest block of a node from `order` down. */
static bool take_from(const struct address_space *space, uint32_t cpu, uint32_t node,
		      uint32_t order, struct page_block *block)
{
	for (block->order = order;; block->order--) {
		block->pfn = page_alloc(space->allocator, cpu, node, block->order);
		if (block->pfn != BUDDY_NONE)
			return true;
		if (block->order == address_space_order(space))
			return false;
	}
}

static bool take_block(const struct address_space *space, uint32_t cpu, uint32_t node,
		       uint32_t order, struct page_block *block)
{
	if (take_from(space, cpu, node, order, block))
		return true;
	for (uint32_t other = 0; other < space->node_count; other++)
		if (other != node && take_from(space, cpu, other, order, block))
			return true;
	return false;
}

/* Of pages of 4 KiB the largest block that `entries` have room for. */
static uint32_t block_order(const struct address_space *space, uint64_t entries)
{
	uint32_t order = ORDER_MAX;

	if (space->mapping == MAPPING_2M)
		return PAGEBLOCK_ORDER;
	while (1ull << order > entries)
		order--;
	return order;
}

/* Maps `count` pages from `entry` on; a block may begin in the middle of a leaf table. False: no
 * memory for a table, the pages are not mapped from *mapped on. */
static bool map_pages(struct address_space *space, uint32_t cpu, uint32_t node, uint64_t entry,
		      uint64_t pfn, uint64_t count, uint64_t *mapped)
{
	uint64_t flags = space->mapping == MAPPING_2M ? PAGE_FLAGS | ENTRY_HUGE : PAGE_FLAGS;
	uint32_t order = address_space_order(space);
	uint64_t *leaf = NULL;

	for (*mapped = 0; *mapped < count; ++*mapped, entry++) {
		if (!leaf || entry % TABLE_ENTRIES == 0) {
			if (entry % TABLE_ENTRIES == 0 &&
			    !address_space_add_leaf(space, entry / TABLE_ENTRIES, cpu, node))
				return false;
			leaf = address_space_leaf(space, entry / TABLE_ENTRIES);
		}
		leaf[entry % TABLE_ENTRIES] = (pfn + (*mapped << order)) << PAGE_SHIFT | flags;
	}
	return true;
}

bool address_space_fill(struct address_space *space, const struct address_space_supply *supply,
			uint32_t cpu, uint64_t first, uint64_t end)
{
	uint64_t entry = first * TABLE_ENTRIES, last = end * TABLE_ENTRIES, mapped;
	uint32_t order = address_space_order(space);

	if (last > space->entries)
		last = space->entries;
	while (entry < last) {
		uint32_t node = node_of_entry(space, supply, entry);
		struct page_block block;
		uint64_t pages;
		bool good;

		if (!take_block(space, cpu, node, block_order(space, last - entry), &block))
			return false;
		if (block.order > order)
			page_split(space->allocator, block.pfn, block.order);
		pages = 1ull << (block.order - order);
		good = map_pages(space, cpu, node, entry, block.pfn, pages, &mapped);
		for (uint64_t i = mapped; i < pages; i++)
			page_free(space->allocator, cpu, block.pfn + (i << order), order);
		if (!good)
			return false;
		entry += pages;
	}
	return true;
}
