/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/gather.h"

static struct gather_batch *batch_at(const struct address_space *space, uint64_t pfn)
{
	return (struct gather_batch *)(void *)(space->base + pfn * PAGE_BYTES);
}

/* Of order 0 many at once, as release_pages; larger ones each for itself [Linux 4.11 mm/swap.c]. */
static void free_pages(const struct address_space *space, uint32_t cpu, const uint64_t *pfns,
		       uint32_t count, uint32_t order)
{
	if (order == 0) {
		page_free_many(space->allocator, cpu, pfns, count);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		page_free(space->allocator, cpu, pfns[i], order);
}

void gather_begin(struct gather *gather, const struct address_space *space, uint32_t cpu,
		  uint32_t node, uint32_t max_batches)
{
	*gather = (struct gather){
		.space = space,
		.cpu = cpu,
		.node = node,
		.max_batches = max_batches,
		.first_pfn = BUDDY_NONE,
		.active_pfn = BUDDY_NONE,
	};
}

static void free_batches(struct gather *gather)
{
	for (uint64_t pfn = gather->first_pfn; pfn != BUDDY_NONE;) {
		struct gather_batch *batch = batch_at(gather->space, pfn);

		free_pages(gather->space, gather->cpu, batch->pfns, batch->count, batch->order);
		batch->count = 0;
		pfn = batch->next_pfn;
	}
}

static void offer(struct gather *gather)
{
	if (!gather->queue || gather->pages < gather->threshold ||
	    gather->first_pfn == BUDDY_NONE ||
	    !gather->queue(gather->context, gather->first_pfn))
		return;
	gather->first_pfn = BUDDY_NONE;
	gather->batch_count = 0;
}

void gather_flush(struct gather *gather)
{
	if (!gather->pages)
		return;
	gather->flushes++;
	offer(gather);
	free_pages(gather->space, gather->cpu, gather->bundle, gather->bundle_count,
		   gather->order);
	gather->bundle_count = 0;
	free_batches(gather);
	gather->active_pfn = BUDDY_NONE;
	gather->pages = 0;
}

/* The next batch becomes the active one, if there is one or a page for it. */
static bool next_batch(struct gather *gather)
{
	uint64_t *link = &gather->first_pfn, pfn;

	if (gather->active_pfn != BUDDY_NONE)
		link = &batch_at(gather->space, gather->active_pfn)->next_pfn;
	pfn = *link;
	if (pfn == BUDDY_NONE) {
		struct gather_batch *batch;

		if (gather->batch_count == gather->max_batches)
			return false;
		pfn = page_alloc_near(gather->space->allocator, gather->cpu, gather->node,
				      gather->space->node_count, 0);
		if (pfn == BUDDY_NONE) {
			gather->failures++;
			return false;
		}
		batch = batch_at(gather->space, pfn);
		batch->next_pfn = BUDDY_NONE;
		batch->count = 0;
		gather->batch_count++;
		*link = pfn;
	}
	gather->active_pfn = pfn;
	return true;
}

/* Whether there is room for another page. */
static bool put(struct gather *gather, uint64_t pfn)
{
	struct gather_batch *batch;

	if (gather->active_pfn == BUDDY_NONE) {
		gather->bundle[gather->bundle_count++] = pfn;
		return gather->bundle_count < GATHER_BUNDLE || next_batch(gather);
	}
	batch = batch_at(gather->space, gather->active_pfn);
	batch->order = gather->order;
	batch->pfns[batch->count++] = pfn;
	return batch->count < GATHER_PAGES || next_batch(gather);
}

void gather_add(struct gather *gather, uint64_t pfn, uint32_t order)
{
	if (order != gather->order)
		gather_flush(gather);
	gather->order = order;
	gather->pages++;
	if (!put(gather, pfn))
		gather_flush(gather);
}

void gather_end(struct gather *gather)
{
	gather_flush(gather);
	gather_free_chain(gather->space, gather->cpu, gather->first_pfn);
	gather->first_pfn = BUDDY_NONE;
	gather->batch_count = 0;
}

void gather_free_chain(const struct address_space *space, uint32_t cpu, uint64_t first_pfn)
{
	for (uint64_t pfn = first_pfn; pfn != BUDDY_NONE;) {
		const struct gather_batch *batch = batch_at(space, pfn);
		uint64_t next_pfn = batch->next_pfn;

		free_pages(space, cpu, batch->pfns, batch->count, batch->order);
		page_free(space->allocator, cpu, pfn, 0);
		pfn = next_pfn;
	}
}
