/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The page tables of a process with one huge mapping, in the format of x86-64: four levels of 512
 * entries, of which the last holds pages of 4 KiB, or the last but one pages of 2 MiB
 * [SDM 3A 4.5.4]. All tables are pages of the page allocator. They are built, walked and taken
 * apart like a kernel's and never loaded into CR3: nothing is ever accessed through them.
 *
 * Tables and entries are counted from the start of the mapping:
 *
 *   level 4              root               entry ROOT_SLOT is the first used
 *   level 3      0                1 ...     512 GiB each
 *   level 2   0  1 ... 511   512 ...        1 GiB each; leaf tables of MAPPING_2M
 *   level 1  0 1 2 ...                      2 MiB each; leaf tables of MAPPING_4K
 *
 * Leaf table t holds the entries 512 t to 512 t + 511.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/limits.h"
#include "lib/page_units.h"
#include "lib/round.h"
#include "lib/words.h"
#include "mm/pcp/page_alloc.h"

enum mapping { MAPPING_4K, MAPPING_2M, MAPPING_COUNT };

extern const struct word_list mapping_words;

const char *mapping_name(enum mapping mapping);

enum { TABLE_ENTRIES = 512, TABLE_ORDER = 9, TABLE_LEVELS = 4 };

/* Bits of an entry [SDM 3A 4.5.4, tables 4-15 to 4-20]. */
#define ENTRY_PRESENT (1ull << 0)
#define ENTRY_WRITE (1ull << 1)
#define ENTRY_USER (1ull << 2)
#define ENTRY_ACCESSED (1ull << 5)
#define ENTRY_DIRTY (1ull << 6)
#define ENTRY_HUGE (1ull << 7)    /* in a table of level 2: a page of 2 MiB */
#define ENTRY_NO_EXECUTE (1ull << 63)
#define ENTRY_ADDRESS 0x000ffffffffff000ull

#define ADDRESS_SPACE_START (16ull << 40) /* a multiple of 512 GiB */
#define ADDRESS_SPACE_BYTES (112ull << 40) /* up to the end of the lower half */

struct address_space {
	struct page_allocator *allocator;
	uint8_t *base;        /* the bytes of frame pfn: base + pfn * PAGE_BYTES */
	enum mapping mapping;
	uint64_t entries;     /* pages mapped, or at least room for them */
	uint32_t node_count;
	uint64_t root_pfn;    /* BUDDY_NONE: no tables */
};

/* Whose memory is mapped: that of node n at the entries [end_entry[n - 1], end_entry[n]). */
struct address_space_supply {
	uint64_t end_entry[NODE_MAX];
};

/* Order of the pages that are mapped. */
static inline uint32_t address_space_order(const struct address_space *space)
{
	return space->mapping == MAPPING_2M ? PAGEBLOCK_ORDER : 0;
}

static inline uint64_t address_space_leaf_tables(const struct address_space *space)
{
	return div_round_up_u64(space->entries, TABLE_ENTRIES);
}

static inline uint64_t entry_pfn(uint64_t entry)
{
	return (entry & ENTRY_ADDRESS) >> PAGE_SHIFT;
}

/* Makes all tables above the leaf tables, for space->entries; the other fields are set, too. On
 * false there is too little memory, or address space, and there are no tables. */
bool address_space_open(struct address_space *space, uint32_t cpu, uint32_t node);

/* The leaf table, NULL if it is not there. Tables may be added, looked up and cut by several CPUs
 * at the same time, each by one. */
uint64_t *address_space_leaf(const struct address_space *space, uint64_t table);

/* Adds an empty leaf table. */
bool address_space_add_leaf(struct address_space *space, uint64_t table, uint32_t cpu,
			    uint32_t node);

/* Takes a leaf table off; returns its frame for the caller to free. BUDDY_NONE: there was none. */
uint64_t address_space_cut_leaf(struct address_space *space, uint64_t table);

/* Takes all other tables off, lower levels first, once no leaf table is left; `take` frees them. */
void address_space_close(struct address_space *space, void (*take)(void *context, uint64_t pfn),
			 void *context);

/* The same, freeing them on `cpu`. */
void address_space_close_free(struct address_space *space, uint32_t cpu);
