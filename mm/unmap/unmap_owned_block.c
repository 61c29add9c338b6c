/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/unmap_owned_block.h"

#include "lib/cpu.h"
#include "mm/buddy/buddy_parts.h"
#include "mm/unmap/unmap_owned_state.h"

/* Struct pages are asked for so far ahead of their turn: a CPU alone then has them as fast as its
 * memory gives them. */
enum { AHEAD_PAGES = 128 };

/* What all struct pages of the block that are freed together have in common. */
struct block {
	struct page_allocator *allocator;
	uint32_t cpu, order;
	struct page *pages;      /* the block's first */
	uint64_t flags;
	struct zone_area *zone;  /* NULL: `flags` name none, or no page that may be freed */
	uint64_t taken;          /* pages, of `order` */
};

static void block_open(struct block *block, const uint64_t *words)
{
	uint32_t word = 0;

	while (!words[word])
		word++;
	block->flags = block->pages[word * WORD_PAGES + __builtin_ctzll(words[word])].flags;
	block->zone = NULL;
	if (!(block->flags & (PG_RESERVED | PG_HOLE)))
		block->zone = zone_named(block->allocator->buddy, block->flags);
}

/* As page_free, for each page. */
static void free_one_by_one(const struct block *block, uint32_t word, uint64_t bits)
{
	for (; bits; bits &= bits - 1) {
		const struct page *page =
			block->pages + word * WORD_PAGES + __builtin_ctzll(bits);

		page_free(block->allocator, block->cpu,
			  (uint64_t)(page - block->allocator->buddy->base), block->order);
	}
}

/* Makes the pages of a word those of a free block; returns the bits of those that cannot be: not of
 * the same zone, or not to be freed at all. */
static uint64_t take_word(struct block *block, uint32_t word, uint64_t bits)
{
	struct page *pages = block->pages + word * WORD_PAGES;
	uint64_t others = 0;

	if (!block->zone)
		return bits;
	for (; bits; bits &= bits - 1) {
		struct page *page = pages + __builtin_ctzll(bits);

		cpu_prefetch(page + AHEAD_PAGES);
		if ((page->flags ^ block->flags) | (page->index ^ block->order) |
		    (uint32_t)(page->refcount ^ 1)) {
			others |= bits & -bits;
			continue;
		}
		page->refcount = 0;
		if (block->order)
			page->index = 0;
		block->taken++;
	}
	return others;
}

/* From heads to pages; larger ones than a word are whole words. */
static void spread(uint64_t *words, uint32_t order)
{
	uint32_t span = 1u << (order - 6);

	for (uint32_t i = 0; i < BLOCK_WORDS; i += span)
		for (uint32_t j = 0; j < span; j++)
			words[i + j] = words[i] ? ~0ull : 0;
}

static bool all_set(const uint64_t *words, uint32_t at, uint32_t order)
{
	if (order < 6) {
		uint64_t mask = ((1ull << (1u << order)) - 1) << at % WORD_PAGES;

		return (words[at / WORD_PAGES] & mask) == mask;
	}
	for (uint32_t i = 0; i < 1u << (order - 6); i++)
		if (words[at / WORD_PAGES + i] != ~0ull)
			return false;
	return true;
}

/* The largest aligned run that begins at a bit that is set. */
static uint32_t run_order(const uint64_t *words, uint32_t at)
{
	uint32_t order = 0;

	while (order < ORDER_MAX && at % (2u << order) == 0 && all_set(words, at, order + 1))
		order++;
	return order;
}

static void put_runs(const struct block *block, const uint64_t *words)
{
	uint32_t at = 0;

	while (at < BLOCK_PAGES) {
		uint64_t rest = words[at / WORD_PAGES] >> at % WORD_PAGES;
		uint32_t order;

		if (!rest) {
			at = (at / WORD_PAGES + 1) * WORD_PAGES;
			continue;
		}
		at += (uint32_t)__builtin_ctzll(rest);
		order = run_order(words, at);
		buddy_put_locked(block->allocator->buddy, block->zone, block->pages + at, order);
		at += 1u << order;
	}
}

static void give_back(const struct block *block, const uint64_t *words)
{
	struct page_allocator *allocator = block->allocator;
	uint64_t flags = allocator->irq.off();

	zone_lock(&block->zone->lock);
	put_runs(block, words);
	zone_unlock(&block->zone->lock);
	allocator->irq.restore(flags);
}

void unmap_owned_flush(struct page_allocator *allocator, struct whole_blocks *whole)
{
	uint64_t flags;

	if (!whole->count)
		return;
	flags = allocator->irq.off();
	zone_lock(&whole->zone->lock);
	for (uint32_t i = 0; i < whole->count; i++)
		buddy_put_locked(allocator->buddy, whole->zone, whole->heads[i], ORDER_MAX);
	zone_unlock(&whole->zone->lock);
	allocator->irq.restore(flags);
	whole->count = 0;
}

static void keep_whole(const struct block *block, struct whole_blocks *whole)
{
	if (whole->count == WHOLE_BLOCKS || whole->zone != block->zone)
		unmap_owned_flush(block->allocator, whole);
	whole->zone = block->zone;
	whole->heads[whole->count++] = block->pages;
}

/* Pages that can be freed together are free after this, but for their lists; the others are no
 * longer in `words`. */
static void take_pages(struct block *block, uint64_t *words)
{
	for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
		uint64_t others = take_word(block, i, words[i]);

		words[i] &= ~others;
		free_one_by_one(block, i, others);
	}
	block->allocator->stats[block->cpu].frees += block->taken;
}

void unmap_owned_block(struct page_allocator *allocator, uint32_t cpu, uint64_t block_pfn,
		       uint32_t order, struct block_bits *bits, struct whole_blocks *whole)
{
	struct block block = { .allocator = allocator, .cpu = cpu, .order = order,
			       .pages = allocator->buddy->base + block_pfn };

	block_open(&block, bits->words);
	take_pages(&block, bits->words);
	if (order)
		spread(bits->words, order);
	if (block.taken << order == BLOCK_PAGES)
		keep_whole(&block, whole);
	else if (block.taken)
		give_back(&block, bits->words);
	for (uint32_t i = 0; i < BLOCK_WORDS; i++)
		free_one_by_one(&block, i, bits->twice[i]);
}
