/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/chunk.h"

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/round.h"
#include "mm/init/plan_pieces.h"
#include "mm/init/page_init.h"

_Static_assert(INIT_BLOCK_PAGES == BLOCK_PAGES, "the plan keeps the allocator's blocks whole");

/*
 * Blocks of 4 MiB that hold deferred frames of the node, one after the other:
 *
 *   blocks    |         |         |         |         |
 *   chunk        [                                    )
 *   pieces          [ )   [                  )  [ )
 *   steps         | 1   |    2    |   3     | 4       |
 */
struct chunk_walk {
	struct init_pieces pieces; /* of the chunk */
	struct init_pieces block;  /* those of the current block, before the first */
	uint64_t at_pfn;           /* end of the last block */
};

static struct chunk_walk walk_chunk(const struct chunk_args *args, uint64_t start_pfn,
				    uint64_t end_pfn)
{
	struct chunk_walk walk = { .at_pfn = start_pfn };

	walk.pieces = init_pieces_in(args->plan, args->node, start_pfn, end_pfn);
	return walk;
}

static bool next_block(struct chunk_walk *walk)
{
	struct init_pieces *pieces = &walk->pieces;
	uint64_t start, end;

	while (pieces->end_pfn <= walk->at_pfn)
		if (!init_pieces_next(pieces))
			return false;
	start = max_u64(pieces->start_pfn, walk->at_pfn);
	end = round_down_u64(start, BLOCK_PAGES) + BLOCK_PAGES;
	walk->at_pfn = min_u64(end, pieces->to_pfn);
	walk->block = init_pieces_within(pieces, start, walk->at_pfn);
	return true;
}

/* ---- what is done with a block -------------------------------------------------------------- */

static bool is_whole(const struct init_pieces *piece)
{
	return piece->end_pfn - piece->start_pfn == BLOCK_PAGES;
}

static void init_pieces(const struct chunk_args *args, struct init_pieces piece)
{
	while (init_pieces_next(&piece))
		page_init_frames(args->buddy->base, piece.start_pfn, piece.end_pfn, args->node,
				 FRAME_FREE, args->store);
}

/* Two pieces may share a pageblock. */
static void type_pieces(const struct chunk_args *args, struct init_pieces piece)
{
	uint64_t next = 0;

	while (init_pieces_next(&piece)) {
		uint64_t first = piece.start_pfn >> PAGEBLOCK_ORDER;
		uint64_t last = (piece.end_pfn - 1) >> PAGEBLOCK_ORDER;

		for (next = max_u64(first, next); next <= last; next++)
			buddy_type_pageblock(args->buddy, next << PAGEBLOCK_ORDER,
					     MIGRATE_MOVABLE);
	}
}

static uint64_t free_pieces(const struct chunk_args *args, struct init_pieces piece)
{
	uint64_t pages = 0;

	while (init_pieces_next(&piece)) {
		pages += piece.end_pfn - piece.start_pfn;
		if (is_whole(&piece)) {
			buddy_free_core(args->buddy, piece.start_pfn, ORDER_MAX,
					args->count_managed);
			continue;
		}
		for (uint64_t pfn = piece.start_pfn; pfn < piece.end_pfn; pfn++)
			buddy_free_core(args->buddy, pfn, 0, args->count_managed);
	}
	return pages;
}

/* One atomic addition per chunk. */
static void count_freed(const struct chunk_args *args, uint64_t pages)
{
	if (!args->count_managed)
		atomic_fetch_add_explicit(args->freed_pages, pages, memory_order_relaxed);
}

/* ---- the functions of jobs ------------------------------------------------------------------ */

void chunk_init_and_free(void *args, uint64_t start_pfn, uint64_t end_pfn)
{
	const struct chunk_args *a = args;
	struct chunk_walk walk = walk_chunk(a, start_pfn, end_pfn);
	uint64_t pages = 0;

	while (next_block(&walk)) {
		init_pieces(a, walk.block);
		type_pieces(a, walk.block);
		pages += free_pieces(a, walk.block);
	}
	count_freed(a, pages);
}

void chunk_init(void *args, uint64_t start_pfn, uint64_t end_pfn)
{
	const struct chunk_args *a = args;

	init_pieces(a, init_pieces_in(a->plan, a->node, start_pfn, end_pfn));
}

void chunk_free(void *args, uint64_t start_pfn, uint64_t end_pfn)
{
	const struct chunk_args *a = args;
	struct chunk_walk walk = walk_chunk(a, start_pfn, end_pfn);
	uint64_t pages = 0;

	while (next_block(&walk)) {
		type_pieces(a, walk.block);
		pages += free_pieces(a, walk.block);
	}
	count_freed(a, pages);
}

void chunk_lazy(void *args, uint64_t start_pfn, uint64_t end_pfn)
{
	const struct chunk_args *a = args;
	struct chunk_walk walk = walk_chunk(a, start_pfn, end_pfn);

	while (next_block(&walk)) {
		struct init_pieces first = walk.block;
		bool whole = init_pieces_next(&first) && is_whole(&first);

		if (!whole)
			init_pieces(a, walk.block);
		type_pieces(a, walk.block);
		if (!whole) {
			free_pieces(a, walk.block);
			continue;
		}
		page_init_frames(a->buddy->base, first.start_pfn, first.start_pfn + 1, a->node,
				 FRAME_FREE, a->store);
		buddy_free_lazy(a->buddy, first.start_pfn);
	}
}

/* All of a block is of one node and zone: as the head says. */
void chunk_fill_lazy(void *context, uint64_t pfn)
{
	const struct buddy *buddy = context;
	uint32_t node = (uint32_t)(buddy->base[pfn].flags >> PAGE_NODE_SHIFT);

	page_init_freed(buddy->base, pfn + 1, pfn + BLOCK_PAGES, node);
}
