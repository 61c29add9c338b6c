/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How large the slabs are, and how many of them are kept. */
#include "mm/slab/slab.h"

/* By Linux's calculate_order, set_min_partial and set_cpu_partial, on a machine of `cpus` CPUs. */
void slab_cache_size(struct slab_cache *cache, uint32_t object_bytes, uint32_t cpus);

/* The kmalloc cache for `bytes`; SLAB_CACHE_COUNT: too many, they are a block of pages. */
uint32_t slab_kmalloc_cache(uint64_t bytes);

/* Size of a kmalloc cache's objects. */
uint32_t slab_kmalloc_bytes(uint32_t cache);

/* The smallest order of pages that holds `bytes` [Linux get_order]; above ORDER_MAX: none. */
uint32_t slab_order_of(uint64_t bytes);

/* Bytes that may be used of what kmalloc gave for `bytes` [Linux ksize]. */
uint64_t slab_usable_bytes(uint64_t bytes);
