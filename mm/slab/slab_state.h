/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the files of the slab layer share: the state of a slab in the struct page of its head. */
#include "mm/buddy/buddy_parts.h"
#include "mm/slab/slab.h"

/*
 * private_data of a slab's head:
 *
 *   63      33  32       31     16  15       0
 *      zero    frozen    in use     freelist
 *
 * The list of free objects is linked through their first eight bytes. Offsets are counted in units
 * of 8 bytes from the slab's beginning. Objects that the owner took over to its own list count as
 * in use. Only the owner takes, and always the whole list: a push cannot be fooled by a list that
 * has meanwhile been taken and come back.
 */
#define SLAB_NONE 0xffffu
#define SLAB_FROZEN (1ull << 32)

enum { SLAB_UNIT = 8, SLAB_IN_USE_SHIFT = 16 };

static inline uint64_t slab_state(uint32_t freelist, uint32_t in_use, uint64_t frozen)
{
	return frozen | (uint64_t)in_use << SLAB_IN_USE_SHIFT | freelist;
}

static inline uint32_t state_freelist(uint64_t state)
{
	return state & 0xffff;
}

static inline uint32_t state_in_use(uint64_t state)
{
	return state >> SLAB_IN_USE_SHIFT & 0xffff;
}

static inline uint64_t slab_state_read(const struct page *page)
{
	return __atomic_load_n(&page->private_data, __ATOMIC_ACQUIRE);
}

/* On failure `*old` is what was found. */
static inline bool slab_state_change(struct page *page, uint64_t *old, uint64_t new)
{
	return __atomic_compare_exchange_n(&page->private_data, old, new, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE);
}

/*
 * mapping: of a head which cache, or that it is a block of kmalloc; of the pages behind it how far
 * back the head is. Neither is an address that a pointer may have.
 */
#define SLAB_HEAD 0x51ab000000000000ull
#define SLAB_TAIL 0x51abba0000000000ull
enum { SLAB_BLOCK = SLAB_CACHE_COUNT };

static inline uint32_t slab_node_of(const struct page *page)
{
	return (uint32_t)(page->flags >> PAGE_NODE_SHIFT);
}

static inline uint64_t slab_pfn(const struct slab_layer *layer, const struct page *page)
{
	return (uint64_t)(page - layer->pages);
}

static inline uint8_t *slab_bytes(const struct slab_layer *layer, const struct page *page)
{
	return layer->base + slab_pfn(layer, page) * PAGE_BYTES;
}

static inline struct slab_cpu *slab_cpu_of(const struct slab_layer *layer, uint32_t cpu,
					   uint32_t cache)
{
	return &layer->cpus[(uint64_t)cpu * SLAB_CACHE_COUNT + cache];
}

/* Which cache a slab belongs to. */
static inline uint32_t slab_cache_of(const struct page *page)
{
	return (uint32_t)(page->mapping - SLAB_HEAD);
}

static inline struct slab_node *slab_home(const struct slab_layer *layer, const struct page *page)
{
	return &layer->nodes[(uint64_t)slab_node_of(page) * SLAB_CACHE_COUNT +
			     slab_cache_of(page)];
}

/* Whether an object begins at this offset of a slab. Exact for what fits into a slab: 2^32 / bytes
 * is too large by less than 1, times an offset below 2^15 by less than bytes / 2^32. */
static inline bool slab_object_at(const struct slab_cache *cache, uint32_t offset_bytes)
{
	uint32_t number = (uint32_t)((uint64_t)offset_bytes * cache->reciprocal >> 32);

	return number < cache->objects && number * cache->object_bytes == offset_bytes;
}

static inline uint32_t slab_free_objects(const struct slab_cache *cache, uint64_t state)
{
	return cache->objects - state_in_use(state);
}

static inline uint64_t *slab_link(uint8_t *bytes, uint32_t offset)
{
	return (uint64_t *)(void *)(bytes + (uint64_t)offset * SLAB_UNIT);
}

static inline uint32_t slab_partial_count(const struct slab_node *node)
{
	return atomic_load_explicit(&node->partial_count, memory_order_relaxed);
}

static inline void slab_fault(struct slab_layer *layer)
{
	atomic_fetch_add_explicit(&layer->fault_count, 1, memory_order_relaxed);
}

/* The free object behind the one at `offset`; SLAB_NONE, and a fault, where somebody has written to
 * that. What came behind is then lost: its slab stays in use. */
static inline uint32_t slab_next_free(struct slab_layer *layer, const struct slab_cache *cache,
				      uint8_t *bytes, uint32_t offset)
{
	uint64_t next = *slab_link(bytes, offset);

	if (next == SLAB_NONE)
		return SLAB_NONE;
	if (next < SLAB_NONE && slab_object_at(cache, (uint32_t)next * SLAB_UNIT))
		return (uint32_t)next;
	slab_fault(layer);
	return SLAB_NONE;
}
