/* SPDX-License-Identifier: GPL-2.0-only */
/* Way `owned`: its state, and the paths that are short. */
#include "mm/pcp/owned.h"

#include "lib/assert.h"
#include "lib/minmax.h"
#include "lib/round.h"
#include "mm/pcp/owned_lists.h"
#include "mm/pcp/owned_stack.h"
#include "mm/pcp/owned_state.h"

_Static_assert(CPU_MAX <= 1 << 16 && NODE_MAX < 1 << 16, "an owner is one word");

static uint64_t align_up(uint64_t bytes)
{
	return round_up_u64(bytes, 128);
}

static bool has_memory(const struct zone_area *zone)
{
	return zone->start_pfn != zone->end_pfn;
}

/* Of what the spans of the zones decide. */
static void measure(const struct page_allocator *allocator, struct owned *owned)
{
	uint64_t first = UINT64_MAX, end = 0;

	owned->cpu_count = allocator->cpu_count;
	owned->nodes = 0;
	for (uint32_t node = 0; node < NODE_MAX; node++) {
		bool found = false;

		for (uint32_t type = 0; type < ZONE_COUNT; type++) {
			const struct zone_area *zone = &allocator->buddy->zones[node][type];

			if (!has_memory(zone))
				continue;
			found = true;
			first = min_u64(first, zone->start_pfn);
			end = max_u64(end, zone->end_pfn);
		}
		owned->slots[node] = found ? owned->nodes++ : OWNED_NONE;
	}
	owned->first_block = first >> ORDER_MAX;
	owned->block_count = end ? ((end - 1) >> ORDER_MAX) + 1 - owned->first_block : 0;
}

/* After struct owned: heaps, CPUs, blocks and owners, each from a multiple of 128 bytes on, so that
 * no pair of lines that is fetched together is written by two CPUs. Returns the end of it all. */
static uint64_t place(struct owned *owned, uint64_t at)
{
	at = align_up(at + sizeof(struct owned));
	owned->heaps = (struct owned_heap *)(uintptr_t)at;
	at += (uint64_t)owned->nodes * owned->cpu_count * sizeof(struct owned_heap);
	owned->cpus = (struct owned_cpu *)(uintptr_t)at;
	at = align_up(at + owned->cpu_count * sizeof(struct owned_cpu));
	owned->blocks = (struct owned_block *)(uintptr_t)at;
	at = align_up(at + owned->block_count * sizeof(struct owned_block));
	owned->owners = (_Atomic uint32_t *)(uintptr_t)at;
	return align_up(at + owned->block_count * sizeof(uint32_t));
}

static uint64_t bytes(const struct page_allocator *allocator)
{
	struct owned owned;

	measure(allocator, &owned);
	return place(&owned, 0) + 128;
}

/* A zone gives blocks away if each CPU of the node can have a few; without CPUs, any may. */
static bool gives_blocks(const struct page_allocator *allocator, const struct zone_area *zone)
{
	uint64_t managed = atomic_load_explicit(&zone->managed_pages, memory_order_relaxed);
	uint32_t cpus = allocator->node_cpus[zone->node];

	if (!cpus)
		cpus = allocator->cpu_count;
	return (managed >> ORDER_MAX) >= (uint64_t)cpus * OWNED_SHARE;
}

static void init(struct page_allocator *allocator)
{
	struct owned *owned = allocator->state;

	measure(allocator, owned);
	place(owned, (uintptr_t)allocator->state);
	for (uint32_t node = 0; node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++) {
			const struct zone_area *zone = &allocator->buddy->zones[node][type];

			if (has_memory(zone))
				owned->shared[owned->slots[node]][type] =
					gives_blocks(allocator, zone);
		}
	for (uint64_t i = 0; i < (uint64_t)owned->nodes * owned->cpu_count; i++)
		for (uint32_t list = 0; list < OWNED_LISTS; list++)
			owned->heaps[i].lists[list].first = OWNED_NONE;
}

static inline struct owned_call call_of(struct page_allocator *allocator, uint32_t cpu)
{
	return (struct owned_call){ allocator, allocator->state, allocator->stats + cpu, cpu };
}

/* ---- one page -------------------------------------------------------------------------------- */

/* With interrupts off, as all that follow. */
static inline uint64_t take(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			    uint32_t order)
{
	const struct owned *owned = allocator->state;
	uint32_t slot = owned->slots[node];
	struct owned_heap *heap;
	uint64_t pfn;

	if (slot == OWNED_NONE)
		return BUDDY_NONE;
	heap = owned->heaps + slot * owned->cpu_count + cpu;
	if (heap->count[order]) {
		pfn = heap->pfns[owned_stacks[order].start + --heap->count[order]];
		allocator->stats[cpu].hits++;
	} else {
		struct owned_call call = call_of(allocator, cpu);

		pfn = owned_refill(&call, node, slot, order);
		if (pfn == BUDDY_NONE)
			return BUDDY_NONE;
	}
	allocator->buddy->base[pfn].refcount = 1;
	return pfn;
}

/* Half of a full stack makes room. Not a hit if that went to the zone. */
static __attribute__((noinline)) void make_room(struct page_allocator *allocator, uint32_t cpu,
						struct owned_heap *heap, uint32_t order)
{
	struct owned_call call = call_of(allocator, cpu);
	uint64_t drains = call.stats->drains;

	owned_stack_flush(&call, heap, order, (owned_stacks[order].capacity + 1u) / 2);
	if (call.stats->drains != drains)
		call.stats->hits--;
}

static inline void push(struct page_allocator *allocator, uint32_t cpu, struct owned_heap *heap,
			uint64_t pfn, uint32_t order)
{
	allocator->stats[cpu].hits++;
	if (heap->count[order] == owned_stacks[order].capacity)
		make_room(allocator, cpu, heap, order);
	heap->pfns[owned_stacks[order].start + heap->count[order]++] = pfn;
}

