/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/slab/slab_size.h"

#include "lib/minmax.h"
#include "mm/slab/slab_state.h"

static const uint16_t kmalloc_bytes[SLAB_KMALLOC_CACHES] = { 8,   16,  32,  64,	  96,	128, 192,
							     256, 512, 1024, 2048, 4096, 8192 };

uint32_t slab_kmalloc_cache(uint64_t bytes)
{
	for (uint32_t cache = 0; cache < SLAB_KMALLOC_CACHES; cache++)
		if (bytes <= kmalloc_bytes[cache])
			return cache;
	return SLAB_CACHE_COUNT;
}

uint32_t slab_kmalloc_bytes(uint32_t cache)
{
	return kmalloc_bytes[cache];
}

uint32_t slab_order_of(uint64_t bytes)
{
	uint32_t order = 0;

	while (order <= ORDER_MAX && PAGE_BYTES << order < bytes)
		order++;
	return order;
}

uint64_t slab_usable_bytes(uint64_t bytes)
{
	uint32_t cache = slab_kmalloc_cache(bytes);

	return cache < SLAB_CACHE_COUNT ? kmalloc_bytes[cache] : PAGE_BYTES << slab_order_of(bytes);
}

/* Bits up to the highest one that is set [Linux fls]. */
static uint32_t bits_of(uint32_t value)
{
	uint32_t bits = 0;

	for (; value; value >>= 1)
		bits++;
	return bits;
}

/* The smallest order for that number of objects that leaves at most 1/fraction of it unused; above
 * SLAB_ORDER_MAX: none [Linux slab_order]. */
static uint32_t order_with(uint32_t object_bytes, uint32_t min_objects, uint32_t fraction)
{
	uint32_t order = slab_order_of((uint64_t)min_objects * object_bytes);

	for (; order <= SLAB_ORDER_MAX; order++) {
		uint64_t bytes = PAGE_BYTES << order;

		if (bytes % object_bytes <= bytes / fraction)
			break;
	}
	return order;
}

/* As many objects as a machine of this size is thought to need, first with little waste, then with
 * more; then fewer objects [Linux calculate_order]. */
static uint32_t choose_order(uint32_t object_bytes, uint32_t cpus)
{
	uint32_t fits = (uint32_t)((PAGE_BYTES << SLAB_ORDER_MAX) / object_bytes);
	uint32_t objects = 4 * (bits_of(cpus) + 1);

	for (objects = min_u32(objects, fits); objects > 1; objects--)
		for (uint32_t fraction = 16; fraction >= 4; fraction /= 2) {
			uint32_t order = order_with(object_bytes, objects, fraction);

			if (order <= SLAB_ORDER_MAX)
				return order;
		}
	return order_with(object_bytes, 1, 1);
}

/* [Linux set_min_partial, MIN_PARTIAL, MAX_PARTIAL] */
static uint32_t choose_min_partial(uint32_t object_bytes)
{
	uint32_t half_log = (bits_of(object_bytes) - 1) / 2;

	if (half_log < 5)
		return 5;
	return min_u32(half_log, 10);
}

/* [Linux 4.9 kmem_cache_open] */
static uint32_t choose_cpu_partial(uint32_t object_bytes)
{
	if (object_bytes >= PAGE_BYTES)
		return 2;
	if (object_bytes >= 1024)
		return 6;
	return object_bytes >= 256 ? 13 : 30;
}

void slab_cache_size(struct slab_cache *cache, uint32_t object_bytes, uint32_t cpus)
{
	cache->object_bytes = object_bytes;
	cache->order = choose_order(object_bytes, cpus);
	cache->objects = (uint32_t)((PAGE_BYTES << cache->order) / object_bytes);
	cache->reciprocal = (uint32_t)((1ull << 32) / object_bytes + 1);
	cache->min_partial = choose_min_partial(object_bytes);
	cache->cpu_partial = choose_cpu_partial(object_bytes);
}
