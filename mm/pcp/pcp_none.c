/* SPDX-License-Identifier: GPL-2.0-only */
/* No pages kept per CPU: the zone's lock for every one. */
#include "mm/pcp/pcp.h"

#include "mm/pcp/pcp_lists.h"

static uint64_t no_bytes(const struct page_allocator *allocator)
{
	(void)allocator;
	return 0;
}

static void nothing_to_set_up(struct page_allocator *allocator)
{
	(void)allocator;
}

static uint64_t zone_alloc(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			   uint32_t order)
{
	(void)cpu;
	return pcp_zone_alloc(allocator, node, order);
}

static void zone_free(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn, uint32_t order)
{
	(void)cpu;
	pcp_zone_free(allocator, pfn, order);
}

static void zone_free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
			   uint32_t count)
{
	(void)cpu;
	for (uint32_t i = 0; i < count; i++)
		pcp_zone_free(allocator, pfns[i], 0);
}

static void nothing_to_drain(struct page_allocator *allocator, uint32_t cpu)
{
	(void)allocator;
	(void)cpu;
}

const struct page_alloc_way pcp_none_way = {
	.word = { "none", "no pages kept: the zone's lock each time" },
	.bytes = no_bytes,
	.init = nothing_to_set_up,
	.alloc = zone_alloc,
	.free = zone_free,
	.free_many = zone_free_many,
	.drain = nothing_to_drain,
};
