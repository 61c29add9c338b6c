/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Descriptors smaller than a struct page: what would initialisation cost if they were? */
#include "mm/init/chunk.h"

/* Descriptors of 56, 40, 32, 16 or 8 bytes instead of struct pages: the first words of what a
 * struct page would hold, in this order of importance: flags, counts, lru next, lru prev, private,
 * mapping, index; lru points at the descriptor's own. Only initialised, never freed: the page
 * allocator needs a struct page. */
void chunk_init_sized(void *args, uint64_t start_pfn, uint64_t end_pfn);

/* page_init_early with such descriptors; `args` as for a job, of any node. Frames done. */
uint64_t chunk_early_sized(const struct chunk_args *args);
