/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/pcp/page_alloc.h"

#include "lib/assert.h"
#include "lib/minmax.h"
#include "lib/round.h"
#include "lib/string.h"
#include "mm/buddy/buddy_parts.h"
#include "mm/pcp/owned.h"
#include "mm/pcp/pcp.h"

/* While a page waits in a batch, that the batch has it once. No order is that. */
#define INDEX_IN_BATCH UINT64_MAX

static const struct page_alloc_way *const ways[PCP_COUNT] = {
	[PCP_NONE] = &pcp_none_way,
	[PCP_ORDER0] = &pcp_order0_way,
	[PCP_HIGH] = &pcp_high_way,
	[PCP_MERGED] = &pcp_merged_way,
	[PCP_TRYLOCK] = &pcp_trylock_way,
	[PCP_OWNED] = &owned_way,
};

const struct page_alloc_way *page_alloc_way(enum pcp pcp)
{
	return ways[pcp];
}

static const struct word *word_at(uint32_t pcp)
{
	return &ways[pcp]->word;
}

const struct word_list pcp_words = { PCP_COUNT, word_at, NULL, NULL };

const char *pcp_name(enum pcp pcp)
{
	return word_name(&pcp_words, pcp);
}

const char *free_fault_name(enum free_fault_kind kind)
{
	static const char *const names[FREE_FAULT_KINDS] = {
		[FREE_FAULT_NONE] = "none",
		[FREE_FAULT_RESERVED] = "free of a reserved page",
		[FREE_FAULT_DOUBLE] = "double free",
		[FREE_FAULT_ORDER] = "free with a wrong order",
	};

	return names[kind];
}

/* ---- setting up: statistics, sections and the way's state, one after the other --------------- */

static uint64_t aligned(uint64_t bytes)
{
	return (bytes + 63) & ~63ull;
}

static uint64_t stats_bytes(const struct page_allocator *allocator)
{
	return allocator->cpu_count * sizeof(struct page_alloc_stats);
}

static uint64_t count_sections(const struct page_allocator *allocator)
{
	uint64_t end_pfn = 0;

	for (uint32_t node = 0; node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++) {
			const struct zone_area *zone = &allocator->buddy->zones[node][type];

			if (zone->start_pfn != zone->end_pfn && zone->end_pfn > end_pfn)
				end_pfn = zone->end_pfn;
		}
	return div_round_up_u64(end_pfn, SECTION_PAGES);
}

static uint64_t sections_bytes(uint64_t sections)
{
	return aligned((sections + 63) / 64 * sizeof(uint64_t));
}

uint64_t page_allocator_bytes(const struct page_allocator *allocator)
{
	uint64_t most = 0;

	for (uint32_t pcp = 0; pcp < PCP_COUNT; pcp++) {
		most = max_u64(most, ways[pcp]->bytes(allocator));
	}
	return stats_bytes(allocator) + sections_bytes(count_sections(allocator)) + aligned(most);
}

static void mark_section(struct page_allocator *allocator, uint64_t section)
{
	if (section < allocator->section_limit)
		allocator->sections[section / 64] |= 1ull << section % 64;
}

static void mark_zone(struct page_allocator *allocator, const struct zone_area *zone)
{
	if (zone->start_pfn == zone->end_pfn)
		return;
	for (uint64_t section = zone->start_pfn / SECTION_PAGES;
	     section <= (zone->end_pfn - 1) / SECTION_PAGES; section++)
		mark_section(allocator, section);
}

static void mark_sections(struct page_allocator *allocator)
{
	const struct memmap *memmap = allocator->memmap;

	for (uint64_t i = 0; memmap && i < memmap->count; i++)
		mark_section(allocator, memmap->sections[i].section);
	for (uint32_t node = 0; !memmap && node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++)
			mark_zone(allocator, &allocator->buddy->zones[node][type]);
}

void page_allocator_init(struct page_allocator *allocator, enum pcp pcp, void *memory)
{
	uint8_t *at = memory;

	lab_assert(!((uintptr_t)memory & 63));
	memset(memory, 0, page_allocator_bytes(allocator));
	allocator->pcp = pcp;
	allocator->way = ways[pcp];
	allocator->stats = (struct page_alloc_stats *)at;
	at += stats_bytes(allocator);
	allocator->section_limit = count_sections(allocator);
	allocator->sections = (uint64_t *)at;
	mark_sections(allocator);
	at += sections_bytes(allocator->section_limit);
	allocator->state = at;
	atomic_store_explicit(&allocator->fault_count, 0, memory_order_relaxed);
	allocator->fault = (struct free_fault){ 0 };
	allocator->drain_pieces = false;
	allocator->way->init(allocator);
}

void page_allocator_drain(struct page_allocator *allocator)
{
	for (uint32_t cpu = 0; cpu < allocator->cpu_count; cpu++)
		allocator->way->drain(allocator, cpu);
}

struct page_alloc_stats page_allocator_stats(const struct page_allocator *allocator)
{
	struct page_alloc_stats sum = { 0 };

