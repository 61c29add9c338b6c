/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The parts of way `owned`, and what they are to each other. mm/pcp/owned.h says what it does. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/limits.h"
#include "mm/pcp/owned.h"
#include "mm/pcp/owned_word.h"

enum {
	STACK_ENTRIES = 261, /* of all orders */
};

#define OWNED_NONE UINT32_MAX

/* Where a block is listed. A block that nobody owns is listed nowhere. */
enum owned_list { LIST_FULL, LIST_PARTIAL, LIST_WHOLE, OWNED_LISTS };

/*
 * Bits are set by anyone, with an atomic OR; cleared only under the lock of the owner's heap. So
 * who holds that lock and sees a bit can take it.
 */
struct owned_block {
	_Alignas(64) _Atomic uint64_t free[BLOCK_WORDS];
	uint32_t next, prev;    /* under the lock, as the next */
	_Atomic uint32_t where; /* enum owned_list; also read without it */
};

/* What one CPU has of one node. */
struct owned_heap {
	_Alignas(128) uint32_t count[ORDER_COUNT]; /* of each stack */
	uint64_t pfns[STACK_ENTRIES];
	/* Other CPUs come here. */
	_Alignas(128) _Atomic uint32_t lock;
	struct {
		uint32_t first, blocks;
	} lists[OWNED_LISTS];
};

/* Frames of one word that are to be set free in it. */
struct owned_box {
	uint64_t word; /* pfn >> WORD_ORDER */
	uint64_t bits; /* 0: empty */
};

struct owned_cpu {
	_Alignas(64) struct owned_box boxes[OWNED_BOXES];
};

/* Read by all, written at init only, but for what the pointers lead to. */
struct owned {
	uint32_t cpu_count;
	uint32_t nodes;                  /* that have memory; numbered in `slots` */
	uint64_t first_block;            /* pfn >> ORDER_MAX */
	uint64_t block_count;
	_Atomic uint32_t *owners;        /* per block; owner_word, 0: the zone's */
	struct owned_block *blocks;
	struct owned_heap *heaps;        /* of slot 0 all CPUs, of slot 1 ... */
	struct owned_cpu *cpus;
	uint32_t slots[NODE_MAX];        /* OWNED_NONE: no memory */
	bool shared[NODE_MAX][ZONE_COUNT]; /* by slot: the zone gives blocks away */
};

/* Who asks, on behalf of whom everything is counted. */
struct owned_call {
	struct page_allocator *allocator;
	struct owned *owned;
	struct page_alloc_stats *stats;
	uint32_t cpu;
};

struct owned_stack {
	uint16_t start, capacity;
};

/* 128 pages of each order up to that of a word; then what a few blocks hold. */
static const struct owned_stack owned_stacks[ORDER_COUNT] = {
	{ 0, 128 }, { 128, 64 }, { 192, 32 }, { 224, 16 }, { 240, 8 }, { 248, 4 },
	{ 252, 2 }, { 254, 2 },	 { 256, 2 },  { 258, 2 },  { 260, 1 },
};

/* A CPU has fewer than 65536 others, a slot is below NODE_MAX. */
static inline uint32_t owner_word(uint32_t slot, uint32_t cpu)
{
	return (slot + 1) << 16 | cpu;
}

static inline struct owned_heap *owner_heap(const struct owned *owned, uint32_t owner)
{
	return owned->heaps + ((owner >> 16) - 1) * owned->cpu_count + (owner & 0xffff);
}

/* Does not change while any page of the block is allocated, but for a drain. */
static inline uint32_t owner_of(const struct owned *owned, uint64_t block)
{
	return atomic_load_explicit(&owned->owners[block], memory_order_relaxed);
}

/* Index of the block that holds the frame. */
static inline uint64_t block_of(const struct owned *owned, uint64_t pfn)
{
	return (pfn >> ORDER_MAX) - owned->first_block;
}

static inline uint64_t block_pfn(const struct owned *owned, uint64_t block)
{
	return (owned->first_block + block) << ORDER_MAX;
}
