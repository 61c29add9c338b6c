/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/pcp/owned_lists.h"

#include "lib/spinlock.h"
#include "mm/pcp/owned_block.h"
#include "mm/pcp/owned_stack.h"
#include "mm/pcp/owned_state.h"

static void list_add(struct owned *owned, struct owned_heap *heap, uint32_t index,
		     enum owned_list where)
{
	struct owned_block *block = owned->blocks + index;

	block->prev = OWNED_NONE;
	block->next = heap->lists[where].first;
	if (block->next != OWNED_NONE)
		owned->blocks[block->next].prev = index;
	heap->lists[where].first = index;
	heap->lists[where].blocks++;
	atomic_store_explicit(&block->where, where, memory_order_seq_cst);
}

static void list_remove(struct owned *owned, struct owned_heap *heap, uint32_t index,
			enum owned_list where)
{
	const struct owned_block *block = owned->blocks + index;

	if (block->prev == OWNED_NONE)
		heap->lists[where].first = block->next;
	else
		owned->blocks[block->prev].next = block->next;
	if (block->next != OWNED_NONE)
		owned->blocks[block->next].prev = block->prev;
	heap->lists[where].blocks--;
}

static enum owned_list where_is(const struct owned_block *block)
{
	return (enum owned_list)atomic_load_explicit(&block->where, memory_order_seq_cst);
}

static void move(struct owned *owned, struct owned_heap *heap, uint32_t index,
		 enum owned_list where)
{
	list_remove(owned, heap, index, where_is(owned->blocks + index));
	list_add(owned, heap, index, where);
}

static void set_owner(struct owned *owned, uint64_t index, uint32_t owner)
{
	atomic_store_explicit(owned->owners + index, owner, memory_order_relaxed);
}

/* Owned and listed in one hold of the lock. Who set the last bit of this very block when the heap
 * had it before, and comes only now to say so, must not find it owned again and not yet listed. */
void owned_adopt(const struct owned_call *call, uint32_t owner, uint64_t pfn)
{
	struct owned *owned = call->owned;
	struct owned_heap *heap = owner_heap(owned, owner);
	uint32_t index = (uint32_t)block_of(owned, pfn);

	call->allocator->buddy->base[pfn].refcount = 0;
	owned_block_fill(owned->blocks + index);
	spin_lock(&heap->lock);
	set_owner(owned, index, owner);
	list_add(owned, heap, index, LIST_PARTIAL);
	spin_unlock(&heap->lock);
}

/* After pages were taken from a block: where it belongs now. */
static void settle(struct owned *owned, struct owned_heap *heap, uint32_t index)
{
	const struct owned_block *block = owned->blocks + index;

	if (owned_block_is(block, 0)) {
		move(owned, heap, index, LIST_FULL);
		if (!owned_block_is(block, 0))
			move(owned, heap, index, LIST_PARTIAL);
	} else if (where_is(block) == LIST_WHOLE) {
		move(owned, heap, index, LIST_PARTIAL);
	}
}

static uint32_t take_listed(struct owned *owned, struct owned_heap *heap, enum owned_list list,
			    uint32_t order, uint64_t *pfns, uint32_t room, uint32_t tries)
{
	uint32_t taken = 0, next;

	for (uint32_t i = heap->lists[list].first; i != OWNED_NONE && taken < room && tries;
	     i = next) {
		uint32_t found = owned_block_take(owned->blocks + i, block_pfn(owned, i), order,
						  pfns + taken, room - taken);

		next = owned->blocks[i].next;
		taken += found;
		if (found)
			settle(owned, heap, i);
		else
			tries--;
	}
	return taken;
}

uint32_t owned_take(const struct owned_call *call, uint32_t owner, uint32_t order, uint64_t *pfns,
		    uint32_t room, uint32_t tries)
{
	struct owned *owned = call->owned;
	struct owned_heap *heap = owner_heap(owned, owner);
	uint32_t taken = 0;

	spin_lock(&heap->lock);
	if (order < ORDER_MAX)
		taken = take_listed(owned, heap, LIST_PARTIAL, order, pfns, room, tries);
	if (!taken)
		taken = take_listed(owned, heap, LIST_WHOLE, order, pfns, room, tries);
	spin_unlock(&heap->lock);
	return taken;
}