	for (uint32_t cpu = 0; cpu < allocator->cpu_count; cpu++) {
		const struct page_alloc_stats *one = &allocator->stats[cpu];

		sum.allocations += one->allocations;
		sum.frees += one->frees;
		sum.hits += one->hits;
		sum.refills += one->refills;
		sum.refilled_pages += one->refilled_pages;
		sum.drains += one->drains;
		sum.drained_pages += one->drained_pages;
		sum.lock_failures += one->lock_failures;
		sum.passed_out_pages += one->passed_out_pages;
		sum.passed_in_pages += one->passed_in_pages;
		sum.remote_frees += one->remote_frees;
		sum.failures += one->failures;
	}
	return sum;
}

/* ---- what may not be freed ------------------------------------------------------------------- */

/* A poisoned struct page has all flags. */
static inline bool may_be_freed(const struct page_allocator *allocator, uint64_t pfn,
				uint32_t order)
{
	const struct page *page = allocator->buddy->base + pfn;

	return page_allocator_has(allocator, pfn) && !(page->flags & (PG_RESERVED | PG_HOLE)) &&
	       page->refcount == 1 && page->index == order;
}

/* Of what may not. */
static enum free_fault_kind fault_of(const struct page_allocator *allocator, uint64_t pfn)
{
	const struct page *page = allocator->buddy->base + pfn;

	if (!page_allocator_has(allocator, pfn) || page->flags & (PG_RESERVED | PG_HOLE))
		return FREE_FAULT_RESERVED;
	if (page->refcount != 1 || page->index == INDEX_IN_BATCH)
		return FREE_FAULT_DOUBLE;
	return FREE_FAULT_ORDER;
}

static __attribute__((noinline, cold)) void note_fault(struct page_allocator *allocator,
						       uint32_t cpu, uint64_t pfn, uint32_t order)
{
	struct free_fault fault = { fault_of(allocator, pfn), pfn, order, cpu };

	if (!atomic_fetch_add_explicit(&allocator->fault_count, 1, memory_order_relaxed))
		allocator->fault = fault;
}

/* ---- allocating and freeing ------------------------------------------------------------------ */

uint64_t page_alloc(struct page_allocator *allocator, uint32_t cpu, uint32_t node, uint32_t order)
{
	uint64_t pfn;

	lab_assert(node < NODE_MAX && order <= ORDER_MAX);
	pfn = allocator->way->alloc(allocator, cpu, node, order);
	if (pfn == BUDDY_NONE) {
		allocator->stats[cpu].failures++;
		return BUDDY_NONE;
	}
	allocator->buddy->base[pfn].index = order;
	allocator->stats[cpu].allocations++;
	return pfn;
}

uint64_t page_alloc_near(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			 uint32_t node_count, uint32_t order)
{
	uint64_t pfn = page_alloc(allocator, cpu, node, order);

	for (uint32_t other = 0; pfn == BUDDY_NONE && other < node_count; other++)
		if (other != node)
			pfn = page_alloc(allocator, cpu, other, order);
	return pfn;
}

void page_free(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	if (!may_be_freed(allocator, pfn, order)) {
		note_fault(allocator, cpu, pfn, order);
		return;
	}
	allocator->buddy->base[pfn].index = 0;
	allocator->stats[cpu].frees++;
	allocator->way->free(allocator, cpu, pfn, order);
}

static void free_batch(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
		       uint32_t count)
{
	struct page *base = allocator->buddy->base;
	uint64_t good[PAGE_FREE_BATCH];
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (!may_be_freed(allocator, pfns[i], 0)) {
			note_fault(allocator, cpu, pfns[i], 0);
			continue;
		}
		base[pfns[i]].index = INDEX_IN_BATCH;
		good[found++] = pfns[i];
	}
	for (uint32_t i = 0; i < found; i++)
		base[good[i]].index = 0;
	allocator->stats[cpu].frees += found;
	allocator->way->free_many(allocator, cpu, good, found);
}

void page_free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
		    uint32_t count)
{
	while (count) {
		uint32_t batch = min_u32(count, PAGE_FREE_BATCH);

		free_batch(allocator, cpu, pfns, batch);
		pfns += batch;
		count -= batch;
	}
}

/* Single pages have index 0 already. What a way's own call leaves over is tried one by one. */
uint32_t page_alloc_many(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			 uint64_t *pfns, uint32_t count)
{
	uint32_t found = 0;

	lab_assert(node < NODE_MAX);
	if (allocator->way->alloc_many)
		found = allocator->way->alloc_many(allocator, cpu, node, pfns, count);
	allocator->stats[cpu].allocations += found;
	while (found < count) {
		pfns[found] = page_alloc(allocator, cpu, node, 0);
		if (pfns[found] == BUDDY_NONE)
			break;
		found++;
	}
	return found;
}

void page_split(struct page_allocator *allocator, uint64_t pfn, uint32_t order)
{
	struct page *page = allocator->buddy->base + pfn;

	lab_assert(page->refcount == 1 && page->index == order);
	page->index = 0;
	for (uint64_t i = 1; i < 1ull << order; i++)
		page[i].refcount = 1;
}
