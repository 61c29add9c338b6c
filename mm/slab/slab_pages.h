/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Slabs and blocks of kmalloc: from and to the page allocator. */
#include "mm/slab/slab_state.h"

/* A slab all of whose objects count as in use, and free: they are on the list that begins with the
 * first one, for the CPU that called. NULL: no memory. */
struct page *slab_new(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint32_t cache);
void slab_discard(struct slab_layer *layer, uint32_t cpu, struct page *page);

void *slab_block_alloc(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint32_t order);
void slab_block_free(struct slab_layer *layer, uint32_t cpu, struct page *page);
