/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* struct page: 64 bytes for every page frame, in the shape of Linux's. */
#include <stdint.h>

enum zone { ZONE_DMA, ZONE_DMA32, ZONE_NORMAL, ZONE_COUNT };

struct page {
	uint64_t flags;     /* state in the low 24 bits; above: section 25, zone 3, node 12 bits */
	uint64_t lru_next;  /* list head: both point to the list head itself when unlinked */
	uint64_t lru_prev;
	uint64_t mapping;
	uint64_t index;
	uint64_t private_data;
	int32_t mapcount;   /* -1: mapped nowhere */
	int32_t refcount;   /* 1 after initialisation, until freed to the page allocator */
	uint64_t memcg_data;
};
_Static_assert(sizeof(struct page) == 64, "one cache line per frame");

enum {
	PG_RESERVED = 1 << 10,
	PG_HOLE = 1 << 11, /* no RAM behind this frame, but its section has some */
	PAGE_SECTION_SHIFT = 24,
	PAGE_ZONE_SHIFT = 49,
	PAGE_NODE_SHIFT = 52,
	ZONE_DMA_END_PFN = 4096,      /* 16 MiB */
	ZONE_DMA32_END_PFN = 1048576, /* 4 GiB */
};
#define PAGE_STATE_MASK 0xffffffull
#define PAGE_POISON_BYTE 0xff

enum frame_kind { FRAME_FREE, FRAME_RESERVED, FRAME_HOLE, FRAME_KINDS };

/* Zone of a frame: below 16 MiB, below 4 GiB, above [Linux x86-64]. */
static inline enum zone zone_of(uint64_t pfn)
{
	if (pfn < ZONE_DMA_END_PFN)
		return ZONE_DMA;
	return pfn < ZONE_DMA32_END_PFN ? ZONE_DMA32 : ZONE_NORMAL;
}
