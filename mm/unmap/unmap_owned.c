/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our own: the mapping is split among workers twice over, first by addresses, then by memory.
 *
 *   1  walk   each takes leaf tables, clears their entries, and notes in a bitmap of its own, with
 *             a bit for every frame, which are to be freed; no struct page is read
 *      meet   all entries are gone: here, and only here, TLBs would be flushed
 *   2  free   each takes blocks of 4 MiB, of its own node first, and frees all pages of a block
 *             that have a bit, at once; nobody else has to do with that block
 *
 * However the mapping is mixed, the second half goes through the memmap in sequence, each struct
 * page is read and written once, by one CPU, and a block whose 1024 pages were mapped is one free
 * of order 10: nothing is merged, and the zone's lock is held once for several blocks. A bitmap is
 * a 512th part of the memmap; so are the cache misses of a mixed mapping.
 *
 * A frame that is found twice has its bit set already, or is in two bitmaps: it is freed once and
 * then again, through page_free, which names that fault.
 */
#include "lib/cpu.h"
#include "lib/patience.h"
#include "lib/minmax.h"
#include "lib/string.h"
#include "mm/unmap/unmap_owned_bits.h"
#include "mm/unmap/unmap_owned_block.h"
#include "mm/unmap/unmap_owned_state.h"

enum { RUN = 8, SHARE_MIN = 8 };
#define FRAME_BITS (ENTRY_ADDRESS | ENTRY_PRESENT)

/* Large shares at first, so that CPUs are out of each other's way, and of each other's prefetchers;
 * small ones in the end, so that they finish together. */
static bool supply_take(struct supply *supply, const struct unmap_job *job, uint64_t *first,
			uint64_t *end)
{
	uint64_t next = atomic_load_explicit(&supply->next, memory_order_relaxed), share;

	do {
		if (next >= supply->end)
			return false;
		share = (supply->end - next) / (2 * (uint64_t)job->rank_count);
		share = min_u64(max_u64(share, SHARE_MIN), supply->end - next);
	} while (!atomic_compare_exchange_weak_explicit(&supply->next, &next, next + share,
							memory_order_relaxed,
							memory_order_relaxed));
	*first = next;
	*end = next + share;
	return true;
}

/* ---- the walk ---------------------------------------------------------------------------- */

struct walk {
	struct unmap_job *job;
	const struct unmap_rank *rank;
	struct rank_note *note;
	const uint32_t *slots;
	uint64_t section_limit;
	uint64_t *bitmap;
	uint32_t order;
};

/* Frames that have no bit have no struct page, are of no zone, or in the middle of a larger page:
 * they cannot be freed, either. */
static __attribute__((noinline, cold)) void refuse(const struct walk *walk, uint64_t pfn,
						   uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		page_free(walk->job->space->allocator, walk->rank->cpu, pfn + i, walk->order);
}

/* `page` is in the word that the bits are of. */
static __attribute__((noinline, cold)) void note_twice(const struct walk *walk, uint64_t page,
						       uint64_t bits)
{
	struct rank_note *note = walk->note;

	page = page / WORD_PAGES * WORD_PAGES + (uint64_t)__builtin_ctzll(bits);
	if (!note->twice)
		note->twice_pfn = page << walk->order;
	for (; bits; bits &= bits - 1)
		note->twice++;
}

/* Pages of one word, which are of one section, too. */
static inline void mark(struct walk *walk, uint64_t pfn, uint64_t count, const uint32_t order)
{
	uint64_t section = pfn / SECTION_PAGES, page = pfn >> order, *word;
	uint64_t bits = ~0ull >> (WORD_PAGES - count) << page % WORD_PAGES;
	uint32_t slot = section < walk->section_limit ? walk->slots[section] : NO_SLOT;

	if (slot == NO_SLOT || page << order != pfn) {
		refuse(walk, pfn, count);
		return;
	}
	word = &walk->bitmap[slot * section_words(order) +
			     page / WORD_PAGES % section_words(order)];
	if (*word & bits)
		note_twice(walk, page, *word & bits);
	*word |= bits;
}

/* Whether the entries map frames in sequence, the first at a multiple of their number. */
static bool is_run(const uint64_t *entries)
{
	uint64_t first = entries[0] & FRAME_BITS, different = ~first & ENTRY_PRESENT;

	for (uint64_t i = 1; i < RUN; i++)
		different |= (entries[i] & FRAME_BITS) ^ (first + i * PAGE_BYTES);
	return !different && entry_pfn(first) % RUN == 0;
}

/* One by one or all together: which of the two is foreseen well by a CPU, unlike the lengths of
 * runs. The same line of the next table is asked for. */
static void walk_small_table(struct walk *walk, uint64_t *entries, const uint64_t *next)
{
	for (uint32_t i = 0; i < TABLE_ENTRIES; i += RUN, entries += RUN) {
		bool run = is_run(entries);

		cpu_prefetch(next + i);
		if (run)
			mark(walk, entry_pfn(entries[0]), RUN, 0);
		for (uint32_t j = 0; j < RUN; j++) {
			if (!run && entries[j] & ENTRY_PRESENT)
				mark(walk, entry_pfn(entries[j]), 1, 0);
			entries[j] = 0;
		}
	}
}

