/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/pcp/owned_stack.h"

#include "lib/minmax.h"
#include "mm/buddy/buddy_parts.h"
#include "mm/pcp/owned_lists.h"
#include "mm/pcp/owned_state.h"

enum {
	TRIES = 8,           /* blocks without a piece large enough before another is begun */
	LAST_TRIES = 64,     /* the same when there is no other */
	SMALL_ZONE_SHARE = 8,
};

static void box_give(const struct owned_call *call, struct owned_box *box)
{
	if (box->bits)
		owned_give(call, box);
	box->bits = 0;
}

/* Frames of one word go together. */
static inline void box_add(const struct owned_call *call, struct owned_box *box, uint64_t word,
			   uint64_t bits)
{
	if (box->word != word) {
		box_give(call, box);
		box->word = word;
	}
	box->bits |= bits;
	if (box->bits == UINT64_MAX)
		box_give(call, box);
}

/* What a piece is in a word: all of it, if it has several. */
static inline uint64_t piece_bits(uint32_t order)
{
	return word_spread(1, min_u32(order, WORD_ORDER));
}

static inline void box_add_piece(const struct owned_call *call, struct owned_box *box, uint64_t pfn,
				 uint32_t order, uint64_t bits)
{
	uint32_t words = order > WORD_ORDER ? 1u << (order - WORD_ORDER) : 1;
	uint64_t word = pfn >> WORD_ORDER;

	box_add(call, box, word, bits << pfn % WORD_PAGES);
	while (--words)
		box_add(call, box, ++word, bits);
}

void owned_post(const struct owned_call *call, uint64_t pfn, uint32_t order)
{
	uint32_t owner = owner_of(call->owned, block_of(call->owned, pfn));
	struct owned_cpu *cpu = call->owned->cpus + call->cpu;

	box_add_piece(call, cpu->boxes + owner % OWNED_BOXES, pfn, order, piece_bits(order));
}

void owned_outbox_flush(const struct owned_call *call)
{
	struct owned_cpu *cpu = call->owned->cpus + call->cpu;

	for (uint32_t i = 0; i < OWNED_BOXES; i++)
		box_give(call, cpu->boxes + i);
}

void owned_to_zone(const struct owned_call *call, const uint64_t *pfns, uint32_t count,
		   uint32_t order)
{
	struct buddy *buddy = call->allocator->buddy;

	if (!count)
		return;
	for (uint32_t i = 0; i < count; i++)
		buddy->base[pfns[i]].refcount = 1;
	buddy_free_bulk(buddy, pfns, count, order);
	call->stats->drains++;
	call->stats->drained_pages += (uint64_t)count << order;
}

/* Pages whose block nobody owns wait for others of their kind. */
struct strays {
	uint64_t pfns[WORD_PAGES];
	uint32_t count;
};

static void stray_add(const struct owned_call *call, struct strays *strays, uint64_t pfn,
		      uint32_t order)
{
	strays->pfns[strays->count++] = pfn;
	if (strays->count < WORD_PAGES)
		return;
	owned_to_zone(call, strays->pfns, strays->count, order);
	strays->count = 0;
}

void owned_stack_flush(const struct owned_call *call, struct owned_heap *heap, uint32_t order,
		       uint32_t pieces)
{
	const struct owned *owned = call->owned;
	uint64_t *pfns = heap->pfns + owned_stacks[order].start;
	uint64_t bits = piece_bits(order);
	struct owned_box box = { 0 };
	struct strays strays;

	strays.count = 0;
	for (uint32_t i = 0; i < pieces; i++) {
		if (owner_of(owned, block_of(owned, pfns[i])))
			box_add_piece(call, &box, pfns[i], order, bits);
		else
			stray_add(call, &strays, pfns[i], order);
	}
	box_give(call, &box);
	owned_to_zone(call, strays.pfns, strays.count, order);
	heap->count[order] -= pieces;
	for (uint32_t i = 0; i < heap->count[order]; i++)
		pfns[i] = pfns[pieces + i];
}