/* To the page's block by way of the outbox. */
static __attribute__((noinline)) void post(struct page_allocator *allocator, uint32_t cpu,
					   uint64_t pfn, uint32_t order)
{
	struct owned_call call = call_of(allocator, cpu);
	uint64_t drains = call.stats->drains;

	owned_post(&call, pfn, order);
	if (call.stats->drains == drains)
		call.stats->hits++;
}

/* Where the page's stack is; NULL: it belongs into an outbox. */
static inline struct owned_heap *heap_for(const struct owned *owned, const struct page *page,
					  uint32_t cpu, uint32_t owner)
{
	uint32_t slot;

	if (owner)
		return (owner & 0xffff) == cpu ? owner_heap(owned, owner) : NULL;
	slot = owned->slots[(page->flags >> PAGE_NODE_SHIFT) % NODE_MAX];
	lab_assert(slot != OWNED_NONE);
	return owned->heaps + slot * owned->cpu_count + cpu;
}

static inline void put(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	const struct owned *owned = allocator->state;
	struct page *page = allocator->buddy->base + pfn;
	struct owned_heap *heap =
		heap_for(owned, page, cpu, owner_of(owned, block_of(owned, pfn)));

	page->refcount = 0;
	if (heap) {
		push(allocator, cpu, heap, pfn, order);
		return;
	}
	allocator->stats[cpu].remote_frees++;
	post(allocator, cpu, pfn, order);
}

static uint64_t owned_alloc(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			    uint32_t order)
{
	uint64_t flags = allocator->irq.off();
	uint64_t pfn = take(allocator, cpu, node, order);

	allocator->irq.restore(flags);
	return pfn;
}

static void owned_free(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	uint64_t flags = allocator->irq.off();

	put(allocator, cpu, pfn, order);
	allocator->irq.restore(flags);
}

/* ---- many pages ------------------------------------------------------------------------------ */

/* Pages of own blocks that no longer fit the stack go to their blocks at once: emptying the stack
 * for them would only move each of them twice. */
static void owned_free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
			    uint32_t count)
{
	const struct owned *owned = allocator->state;
	uint64_t flags = allocator->irq.off();

	for (uint32_t i = 0; i < count; i++) {
		uint32_t owner = owner_of(owned, block_of(owned, pfns[i]));

		if (owner && (owner & 0xffff) == cpu &&
		    owner_heap(owned, owner)->count[0] == owned_stacks[0].capacity) {
			allocator->buddy->base[pfns[i]].refcount = 0;
			post(allocator, cpu, pfns[i], 0);
		} else {
			put(allocator, cpu, pfns[i], 0);
		}
	}
	allocator->irq.restore(flags);
}

static uint32_t owned_alloc_many(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
				 uint64_t *pfns, uint32_t count)
{
	uint64_t flags = allocator->irq.off();
	uint32_t found = 0;

	for (; found < count; found++) {
		pfns[found] = take(allocator, cpu, node, 0);
		if (pfns[found] == BUDDY_NONE)
			break;
	}
	allocator->irq.restore(flags);
	return found;
}

/* ---- all pages ------------------------------------------------------------------------------- */

static void drain(struct page_allocator *allocator, uint32_t cpu)
{
	struct owned_call call = call_of(allocator, cpu);
	struct owned *owned = call.owned;
	uint64_t flags = allocator->irq.off();

	owned_outbox_flush(&call);
	for (uint32_t slot = 0; slot < owned->nodes; slot++) {
		struct owned_heap *heap = owner_heap(owned, owner_word(slot, cpu));

		for (uint32_t order = 0; order < ORDER_COUNT; order++)
			owned_stack_flush(&call, heap, order, heap->count[order]);
		owned_disown(&call, owner_word(slot, cpu));
	}
	allocator->irq.restore(flags);
}

static void count_block(const struct owned_block *block, struct owned_counts *counts)
{
	uint64_t pages = 0;

	for (uint32_t word = 0; word < BLOCK_WORDS; word++)
		pages += word_count(block->free[word]);
	counts->loose += pages;
	if (block->where == LIST_FULL)
		counts->hidden += pages;
}

struct owned_counts owned_counts(const struct page_allocator *allocator)
{
	const struct owned *owned = allocator->state;
	struct owned_counts counts = { 0 };

	for (uint64_t i = 0; i < owned->block_count; i++)
		if (owner_of(owned, i))
			count_block(owned->blocks + i, &counts);
	for (uint64_t i = 0; i < (uint64_t)owned->nodes * owned->cpu_count; i++) {
		const struct owned_heap *heap = owned->heaps + i;

		for (uint32_t list = 0; list < OWNED_LISTS; list++)
			counts.blocks += heap->lists[list].blocks;
		counts.whole += heap->lists[LIST_WHOLE].blocks;
		for (uint32_t order = 0; order < ORDER_COUNT; order++)
			counts.stacked += (uint64_t)heap->count[order] << order;
	}
	for (uint32_t cpu = 0; cpu < owned->cpu_count; cpu++)
		for (uint32_t i = 0; i < OWNED_BOXES; i++)
			counts.boxed += word_count(owned->cpus[cpu].boxes[i].bits);
	return counts;
}

const struct page_alloc_way owned_way = {
	.word = { "owned", "our own: a CPU owns whole blocks of 4 MiB" },
	.bytes = bytes,
	.init = init,
	.alloc = owned_alloc,
	.free = owned_free,
	.free_many = owned_free_many,
	.alloc_many = owned_alloc_many,
	.drain = drain,
};