static void became_partial(struct owned *owned, uint32_t owner, uint32_t index)
{
	struct owned_heap *heap = owner_heap(owned, owner);
	struct owned_block *block = owned->blocks + index;

	spin_lock(&heap->lock);
	if (owner_of(owned, index) == owner && where_is(block) == LIST_FULL &&
	    !owned_block_is(block, 0))
		move(owned, heap, index, LIST_PARTIAL);
	spin_unlock(&heap->lock);
}

/* Off the heap's list, to be given to the zone. Bits of a block that nobody owns mean nothing. */
static void let_go(struct owned *owned, struct owned_heap *heap, uint32_t index)
{
	list_remove(owned, heap, index, where_is(owned->blocks + index));
	set_owner(owned, index, 0);
}

/* The block may have been taken from, given away and be another CPU's by now: looked at anew. */
static void became_whole(const struct owned_call *call, uint32_t owner, uint32_t index)
{
	struct owned *owned = call->owned;
	struct owned_heap *heap = owner_heap(owned, owner);
	struct owned_block *block = owned->blocks + index;
	uint64_t pfn = block_pfn(owned, index);
	bool leaves = false;

	spin_lock(&heap->lock);
	if (owner_of(owned, index) == owner && where_is(block) != LIST_WHOLE &&
	    owned_block_is(block, UINT64_MAX)) {
		leaves = heap->lists[LIST_WHOLE].blocks >= OWNED_KEEP;
		if (leaves)
			let_go(owned, heap, index);
		else
			move(owned, heap, index, LIST_WHOLE);
	}
	spin_unlock(&heap->lock);
	if (leaves)
		owned_to_zone(call, &pfn, 1, ORDER_MAX);
}

/* Pieces of a word to the zone, the larger ones first. */
static void word_to_zone(const struct owned_call *call, uint64_t first_pfn, uint64_t bits)
{
	for (uint32_t order = WORD_ORDER + 1; order-- > 0;) {
		uint64_t pfns[WORD_PAGES], runs = word_runs(bits, order);
		uint32_t count = 0;

		bits &= ~word_spread(runs, order);
		for (; runs; runs &= runs - 1)
			pfns[count++] = first_pfn + word_lowest(runs);
		owned_to_zone(call, pfns, count, order);
	}
}

void owned_give(const struct owned_call *call, const struct owned_box *box)
{
	struct owned *owned = call->owned;
	uint64_t first_pfn = box->word << WORD_ORDER, old;
	uint32_t index = (uint32_t)block_of(owned, first_pfn);
	uint32_t owner = owner_of(owned, index);
	struct owned_block *block = owned->blocks + index;

	if (!owner) {
		word_to_zone(call, first_pfn, box->bits);
		return;
	}
	old = atomic_fetch_or_explicit(block->free + box->word % BLOCK_WORDS, box->bits,
				       memory_order_seq_cst);
	if (old & box->bits)
		atomic_fetch_add_explicit(&call->allocator->buddy->double_frees, 1,
					  memory_order_relaxed);
	if (!old && where_is(block) == LIST_FULL)
		became_partial(owned, owner, index);
	if ((old | box->bits) == UINT64_MAX && owned_block_is(block, UINT64_MAX))
		became_whole(call, owner, index);
}

static void block_to_zone(const struct owned_call *call, uint32_t index)
{
	struct owned_block *block = call->owned->blocks + index;
	uint64_t pfns[WORD_PAGES];

	for (uint32_t order = ORDER_COUNT; order-- > 0;) {
		uint32_t count;

		do {
			count = owned_block_take(block, block_pfn(call->owned, index), order, pfns,
						 WORD_PAGES);
			owned_to_zone(call, pfns, count, order);
		} while (count == WORD_PAGES);
	}
}

void owned_disown(const struct owned_call *call, uint32_t owner)
{
	struct owned *owned = call->owned;
	struct owned_heap *heap = owner_heap(owned, owner);

	for (uint32_t list = 0; list < OWNED_LISTS; list++)
		while (heap->lists[list].first != OWNED_NONE) {
			uint32_t index = heap->lists[list].first;

			let_go(owned, heap, index);
			block_to_zone(call, index);
		}
}