/* Off the list and into the stack, the first of the list on top. */
static uint32_t take_pieces(const struct owned_call *call, struct zone_area *zone, uint32_t order,
			    uint64_t *pfns, uint32_t room)
{
	struct buddy *buddy = call->allocator->buddy;
	struct page_list list;
	uint32_t count;

	link_init(&list);
	count = buddy_take_bulk(buddy, zone, order, room, &list);
	for (uint32_t i = count; i-- > 0;) {
		struct page *page = page_of_link(list.next);

		link_remove(page_link(page));
		pfns[i] = (uint64_t)(page - buddy->base);
	}
	if (count) {
		call->stats->refills++;
		call->stats->refilled_pages += (uint64_t)count << order;
	}
	return count;
}

static uint32_t take_from_zone(const struct owned_call *call, struct zone_area *zone, uint32_t slot,
			       uint32_t order, uint64_t *pfns, uint32_t room)
{
	uint32_t owner = owner_word(slot, call->cpu), taken;
	uint64_t pfn;

	if (!call->owned->shared[slot][zone->type])
		return take_pieces(call, zone, order, pfns,
				   room > SMALL_ZONE_SHARE ? room / SMALL_ZONE_SHARE : 1);
	if (order == ORDER_MAX)
		return take_pieces(call, zone, order, pfns, room);
	pfn = buddy_alloc_zone(call->allocator->buddy, zone->node, zone->type, ORDER_MAX);
	if (pfn == BUDDY_NONE)
		return take_pieces(call, zone, order, pfns, room);
	call->stats->refills++;
	call->stats->refilled_pages += BLOCK_PAGES;
	owned_adopt(call, owner, pfn);
	taken = owned_take(call, owner, order, pfns, room, TRIES);
	/* Others may have emptied it, who were as short of memory as this CPU is. */
	return taken ? taken : take_pieces(call, zone, order, pfns, room);
}

static uint32_t take_from_zones(const struct owned_call *call, uint32_t node, uint32_t slot,
				uint32_t order, uint64_t *pfns, uint32_t room)
{
	uint32_t taken = 0;

	for (uint32_t type = ZONE_COUNT; type-- > 0 && !taken;) {
		struct zone_area *zone = &call->allocator->buddy->zones[node][type];

		if (zone->start_pfn != zone->end_pfn)
			taken = take_from_zone(call, zone, slot, order, pfns, room);
	}
	return taken;
}

/* What this CPU keeps may complete a larger piece; then what others have of the node. */
static uint32_t take_anywhere(const struct owned_call *call, uint32_t node, uint32_t slot,
			      uint32_t order, uint64_t *pfns)
{
	struct owned *owned = call->owned;
	struct owned_heap *heap = owner_heap(owned, owner_word(slot, call->cpu));
	uint32_t taken;

	for (uint32_t i = 0; i < ORDER_COUNT; i++)
		owned_stack_flush(call, heap, i, heap->count[i]);
	owned_outbox_flush(call);
	taken = take_from_zones(call, node, slot, order, pfns, 1);
	for (uint32_t cpu = 0; cpu < owned->cpu_count && !taken; cpu++)
		taken = owned_take(call, owner_word(slot, cpu), order, pfns, 1, LAST_TRIES);
	return taken;
}

uint64_t owned_refill(const struct owned_call *call, uint32_t node, uint32_t slot, uint32_t order)
{
	uint32_t owner = owner_word(slot, call->cpu), room, taken;
	struct owned_heap *heap = owner_heap(call->owned, owner);
	uint64_t *pfns = heap->pfns + owned_stacks[order].start;

	room = (owned_stacks[order].capacity + 1u) / 2;
	taken = owned_take(call, owner, order, pfns, room, TRIES);
	if (taken) {
		call->stats->hits++;
	} else {
		taken = take_from_zones(call, node, slot, order, pfns, room);
		if (!taken)
			taken = take_anywhere(call, node, slot, order, pfns);
	}
	if (!taken)
		return BUDDY_NONE;
	heap->count[order] = taken - 1;
	return pfns[taken - 1];
}
