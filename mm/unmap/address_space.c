/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/address_space.h"

#include <stddef.h>

#include "lib/string.h"

enum { ROOT_SLOT = ADDRESS_SPACE_START >> 39 };
#define TABLE_FLAGS (ENTRY_PRESENT | ENTRY_WRITE | ENTRY_USER | ENTRY_ACCESSED)

_Static_assert(ADDRESS_SPACE_START % (512ull << 30) == 0, "a whole table of level 3");

static const struct word *word_at(uint32_t index)
{
	static const struct word words[MAPPING_COUNT] = {
		[MAPPING_4K] = { "4k", "pages of 4 KiB" },
		[MAPPING_2M] = { "2m", "pages of 2 MiB" },
	};

	return &words[index];
}

const struct word_list mapping_words = { MAPPING_COUNT, word_at, NULL, NULL };

const char *mapping_name(enum mapping mapping)
{
	return word_name(&mapping_words, mapping);
}

static uint32_t leaf_level(const struct address_space *space)
{
	return space->mapping == MAPPING_2M ? 2 : 1;
}

static uint64_t *table_at(const struct address_space *space, uint64_t pfn)
{
	return (uint64_t *)(void *)(space->base + pfn * PAGE_BYTES);
}

/* How many tables of a level below the root there are. */
static uint64_t table_count(const struct address_space *space, uint32_t level)
{
	uint32_t shift = TABLE_ORDER * (level - leaf_level(space) + 1);

	return (space->entries + (1ull << shift) - 1) >> shift;
}

/* The entry that points, or will point, to table `index` of `level`; NULL where a table above is
 * missing. */
static uint64_t *slot_of(const struct address_space *space, uint32_t level, uint64_t index)
{
	uint64_t *table, *slot;

	if (space->root_pfn == BUDDY_NONE)
		return NULL;
	table = table_at(space, space->root_pfn);
	slot = &table[ROOT_SLOT + (index >> TABLE_ORDER * (TABLE_LEVELS - 1 - level))];
	for (uint32_t at = TABLE_LEVELS - 1; at > level; at--) {
		if (!(*slot & ENTRY_PRESENT))
			return NULL;
		table = table_at(space, entry_pfn(*slot));
		slot = &table[(index >> TABLE_ORDER * (at - 1 - level)) % TABLE_ENTRIES];
	}
	return slot;
}

static uint64_t new_table(const struct address_space *space, uint32_t cpu, uint32_t node)
{
	uint64_t pfn = page_alloc_near(space->allocator, cpu, node, space->node_count, 0);

	if (pfn != BUDDY_NONE)
		memset(table_at(space, pfn), 0, PAGE_BYTES);
	return pfn;
}

static bool add_table(struct address_space *space, uint32_t level, uint64_t index, uint32_t cpu,
		      uint32_t node)
{
	uint64_t *slot = slot_of(space, level, index);
	uint64_t pfn = slot ? new_table(space, cpu, node) : BUDDY_NONE;

	if (pfn == BUDDY_NONE)
		return false;
	*slot = pfn << PAGE_SHIFT | TABLE_FLAGS;
	return true;
}

static uint64_t cut_table(struct address_space *space, uint32_t level, uint64_t index)
{
	uint64_t *slot = slot_of(space, level, index), entry = slot ? *slot : 0;

	if (!(entry & ENTRY_PRESENT))
		return BUDDY_NONE;
	*slot = 0;
	return entry_pfn(entry);
}

bool address_space_open(struct address_space *space, uint32_t cpu, uint32_t node)
{
	bool good;

	space->root_pfn = BUDDY_NONE;
	if (space->entries > ADDRESS_SPACE_BYTES >> (PAGE_SHIFT + address_space_order(space)))
		return false;
	space->root_pfn = new_table(space, cpu, node);
	good = space->root_pfn != BUDDY_NONE;
	for (uint32_t level = TABLE_LEVELS - 1; good && level > leaf_level(space); level--)
		for (uint64_t i = 0; good && i < table_count(space, level); i++)
			good = add_table(space, level, i, cpu, node);
	if (!good)
		address_space_close_free(space, cpu);
	return good;
}

uint64_t *address_space_leaf(const struct address_space *space, uint64_t table)
{
	const uint64_t *slot = slot_of(space, leaf_level(space), table);

	return slot && *slot & ENTRY_PRESENT ? table_at(space, entry_pfn(*slot)) : NULL;
}

bool address_space_add_leaf(struct address_space *space, uint64_t table, uint32_t cpu,
			    uint32_t node)
{
	return add_table(space, leaf_level(space), table, cpu, node);
}

uint64_t address_space_cut_leaf(struct address_space *space, uint64_t table)
{
	return cut_table(space, leaf_level(space), table);
}

void address_space_close(struct address_space *space, void (*take)(void *context, uint64_t pfn),
			 void *context)
{
	if (space->root_pfn == BUDDY_NONE)
		return;
	for (uint32_t level = leaf_level(space) + 1; level < TABLE_LEVELS; level++)
		for (uint64_t i = 0; i < table_count(space, level); i++) {
			uint64_t pfn = cut_table(space, level, i);

			if (pfn != BUDDY_NONE)
				take(context, pfn);
		}
	take(context, space->root_pfn);
	space->root_pfn = BUDDY_NONE;
}

struct freer {
	struct page_allocator *allocator;
	uint32_t cpu;
};

static void free_table(void *context, uint64_t pfn)
{
	const struct freer *freer = context;

	page_free(freer->allocator, freer->cpu, pfn, 0);
}

void address_space_close_free(struct address_space *space, uint32_t cpu)
{
	struct freer freer = { space->allocator, cpu };

	address_space_close(space, free_table, &freer);
}
