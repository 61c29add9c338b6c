/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/slab/slab_drain.h"

#include "mm/slab/slab_lists.h"
#include "mm/slab/slab_pages.h"
#include "mm/slab/slab_state.h"

/* The CPU's list goes back to its slab, no further than it can be long, and the slab to its
 * partial ones; a full one is nobody's [Linux deactivate_slab]. */
static void give_up_current(struct slab_layer *layer, struct slab_cpu *c, uint32_t cpu,
			    uint32_t cache)
{
	const struct slab_cache *size = &layer->caches[cache];
	struct page *page = c->page;
	uint32_t offset = c->freelist;

	if (!page)
		return;
	c->page = NULL;
	c->freelist = SLAB_NONE;
	for (uint32_t i = 0; i < size->objects && offset != SLAB_NONE; i++) {
		uint32_t next = slab_next_free(layer, size, c->bytes, offset);
		uint64_t old = slab_state_read(page);

		if (!state_in_use(old))
			break;
		*slab_link(c->bytes, offset) = state_freelist(old);
		slab_state_change(page, &old, slab_state(offset, state_in_use(old) - 1,
							 old & SLAB_FROZEN));
		offset = next;
	}
	if (state_freelist(slab_state_read(page)) == SLAB_NONE)
		__atomic_fetch_and(&page->private_data, ~SLAB_FROZEN, __ATOMIC_ACQ_REL);
	else
		slab_keep_partial(layer, cpu, page, false);
}

static void discard_empty(struct slab_layer *layer, uint32_t cpu, struct slab_node *node)
{
	uint32_t count = slab_partial_count(node);
	uint64_t at = node->partial.next;

	for (uint32_t i = 0; i < count; i++) {
		struct page *page = page_of_link(at);

		at = link_at(at)->next;
		if (state_in_use(slab_state_read(page)))
			continue;
		slab_list_remove(node, page);
		slab_discard(layer, cpu, page);
	}
}

uint64_t slab_drain(struct slab_layer *layer, uint32_t cpu)
{
	struct slab_stats stats;

	for (uint32_t i = 0; i < layer->allocator->cpu_count; i++)
		for (uint32_t cache = 0; cache < SLAB_CACHE_COUNT; cache++) {
			give_up_current(layer, slab_cpu_of(layer, i, cache), i, cache);
			slab_flush_partial(layer, i, cache);
		}
	for (uint64_t i = 0; i < (uint64_t)layer->node_count * SLAB_CACHE_COUNT; i++)
		discard_empty(layer, cpu, &layer->nodes[i]);
	stats = slab_layer_stats(layer);
	return stats.new_slabs - stats.discarded_slabs + stats.blocks - stats.freed_blocks;
}

struct slab_stats slab_layer_stats(const struct slab_layer *layer)
{
	struct slab_stats sum = { 0 };

	for (uint32_t cpu = 0; cpu < layer->allocator->cpu_count; cpu++) {
		const struct slab_stats *one = &layer->stats[cpu];

		sum.allocations += one->allocations;
		sum.frees += one->frees;
		sum.remote_frees += one->remote_frees;
		sum.refills += one->refills;
		sum.new_slabs += one->new_slabs;
		sum.discarded_slabs += one->discarded_slabs;
		sum.blocks += one->blocks;
		sum.freed_blocks += one->freed_blocks;
		sum.flushes += one->flushes;
		sum.failures += one->failures;
	}
	return sum;
}

struct zone_lock slab_layer_locks(const struct slab_layer *layer)
{
	struct zone_lock sum = { 0 };

	for (uint64_t i = 0; i < (uint64_t)layer->node_count * SLAB_CACHE_COUNT; i++) {
		const struct zone_lock *lock = &layer->nodes[i].lock;

		sum.acquisitions += lock->acquisitions;
		sum.contended += lock->contended;
		sum.wait_cycles += lock->wait_cycles;
	}
	return sum;
}
