/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/slab/slab_pages.h"

#include "mm/slab/slab_state.h"

static uint64_t alloc_somewhere(struct slab_layer *layer, uint32_t cpu, uint32_t node,
				uint32_t order)
{
	return page_alloc_near(layer->allocator, cpu, node, layer->node_count, order);
}

/* Any address in the block finds the head. */
static struct page *make_compound(struct slab_layer *layer, uint64_t pfn, uint32_t order,
				  uint32_t kind)
{
	struct page *head = &layer->pages[pfn];

	head->mapping = SLAB_HEAD + kind;
	for (uint64_t i = 1; i < 1ull << order; i++)
		head[i].mapping = SLAB_TAIL + i;
	return head;
}

static void free_compound(struct slab_layer *layer, uint32_t cpu, struct page *head,
			  uint32_t order)
{
	for (uint64_t i = 0; i < 1ull << order; i++)
		head[i].mapping = 0;
	page_free(layer->allocator, cpu, slab_pfn(layer, head), order);
}

/* In the order of their addresses, the first one first. */
static void link_objects(const struct slab_cache *cache, uint8_t *bytes)
{
	uint32_t step = cache->object_bytes / SLAB_UNIT;

	for (uint32_t i = 0; i + 1 < cache->objects; i++)
		*slab_link(bytes, i * step) = (uint64_t)(i + 1) * step;
	*slab_link(bytes, (cache->objects - 1) * step) = SLAB_NONE;
}

struct page *slab_new(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint32_t cache)
{
	const struct slab_cache *size = &layer->caches[cache];
	uint64_t pfn = alloc_somewhere(layer, cpu, node, size->order);
	struct page *page;

	if (pfn == BUDDY_NONE)
		return NULL;
	page = make_compound(layer, pfn, size->order, cache);
	link_objects(size, slab_bytes(layer, page));
	__atomic_store_n(&page->private_data, slab_state(SLAB_NONE, size->objects, SLAB_FROZEN),
			 __ATOMIC_RELEASE);
	layer->stats[cpu].new_slabs++;
	return page;
}

void slab_discard(struct slab_layer *layer, uint32_t cpu, struct page *page)
{
	uint32_t order = layer->caches[slab_cache_of(page)].order;

	link_init(page_link(page));
	__atomic_store_n(&page->private_data, 0, __ATOMIC_RELAXED);
	layer->stats[cpu].discarded_slabs++;
	free_compound(layer, cpu, page, order);
}

void *slab_block_alloc(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint32_t order)
{
	uint64_t pfn = order > ORDER_MAX ? BUDDY_NONE : alloc_somewhere(layer, cpu, node, order);

	if (pfn == BUDDY_NONE) {
		layer->stats[cpu].failures++;
		return NULL;
	}
	layer->stats[cpu].blocks++;
	return slab_bytes(layer, make_compound(layer, pfn, order, SLAB_BLOCK));
}

/* The page allocator has its order in the head's index. */
void slab_block_free(struct slab_layer *layer, uint32_t cpu, struct page *page)
{
	if (page->index > ORDER_MAX) {
		slab_fault(layer);
		return;
	}
	layer->stats[cpu].frees++;
	layer->stats[cpu].freed_blocks++;
	free_compound(layer, cpu, page, (uint32_t)page->index);
}
