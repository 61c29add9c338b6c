/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Nothing lost, nothing twice. */
#include "lab/alloc/input.h"
#include "mm/buddy/buddy_census.h"

struct pages_state {
	struct buddy_census census;
	uint64_t double_frees, poison_reads;
};

/* Of memory in which nothing is kept per CPU and nothing is allocated. */
void pages_state_read(const struct alloc_input *input, struct pages_state *state);

/* What is wrong now, in one clause, or NULL: the lists are sound, and the set of free blocks and
 * all counters are those of `before`. For a free block depends on which pages are free, not on the
 * order in which they were freed, that is what a serial run leaves. */
const char *pages_state_fault(const struct alloc_input *input, const struct pages_state *before);

/* Words of the bitmap for the full check below; 0: there is too much memory for it. */
uint64_t pages_bitmap_words(const struct topology *topology);

/* The same, and once more after everything has been allocated, page by page and each frame once,
 * and given back. `words` 0: only the former. */
const char *pages_take_all_fault(const struct alloc_input *input, const struct pages_state *before,
				 uint64_t *bitmap, uint64_t words);