static void walk_huge_table(struct walk *walk, uint64_t *entries)
{
	for (uint32_t i = 0; i < TABLE_ENTRIES; i++) {
		if (entries[i] & ENTRY_PRESENT)
			mark(walk, entry_pfn(entries[i]), 1, PAGEBLOCK_ORDER);
		entries[i] = 0;
	}
}

/* Leaf tables are pages like those that they map, where these are of 4 KiB. */
static void walk_tables(struct walk *walk, uint64_t first, uint64_t end)
{
	struct address_space *space = walk->job->space;
	uint64_t *next = address_space_leaf(space, first);

	for (uint64_t table = first; table < end; table++) {
		uint64_t *entries = next;

		next = table + 1 < end ? address_space_leaf(space, table + 1) : NULL;
		if (!entries)
			continue;
		if (walk->order) {
			walk_huge_table(walk, entries);
			continue;
		}
		walk_small_table(walk, entries, next ? next : entries);
		mark(walk, address_space_cut_leaf(space, table), 1, 0);
	}
}

/* The bitmap is cleared here, so that it is in the caches of who sets its bits. */
static void walk_mapping(struct unmap_job *job, uint32_t rank)
{
	struct owned_state *o = job->state;
	struct walk walk = {
		.job = job,
		.rank = &job->ranks[rank],
		.note = &o->notes[rank],
		.slots = o->slots,
		.section_limit = o->section_limit,
		.bitmap = bitmap_of(o, rank),
		.order = o->order,
	};
	uint64_t first, end;

	memset(walk.bitmap, 0, o->slot_count * section_words(o->order) * sizeof(*walk.bitmap));
	while (supply_take(&o->tables, job, &first, &end))
		walk_tables(&walk, first, end);
}

/* ---- between walk and freeing ------------------------------------------------------------ */

/* Those without a bit: tables above the leaf tables, or all if larger pages are mapped. */
static void free_tables(struct unmap_job *job, uint32_t cpu)
{
	struct page_allocator *allocator = job->space->allocator;
	uint64_t tables = address_space_leaf_tables(job->space);

	for (uint64_t i = 0; address_space_order(job->space) && i < tables; i++) {
		uint64_t pfn = address_space_cut_leaf(job->space, i);

		if (pfn != BUDDY_NONE)
			page_free(allocator, cpu, pfn, 0);
	}
	address_space_close_free(job->space, cpu);
}

/* False: not all have come. The last one lets the others go on and sees to the tables. */
static bool meet(struct unmap_job *job, const struct unmap_rank *rank)
{
	struct owned_state *o = job->state;
	struct patience patience;

	if (unmap_last(job)) {
		atomic_store_explicit(&o->ready, 1, memory_order_release);
		free_tables(job, rank->cpu);
		return true;
	}
	patience_begin(&patience, tsc_ordered(), job->patience_cycles);
	while (!atomic_load_explicit(&o->ready, memory_order_acquire)) {
		if (patience_over(&patience, tsc_ordered()))
			return false;
		cpu_pause();
	}
	return true;
}

/* ---- freeing ----------------------------------------------------------------------------- */

static void free_block(struct unmap_job *job, const struct unmap_rank *rank, uint64_t block,
		       struct whole_blocks *whole)
{
	const struct owned_state *o = job->state;
	uint64_t pfn = o->sections[block / SECTION_BLOCKS] * SECTION_PAGES +
		       block % SECTION_BLOCKS * BLOCK_PAGES;
	struct block_bits bits;

	if (unmap_owned_collect(o, block, &bits))
		unmap_owned_block(job->space->allocator, rank->cpu, pfn, o->order, &bits, whole);
}

static void free_blocks(struct unmap_job *job, const struct unmap_rank *rank)
{
	struct owned_state *o = job->state;
	uint32_t nodes = job->space->node_count;
	struct whole_blocks whole = { 0 };
	uint64_t first, end;

	for (uint32_t i = 0; i < nodes; i++) {
		struct supply *supply = &o->blocks[(rank->node + i) % nodes];

		while (supply_take(supply, job, &first, &end))
			for (uint64_t block = first; block < end; block++)
				free_block(job, rank, block, &whole);
	}
	unmap_owned_flush(job->space->allocator, &whole);
}

/* Everything is free: what a rank found twice is a double free now. */
static void free_twice(struct unmap_job *job, uint32_t cpu)
{
	const struct owned_state *o = job->state;

	for (uint32_t rank = 0; rank < job->rank_count; rank++)
		for (uint64_t i = 0; i < o->notes[rank].twice; i++)
			page_free(job->space->allocator, cpu, o->notes[rank].twice_pfn,
				  o->order);
}

static void owned_work(struct unmap_job *job, uint32_t rank)
{
	struct owned_state *o = job->state;
	struct unmap_rank *r = &job->ranks[rank];

	if (rank < o->walkers)
		walk_mapping(job, rank);
	if (!meet(job, r))
		return;
	r->flushes += rank == 0;
	free_blocks(job, r);
	if (atomic_fetch_add_explicit(&o->done, 1, memory_order_acq_rel) + 1 == job->rank_count)
		free_twice(job, r->cpu);
}

const struct unmap_way unmap_owned = {
	.word = { "owned", "our own: whole blocks of 4 MiB, shared out by memory" },
	.pcp = PCP_NONE,
	.bytes = unmap_owned_bytes,
	.prepare = unmap_owned_prepare,
	.work = owned_work,
};
