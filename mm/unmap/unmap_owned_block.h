/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * A block whose pages to be freed are known, all of them. Each struct page is touched once, in
 * sequence, and nothing is merged that is whole already:
 *
 *   bits      1111111111111111   one free of order 4, whatever the order in which they were found
 *             0110111111111111   runs of 1, 1, 4 and 8 pages: orders 0, 0, 2 and 3
 */
#include "mm/unmap/unmap_owned_state.h"

/* Frees the pages of `order` (that of the mapping) that have a bit, at least one, each checked as
 * page_free does, as the largest blocks that they make: under one hold of the zone's lock, or kept
 * in `whole`. The bits are no longer valid afterwards. */
void unmap_owned_block(struct page_allocator *allocator, uint32_t cpu, uint64_t block_pfn,
		       uint32_t order, struct block_bits *bits, struct whole_blocks *whole);

void unmap_owned_flush(struct page_allocator *allocator, struct whole_blocks *whole);
