/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/slab/slab_lists.h"

#include "mm/slab/slab_pages.h"
#include "mm/slab/slab_state.h"

/* ---- a node's ------------------------------------------------------------------------------- */

static void count_partial(struct slab_node *node, uint32_t change)
{
	atomic_store_explicit(&node->partial_count, slab_partial_count(node) + change,
			      memory_order_relaxed);
}

static void add_tail(struct slab_node *node, struct page *page)
{
	link_add_tail(&node->partial, page_link(page));
	count_partial(node, 1);
}

void slab_list_remove(struct slab_node *node, struct page *page)
{
	link_remove(page_link(page));
	count_partial(node, UINT32_MAX);
}

/* Becomes the CPU's: its current slab, of which it takes the free objects, if it has none; else one
 * of its partial slabs. Others may be freeing to it at the same time. Returns how many free objects
 * it had. */
static uint32_t acquire(struct slab_layer *layer, uint32_t cpu, struct page *page)
{
	uint32_t kind = slab_cache_of(page);
	const struct slab_cache *cache = &layer->caches[kind];
	struct slab_cpu *c = slab_cpu_of(layer, cpu, kind);
	uint64_t old = slab_state_read(page);

	if (c->page) {
		while (!slab_state_change(page, &old, old | SLAB_FROZEN))
			;
		slab_keep_partial(layer, cpu, page, false);
	} else {
		while (!slab_state_change(page, &old,
					  slab_state(SLAB_NONE, cache->objects, SLAB_FROZEN)))
			;
		c->page = page;
		c->bytes = slab_bytes(layer, page);
		c->freelist = state_freelist(old);
	}
	return slab_free_objects(cache, old);
}

/* As many as hold half of what a CPU may have, so that there is room for frees [Linux
 * get_partial_node]. */
bool slab_take_partial(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint32_t cache)
{
	struct slab_node *home = &layer->nodes[(uint64_t)node * SLAB_CACHE_COUNT + cache];
	uint32_t enough = layer->caches[cache].cpu_partial / 2, available = 0;

	if (!slab_partial_count(home))
		return false;
	zone_lock(&home->lock);
	while (available <= enough && !link_alone(&home->partial)) {
		struct page *page = page_of_link(home->partial.next);

		slab_list_remove(home, page);
		available += acquire(layer, cpu, page);
	}
	zone_unlock(&home->lock);
	return available > 0;
}

/* ---- a CPU's -------------------------------------------------------------------------------- */

/*
 * lru_next leads to the one that came before, 0: none. lru_prev is how many free objects they had
 * when they came, this one included; those freed since are not counted [Linux 4.9 pobjects].
 */
static struct page *before(const struct page *page)
{
	return (struct page *)(uintptr_t)page->lru_next;
}

void slab_keep_partial(struct slab_layer *layer, uint32_t cpu, struct page *page, bool flush)
{
	uint32_t kind = slab_cache_of(page);
	const struct slab_cache *cache = &layer->caches[kind];
	struct slab_cpu *c = slab_cpu_of(layer, cpu, kind);

	if (flush && c->partial && c->partial->lru_prev > cache->cpu_partial) {
		slab_flush_partial(layer, cpu, kind);
		layer->stats[cpu].flushes++;
	}
	page->lru_next = link_address(c->partial);
	page->lru_prev = (c->partial ? c->partial->lru_prev : 0) +
			 slab_free_objects(cache, slab_state_read(page));
	c->partial = page;
}

struct page *slab_pop_partial(struct slab_cpu *c)
{
	struct page *page = c->partial;

	if (page)
		c->partial = before(page);
	return page;
}

/* Nobody owns it from here on: under the lock of its node's list, on which it must be next unless
 * it is empty and the node has enough. */
static bool thaw(struct page *page, const struct slab_node *home, uint32_t min_partial)
{
	uint64_t old = slab_state_read(page);

	while (!slab_state_change(page, &old, old & ~SLAB_FROZEN))
		;
	return state_in_use(old) || slab_partial_count(home) < min_partial;
}

static void discard_all(struct slab_layer *layer, uint32_t cpu, struct page *page)
{
	for (struct page *next; page; page = next) {
		next = before(page);
		slab_discard(layer, cpu, page);
	}
}

/* The page allocator is called without the lock [Linux unfreeze_partials]. */
void slab_flush_partial(struct slab_layer *layer, uint32_t cpu, uint32_t cache)
{
	struct slab_cpu *c = slab_cpu_of(layer, cpu, cache);
	struct slab_node *locked = NULL;
	struct page *page, *empty = NULL;

	while ((page = slab_pop_partial(c))) {
		struct slab_node *home = slab_home(layer, page);

		if (home != locked) {
			if (locked)
				zone_unlock(&locked->lock);
			locked = home;
			zone_lock(&locked->lock);
		}
		if (thaw(page, home, layer->caches[cache].min_partial)) {
			add_tail(home, page);
		} else {
			page->lru_next = link_address(empty);
			empty = page;
		}
	}
	if (locked)
		zone_unlock(&locked->lock);
	discard_all(layer, cpu, empty);
}
