/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/slab/slab.h"

#include "lib/string.h"
#include "mm/slab/slab_lists.h"
#include "mm/slab/slab_pages.h"
#include "mm/slab/slab_size.h"
#include "mm/slab/slab_state.h"

/* ---- memory --------------------------------------------------------------------------------- */

static uint64_t lines(uint64_t count, uint64_t size)
{
	return (count * size + 63) / 64 * 64;
}

uint64_t slab_layer_bytes(const struct page_allocator *allocator, uint32_t node_count)
{
	uint64_t cpus = allocator->cpu_count;

	return lines(cpus * SLAB_CACHE_COUNT, sizeof(struct slab_cpu)) +
	       lines((uint64_t)node_count * SLAB_CACHE_COUNT, sizeof(struct slab_node)) +
	       lines(cpus, sizeof(struct slab_stats));
}

static void size_caches(struct slab_layer *layer)
{
	uint32_t cpus = layer->allocator->cpu_count;

	for (uint32_t cache = 0; cache < SLAB_KMALLOC_CACHES; cache++)
		slab_cache_size(&layer->caches[cache], slab_kmalloc_bytes(cache), cpus);
	slab_cache_size(&layer->caches[SLAB_SKB_HEAD], SLAB_SKB_HEAD_BYTES, cpus);
}

void slab_layer_init(struct slab_layer *layer, struct page_allocator *allocator, uint8_t *base,
		     uint32_t node_count, void *memory)
{
	uint64_t cpu_parts = (uint64_t)allocator->cpu_count * SLAB_CACHE_COUNT;
	uint64_t node_parts = (uint64_t)node_count * SLAB_CACHE_COUNT;
	uint8_t *at = memory;

	memset(memory, 0, slab_layer_bytes(allocator, node_count));
	layer->allocator = allocator;
	layer->pages = allocator->buddy->base;
	layer->base = base;
	layer->node_count = node_count;
	size_caches(layer);
	layer->cpus = (struct slab_cpu *)(void *)at;
	at += lines(cpu_parts, sizeof(struct slab_cpu));
	layer->nodes = (struct slab_node *)(void *)at;
	at += lines(node_parts, sizeof(struct slab_node));
	layer->stats = (struct slab_stats *)(void *)at;
	for (uint64_t i = 0; i < cpu_parts; i++)
		layer->cpus[i].freelist = SLAB_NONE;
	for (uint64_t i = 0; i < node_parts; i++)
		link_init(&layer->nodes[i].partial);
	atomic_store_explicit(&layer->fault_count, 0, memory_order_relaxed);
}

/* ---- allocation ----------------------------------------------------------------------------- */

/* What others have freed to the CPU's slab. None: it is full, and nobody's [Linux get_freelist]. */
static bool take_freed(struct slab_layer *layer, struct slab_cpu *c)
{
	uint32_t objects = layer->caches[slab_cache_of(c->page)].objects;
	uint64_t old = slab_state_read(c->page), new;

	do
		new = slab_state(SLAB_NONE, objects,
				 state_freelist(old) == SLAB_NONE ? 0 : SLAB_FROZEN);
	while (!slab_state_change(c->page, &old, new));
	c->freelist = state_freelist(old);
	if (c->freelist != SLAB_NONE)
		return true;
	c->page = NULL;
	return false;
}

static void make_current(const struct slab_layer *layer, struct slab_cpu *c, struct page *page)
{
	c->page = page;
	c->bytes = slab_bytes(layer, page);
}

/* The CPU's slab is used up: what was freed to it meanwhile, the CPU's partial slabs, the node's,
 * a new one; in this order [Linux ___slab_alloc]. A partial slab always has a free object, so that
 * the second round of the loop is the last. */
static bool refill(struct slab_layer *layer, struct slab_cpu *c, uint32_t cpu, uint32_t node,
		   uint32_t cache)
{
	struct page *page;

	while (c->page || c->partial) {
		if (!c->page)
			make_current(layer, c, slab_pop_partial(c));
		if (take_freed(layer, c))
			return true;
	}
	if (slab_take_partial(layer, cpu, node, cache))
		return true;
	page = slab_new(layer, cpu, node, cache);
	if (!page)
		return false;
	make_current(layer, c, page);
	c->freelist = 0;
	return true;
}

void *slab_alloc(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint32_t cache)
{
	struct slab_cpu *c = slab_cpu_of(layer, cpu, cache);
	struct slab_stats *stats = &layer->stats[cpu];
	uint32_t offset;

	if (c->freelist == SLAB_NONE) {
		stats->refills++;
		if (!refill(layer, c, cpu, node, cache)) {
			stats->failures++;
			return NULL;
		}
	}
	stats->allocations++;
	offset = c->freelist;
	c->freelist = slab_next_free(layer, &layer->caches[cache], c->bytes, offset);
	return slab_link(c->bytes, offset);
}

