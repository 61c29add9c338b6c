/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The sanitised physical memory map, in page frames. */
#include <stdbool.h>
#include <stdint.h>

#include "boot/boot_info.h"
#include "lib/anomaly.h"
#include "lib/limits.h"

struct memory_range {
	uint64_t start_pfn, end_pfn; /* end exclusive, never empty */
	enum memory_type type;
};

struct memory_map {
	/* Sorted, disjoint, neighbours of one type merged. */
	struct memory_range ranges[MEMORY_RANGE_MAX];
	uint32_t count;
	uint64_t usable_pages;
	uint64_t end_pfn; /* one above the last usable frame */
};

/* Where an entry begins or ends. */
struct memory_edge {
	uint64_t pfn;
	uint32_t entry;
	bool end;
};

/* Scratch for memory_map_build: too large for a stack. */
struct memory_map_scratch {
	struct memory_edge edges[2 * BOOT_MEMORY_MAX];
};

/* Builds the map from `count` raw entries, in any order, overlapping or not; the result does not
 * depend on the order. Where entries overlap the strictest type (highest enum memory_type) wins.
 * Usable entries shrink inwards to whole frames, all others grow outwards. An empty entry is
 * dropped, as is a usable one that wraps; of the others one that wraps reaches to the end. A frame
 * number beyond 2^40 (52-bit addresses) is cut off; each is an anomaly. O(n log n). False when no
 * frame is usable. */
bool memory_map_build(struct memory_map *map, const struct boot_memory *entries, uint32_t count,
		      struct memory_map_scratch *scratch, struct anomaly_log *log);

/* Leaves out everything at and above `limit_pfn`. */
void memory_map_cut(struct memory_map *map, uint64_t limit_pfn);

/* Leaves out what of [start_pfn, end_pfn) is usable. */
void memory_map_withdraw(struct memory_map *map, uint64_t start_pfn, uint64_t end_pfn);

/* Gives frames [start_pfn, end_pfn), which lie in one range, another type; neighbours of that type
 * are not merged with them. */
void memory_map_retype(struct memory_map *map, uint64_t start_pfn, uint64_t end_pfn,
		       enum memory_type type);

/* The type at `pfn`; MEMORY_NONE in a gap. */
enum memory_type memory_map_type(const struct memory_map *map, uint64_t pfn);
