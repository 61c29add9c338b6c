/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Pages kept per CPU as Linux keeps them: a set of lists for each CPU and zone, filled from the
 * zone and emptied into it in batches, each under one hold of the zone's lock. What differs between
 * the generations is in docs/allocator.md.
 */
#include "mm/pcp/page_alloc.h"

extern const struct page_alloc_way pcp_none_way;
extern const struct page_alloc_way pcp_order0_way;
extern const struct page_alloc_way pcp_high_way;
extern const struct page_alloc_way pcp_merged_way;
extern const struct page_alloc_way pcp_trylock_way;
