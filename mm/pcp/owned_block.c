/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/pcp/owned_block.h"

#include "lib/minmax.h"
#include "mm/pcp/owned_state.h"

/* Acquires what who set the bits wrote to the struct pages. Their frames are popped off a stack the
 * lowest first. */
static uint32_t take_bits(_Atomic uint64_t *word, uint64_t first_pfn, uint32_t order,
			  uint64_t *pfns, uint32_t room)
{
	uint64_t all = word_runs(atomic_load_explicit(word, memory_order_relaxed), order);
	uint64_t left = all;
	uint32_t count = word_count(all);

	count = min_u32(count, room);
	for (uint32_t i = count; i-- > 0; left &= left - 1)
		pfns[i] = first_pfn + word_lowest(left);
	if (count)
		atomic_fetch_and_explicit(word, ~word_spread(all ^ left, order),
					  memory_order_acq_rel);
	return count;
}

static bool words_are_set(const _Atomic uint64_t *words, uint32_t count)
{
	while (count)
		if (atomic_load_explicit(words + --count, memory_order_relaxed) != UINT64_MAX)
			return false;
	return true;
}

static uint32_t take_words(struct owned_block *block, uint64_t first_pfn, uint32_t order,
			   uint64_t *pfns, uint32_t room)
{
	uint32_t words = 1u << (order - WORD_ORDER), taken = 0;

	for (uint32_t at = BLOCK_WORDS; at && taken < room;) {
		at -= words;
		if (!words_are_set(block->free + at, words))
			continue;
		for (uint32_t i = 0; i < words; i++)
			atomic_exchange_explicit(block->free + at + i, 0, memory_order_acq_rel);
		pfns[taken++] = first_pfn + at * WORD_PAGES;
	}
	return taken;
}

uint32_t owned_block_take(struct owned_block *block, uint64_t first_pfn, uint32_t order,
			  uint64_t *pfns, uint32_t room)
{
	uint32_t taken = 0;

	if (order > WORD_ORDER)
		return take_words(block, first_pfn, order, pfns, room);
	for (uint32_t i = 0; i < BLOCK_WORDS && taken < room; i++)
		taken += take_bits(block->free + i, first_pfn + i * WORD_PAGES, order,
				   pfns + taken, room - taken);
	return taken;
}

bool owned_block_is(const struct owned_block *block, uint64_t word)
{
	for (uint32_t i = 0; i < BLOCK_WORDS; i++)
		if (atomic_load_explicit(block->free + i, memory_order_seq_cst) != word)
			return false;
	return true;
}

void owned_block_fill(struct owned_block *block)
{
	for (uint32_t i = 0; i < BLOCK_WORDS; i++)
		atomic_store_explicit(block->free + i, UINT64_MAX, memory_order_relaxed);
}
