/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The books of the page allocator. Any of its structures may be damaged: nothing is trusted. */
#include "mm/buddy/buddy.h"

/* Not while others allocate or free. Survives any damage to links, struct pages and pageblocks:
 * follows no link that leads elsewhere than to a struct page of the zone, in a section of `memmap`,
 * and leaves a list at its first fault of that kind. */
void buddy_census(const struct buddy *buddy, const struct memmap *memmap,
		  struct buddy_census *census);
