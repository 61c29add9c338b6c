/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The bits of a block: a word of them is 64 frames, whose struct pages fill a page of memory. */
#include "mm/pcp/owned_state.h"

/* Takes up to `room` pieces of 2^order frames, their first frames into `pfns`, those of a word in
 * descending order; returns how many. `first_pfn` is the block's. Under the lock. */
uint32_t owned_block_take(struct owned_block *block, uint64_t first_pfn, uint32_t order,
			  uint64_t *pfns, uint32_t room);

/* All words are this one. */
bool owned_block_is(const struct owned_block *block, uint64_t word);

/* All frames are free. */
void owned_block_fill(struct owned_block *block);
