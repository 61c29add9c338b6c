/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The allocator of the time before there is a memmap, after Linux's memblock: RAM minus
 * reservations, whole frames, never freed. Highest fitting frame first, so that low memory stays
 * free.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/limits.h"
#include "lib/range.h"
#include "mm/machine/topology.h"

enum { EARLY_RESERVED_MAX = 16384 };
#define EARLY_ALLOC_NONE UINT64_MAX
#define NODE_ANY UINT32_MAX

struct early_alloc {
	const struct ram_range *ram; /* sorted; replaced once nodes are known */
	uint32_t ram_count;
	struct range_list reserved; /* frames, may reach beyond RAM */
	struct range storage[EARLY_RESERVED_MAX];
};

void early_alloc_init(struct early_alloc *early, const struct ram_range *ram, uint32_t ram_count);

/* Keeps bytes [start, end), rounded out to frames, from being handed out. False when the list is
 * full. */
bool early_alloc_reserve(struct early_alloc *early, uint64_t start_bytes, uint64_t end_bytes);

/* First frame of `pages` free frames of `node` (or NODE_ANY), aligned to `align_pages` (a power of
 * two), all below `limit_pfn` and none below frame 256 (1 MiB), which are reserved in the same
 * step. EARLY_ALLOC_NONE when there are none. */
uint64_t early_alloc_pages(struct early_alloc *early, uint64_t pages, uint64_t align_pages,
			   uint32_t node, uint64_t limit_pfn);

/* A single free frame below 1 MiB for the start-up code of other CPUs (never frame 0); or
 * EARLY_ALLOC_NONE. */
uint64_t early_alloc_low_page(struct early_alloc *early);

/* At least `bytes` bytes anywhere, in whole frames, at least one; NULL when there are none. `base`
 * is where physical address 0 is mapped. */
void *early_alloc_bytes(struct early_alloc *early, uint64_t bytes, void *base);
