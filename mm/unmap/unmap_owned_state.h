/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The parts of way `owned`: the bitmaps, the walk, and a block that is freed. */
#include "mm/pcp/owned_word.h"
#include "mm/unmap/unmap.h"

enum {
	BLOCK_HUGE = 1 << (ORDER_MAX - PAGEBLOCK_ORDER), /* pages of 2 MiB in a block */
	SECTION_BLOCKS = SECTION_PAGES >> ORDER_MAX,
	/* Each worker that walks has a bitmap, a 32768th part of the memory. More than these do not
	 * walk. */
	WALKERS_MAX = 64,
	WHOLE_BLOCKS = 8,
};
#define NO_SLOT UINT32_MAX

/* Numbers that workers take, some at a time. */
struct supply {
	_Alignas(64) _Atomic uint64_t next;
	uint64_t end;
};

/* Written by one rank while it walks. */
struct rank_note {
	_Alignas(64) uint64_t twice; /* frames found with their bit set */
	uint64_t twice_pfn;          /* the first of them */
};

/* Every section with struct pages has a slot, those of a node one after the other; bits are by
 * slot, so that holes in the physical address space take no memory. There is a bit for each page
 * of the mapping's order: 512 words for a section, or one. */
struct owned_state {
	uint32_t order;
	uint64_t section_limit, slot_count;
	uint32_t *slots;                /* of a section; NO_SLOT: there is none */
	uint32_t *sections;             /* of a slot */
	struct rank_note *notes;
	uint32_t walkers;               /* ranks below */
	uint64_t *bitmaps;              /* one each: slot_count * section_words() words */
	struct supply tables;           /* leaf tables */
	struct supply blocks[NODE_MAX]; /* of ORDER_MAX, by slot and place in the section */
	_Alignas(64) _Atomic uint32_t ready; /* all entries are gone */
	_Atomic uint32_t done;          /* ranks that have nothing more to free */
};

/* Heads of pages to be freed in one block of ORDER_MAX. */
struct block_bits {
	uint64_t words[BLOCK_WORDS];
	uint64_t twice[BLOCK_WORDS]; /* of these, found by two */
};

static inline uint64_t section_words(uint32_t order)
{
	return (SECTION_PAGES >> order) / WORD_PAGES;
}

static inline uint64_t *bitmap_of(const struct owned_state *o, uint32_t walker)
{
	return o->bitmaps + walker * (o->slot_count * section_words(o->order));
}

/* Blocks of ORDER_MAX all of whose pages are to be freed, until there are some for one hold of the
 * zone's lock. */
struct whole_blocks {
	struct zone_area *zone;
	uint32_t count;
	struct page *heads[WHOLE_BLOCKS];
};