void *slab_kmalloc(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint64_t bytes)
{
	uint32_t cache = slab_kmalloc_cache(bytes);
	void *block;

	if (cache < SLAB_CACHE_COUNT)
		return slab_alloc(layer, cpu, node, cache);
	block = slab_block_alloc(layer, cpu, node, slab_order_of(bytes));
	if (block)
		layer->stats[cpu].allocations++;
	return block;
}

/* ---- freeing -------------------------------------------------------------------------------- */

/* The head of the block that holds the byte, and how far into it that is; NULL: it is in no block
 * of ours. Blocks are aligned to their size and end with a section. */
static struct page *head_of(const struct slab_layer *layer, const void *object, uint64_t *offset)
{
	uint64_t at = (uint64_t)((uintptr_t)object - (uintptr_t)layer->base);
	uint64_t pfn = at / PAGE_BYTES, behind;
	struct page *page = &layer->pages[pfn];

	if (!page_allocator_has(layer->allocator, pfn))
		return NULL;
	behind = page->mapping - SLAB_TAIL;
	if (behind - 1 < (pfn & (BLOCK_PAGES - 1)))
		page -= behind;
	else
		behind = 0;
	*offset = behind * PAGE_BYTES + at % PAGE_BYTES;
	return page->mapping - SLAB_HEAD <= SLAB_BLOCK ? page : NULL;
}

struct freeing {
	struct slab_layer *layer;
	uint32_t cpu;
	struct page *page;
	uint64_t *link;   /* the object */
	uint32_t offset;  /* of it, in units */
};

/* The slab is empty now, on its node's list, and that is locked. */
static void free_last(const struct freeing *f, struct slab_node *home)
{
	uint32_t enough = f->layer->caches[slab_cache_of(f->page)].min_partial;
	bool discard = slab_partial_count(home) >= enough;

	if (discard)
		slab_list_remove(home, f->page);
	zone_unlock(&home->lock);
	if (discard)
		slab_discard(f->layer, f->cpu, f->page);
}

/*
 * Puts the object at the head of the slab's list [Linux __slab_free].
 *
 *   was full, nobody's      frozen: it becomes one of this CPU's partial slabs
 *   becomes empty, nobody's  it may leave its node's list, whose lock is taken before the change
 *   otherwise                that is all
 */
static void free_to_slab(const struct freeing *f)
{
	uint64_t old = slab_state_read(f->page), new;
	struct slab_node *home = slab_home(f->layer, f->page);
	bool locked = false, full, last;

	do {
		if (locked)
			zone_unlock(&home->lock);
		if (!state_in_use(old)) {
			slab_fault(f->layer);
			return;
		}
		*f->link = state_freelist(old);
		new = slab_state(f->offset, state_in_use(old) - 1, old & SLAB_FROZEN);
		full = !(old & SLAB_FROZEN) && state_freelist(old) == SLAB_NONE;
		last = !(old & SLAB_FROZEN) && !full && !state_in_use(new);
		if (full)
			new |= SLAB_FROZEN;
		locked = last;
		if (locked)
			zone_lock(&home->lock);
	} while (!slab_state_change(f->page, &old, new));
	if (full)
		slab_keep_partial(f->layer, f->cpu, f->page, true);
	else if (last)
		free_last(f, home);
}

static void free_object(struct slab_layer *layer, uint32_t cpu, struct page *page,
			uint64_t *object, uint64_t offset)
{
	struct slab_cpu *c = slab_cpu_of(layer, cpu, slab_cache_of(page));
	const struct slab_cache *cache = &layer->caches[slab_cache_of(page)];
	struct freeing f = { layer, cpu, page, object, (uint32_t)offset / SLAB_UNIT };

	if (!slab_object_at(cache, (uint32_t)offset) ||
	    (c->page == page && c->freelist == f.offset)) {
		slab_fault(layer);
		return;
	}
	layer->stats[cpu].frees++;
	if (c->page == page) {
		*object = c->freelist;
		c->freelist = f.offset;
	} else {
		layer->stats[cpu].remote_frees++;
		free_to_slab(&f);
	}
}

void slab_free(struct slab_layer *layer, uint32_t cpu, void *object)
{
	uint64_t offset = 0;
	struct page *page = head_of(layer, object, &offset);

	if (!page || (slab_cache_of(page) == SLAB_BLOCK && offset)) {
		slab_fault(layer);
		return;
	}
	if (slab_cache_of(page) == SLAB_BLOCK)
		slab_block_free(layer, cpu, page);
	else
		free_object(layer, cpu, page, object, offset);
}
