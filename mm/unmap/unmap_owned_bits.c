/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/unmap_owned_bits.h"

#include "lib/minmax.h"
#include "lib/round.h"
#include "lib/string.h"
#include "mm/unmap/unmap_owned_state.h"

/* ---- memory: the state, notes of all ranks, slots, sections, bitmaps --------------------- */

static uint64_t aligned(uint64_t bytes)
{
	return (bytes + 63) & ~63ull;
}

static uint64_t first_section(const struct zone_area *zone)
{
	return zone->start_pfn / SECTION_PAGES;
}

static uint64_t end_section(const struct zone_area *zone)
{
	if (zone->start_pfn == zone->end_pfn)
		return first_section(zone);
	return div_round_up_u64(zone->end_pfn, SECTION_PAGES);
}

/* Before it is known which sections have struct pages: as many as there can be. */
static void count_sections(const struct page_allocator *allocator, uint64_t *limit,
			   uint64_t *slots)
{
	*limit = *slots = 0;
	for (uint32_t node = 0; node < NODE_MAX; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++) {
			const struct zone_area *zone = &allocator->buddy->zones[node][type];
			uint64_t first = first_section(zone), end = end_section(zone);

			*slots += end - first;
			if (end > first && end > *limit)
				*limit = end;
		}
	if (allocator->memmap && allocator->memmap->count < *slots)
		*slots = allocator->memmap->count;
}

static uint32_t walkers(const struct unmap_job *job)
{
	return min_u32(job->rank_count, WALKERS_MAX);
}

uint64_t unmap_owned_bytes(const struct unmap_job *job)
{
	uint64_t limit, slots;

	count_sections(job->space->allocator, &limit, &slots);
	return sizeof(struct owned_state) + job->rank_count * sizeof(struct rank_note) +
	       aligned(limit * sizeof(uint32_t)) + aligned(slots * sizeof(uint32_t)) +
	       walkers(job) * slots * section_words(address_space_order(job->space)) *
		       sizeof(uint64_t);
}

static void lay_out(struct owned_state *o, const struct unmap_job *job)
{
	uint8_t *at = (uint8_t *)(o + 1);
	uint64_t slots;

	count_sections(job->space->allocator, &o->section_limit, &slots);
	o->order = address_space_order(job->space);
	o->walkers = walkers(job);
	o->notes = (struct rank_note *)(void *)at;
	at += job->rank_count * sizeof(struct rank_note);
	o->slots = (uint32_t *)(void *)at;
	at += aligned(o->section_limit * sizeof(uint32_t));
	o->sections = (uint32_t *)(void *)at;
	at += aligned(slots * sizeof(uint32_t));
	o->bitmaps = (uint64_t *)(void *)at;
}

/* ---- slots ------------------------------------------------------------------------------- */

static void add_zone(struct owned_state *o, const struct page_allocator *allocator,
		     const struct zone_area *zone)
{
	for (uint64_t section = first_section(zone); section < end_section(zone); section++) {
		if (o->slots[section] != NO_SLOT ||
		    !page_allocator_has(allocator, section * SECTION_PAGES))
			continue;
		o->sections[o->slot_count] = (uint32_t)section;
		o->slots[section] = (uint32_t)o->slot_count++;
	}
}

static void supply_init(struct supply *supply, uint64_t first, uint64_t end)
{
	atomic_store_explicit(&supply->next, first, memory_order_relaxed);
	supply->end = end;
}

/* A section with memory of several nodes is the first one's. */
static void add_node(struct owned_state *o, const struct page_allocator *allocator, uint32_t node)
{
	uint64_t first = o->slot_count;

	for (uint32_t type = 0; type < ZONE_COUNT; type++)
		add_zone(o, allocator, &allocator->buddy->zones[node][type]);
	supply_init(&o->blocks[node], first * SECTION_BLOCKS, o->slot_count * SECTION_BLOCKS);
}

void unmap_owned_prepare(struct unmap_job *job)
{
	struct owned_state *o = job->state;

	lay_out(o, job);
	memset(o->notes, 0, job->rank_count * sizeof(*o->notes));
	memset(o->slots, 0xff, o->section_limit * sizeof(*o->slots));
	o->slot_count = 0;
	for (uint32_t node = 0; node < job->space->node_count; node++)
		add_node(o, job->space->allocator, node);
	supply_init(&o->tables, 0, address_space_leaf_tables(job->space));
	atomic_store_explicit(&o->ready, 0, memory_order_relaxed);
	atomic_store_explicit(&o->done, 0, memory_order_relaxed);
}

_Static_assert(SECTION_PAGES >> PAGEBLOCK_ORDER == WORD_PAGES, "a word of huge pages");

/* ---- bits -------------------------------------------------------------------------------- */

static void add_bits(struct block_bits *bits, uint32_t word, uint64_t found)
{
	bits->twice[word] |= bits->words[word] & found;
	bits->words[word] |= found;
}

/* A block is BLOCK_WORDS words of single pages. */
static void collect_pages(const struct owned_state *o, uint64_t block, struct block_bits *bits)
{
	for (uint32_t walker = 0; walker < o->walkers; walker++) {
		const uint64_t *words = bitmap_of(o, walker) + block * BLOCK_WORDS;

		for (uint32_t i = 0; i < BLOCK_WORDS; i++)
			add_bits(bits, i, words[i]);
	}
}

/* Or BLOCK_HUGE bits of the section's word, for the heads of these pages. */
static void collect_huge(const struct owned_state *o, uint64_t block, struct block_bits *bits)
{
	uint32_t first = block % SECTION_BLOCKS * BLOCK_HUGE;

	for (uint32_t walker = 0; walker < o->walkers; walker++) {
		uint64_t word = bitmap_of(o, walker)[block / SECTION_BLOCKS];

		for (uint32_t i = 0; i < BLOCK_HUGE; i++)
			add_bits(bits, i * BLOCK_WORDS / BLOCK_HUGE, word >> (first + i) & 1);
	}
}

bool unmap_owned_collect(const struct owned_state *o, uint64_t block, struct block_bits *bits)
{
	uint64_t any = 0;

	*bits = (struct block_bits){ 0 };
	if (o->order)
		collect_huge(o, block, bits);
	else
		collect_pages(o, block, bits);
	for (uint32_t i = 0; i < BLOCK_WORDS; i++)
		any |= bits->words[i];
	return any != 0;
}
