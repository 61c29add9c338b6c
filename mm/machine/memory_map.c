/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/memory_map.h"

#include "lib/assert.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/search.h"
#include "lib/sort.h"
#include "lib/string.h"

static const char TABLE[] = "e820";
#define PFN_LIMIT (1ull << 40) /* 52-bit physical addresses, the most x86-64 has [SDM 3A 4.1.4] */

/*
 * The frames of one entry. Usable memory counts only where a whole frame is usable; whatever else
 * touches a frame takes all of it.
 *
 *     frames     |       |       |       |       |
 *     usable        [-----------------)
 *     becomes            [-------)
 *     reserved      [-----------------)
 *     becomes    [-----------------------)
 *
 * False when nothing is left. The last byte is used instead of the end, which may be 2^64.
 */
static bool frames_of(const struct boot_memory *entry, uint32_t number, uint64_t *start_pfn,
		      uint64_t *end_pfn, struct anomaly_log *log)
{
	bool shrink = entry->type == MEMORY_USABLE;
	uint64_t last;

	if (entry->length == 0) {
		anomaly_add(log, TABLE, number, "empty entry dropped", entry->start);
		return false;
	}
	last = entry->start + (entry->length - 1);
	if (last < entry->start && shrink) {
		anomaly_add(log, TABLE, number, "wrapping entry dropped", entry->start);
		return false;
	}
	if (last < entry->start) {
		anomaly_add(log, TABLE, number, "wrapping entry reaches to the end",
			    entry->start);
		last = UINT64_MAX;
	}
	*start_pfn = entry->start / PAGE_BYTES + (shrink && entry->start % PAGE_BYTES != 0);
	*end_pfn = last / PAGE_BYTES + (!shrink || last % PAGE_BYTES == PAGE_BYTES - 1);
	if (*end_pfn > PFN_LIMIT) {
		anomaly_add(log, TABLE, number, "entry cut at 52-bit addresses", entry->start);
		*end_pfn = PFN_LIMIT;
	}
	return *start_pfn < *end_pfn;
}

static uint32_t collect_edges(struct memory_edge *edges, const struct boot_memory *entries,
			      uint32_t count, struct anomaly_log *log)
{
	uint32_t edge_count = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t start_pfn, end_pfn;

		lab_assert((uint32_t)entries[i].type < MEMORY_TYPES);
		if (!frames_of(&entries[i], i, &start_pfn, &end_pfn, log))
			continue;
		edges[edge_count++] = (struct memory_edge){ start_pfn, i, false };
		edges[edge_count++] = (struct memory_edge){ end_pfn, i, true };
	}
	return edge_count;
}

static bool edge_before(const void *a, const void *b)
{
	const struct memory_edge *left = a, *right = b;

	return left->pfn < right->pfn;
}

static enum memory_type strictest(const uint32_t active[MEMORY_TYPES])
{
	uint32_t type = MEMORY_TYPES - 1;

	while (type > MEMORY_NONE && active[type] == 0)
		type--;
	return (enum memory_type)type;
}

static void append(struct memory_map *map, uint64_t start_pfn, uint64_t end_pfn,
		   enum memory_type type)
{
	struct memory_range *last = map->count > 0 ? &map->ranges[map->count - 1] : NULL;

	if (type == MEMORY_NONE)
		return;
	if (type == MEMORY_USABLE) {
		map->usable_pages += end_pfn - start_pfn;
		map->end_pfn = end_pfn;
	}
	if (last && last->type == type && last->end_pfn == start_pfn) {
		last->end_pfn = end_pfn;
		return;
	}
	lab_assert(map->count < MEMORY_RANGE_MAX);
	map->ranges[map->count++] = (struct memory_range){ start_pfn, end_pfn, type };
}

/*
 *     entries    [------------- usable -----------)       [-- usable --)
 *                        [-- reserved --)
 *                               [------- NVS -----------)
 *     edges      |       |      |       |         |     | |            |
 *     map        [usable)[-- reserved --)[---- NVS ----)  [-- usable --)
 *
 * Between two edges the set of entries that are open does not change; the strictest type of those
 * wins. All edges at one pfn are taken together, so that their order, and that of the entries, is
 * of no consequence.
 */
static void sweep(struct memory_map *map, const struct memory_edge *edges, uint32_t count,
		  const struct boot_memory *entries)
{
	uint32_t active[MEMORY_TYPES] = { 0 };
	uint32_t i = 0;

	while (i < count) {
		uint64_t pfn = edges[i].pfn;

		for (; i < count && edges[i].pfn == pfn; i++) {
			if (edges[i].end)
				active[entries[edges[i].entry].type]--;
			else
				active[entries[edges[i].entry].type]++;
		}
		if (i < count)
			append(map, pfn, edges[i].pfn, strictest(active));
	}
}

bool memory_map_build(struct memory_map *map, const struct boot_memory *entries, uint32_t count,
		      struct memory_map_scratch *scratch, struct anomaly_log *log)
{
	uint32_t edge_count;

	map->count = 0;
	map->usable_pages = 0;
	map->end_pfn = 0;
	if (count > BOOT_MEMORY_MAX) {
		anomaly_add(log, TABLE, BOOT_MEMORY_MAX, "more entries than can be held", count);
		count = BOOT_MEMORY_MAX;
	}
	edge_count = collect_edges(scratch->edges, entries, count, log);
	sort(scratch->edges, edge_count, sizeof(scratch->edges[0]), edge_before);
	sweep(map, scratch->edges, edge_count, entries);
	return map->usable_pages > 0;
}

static void count_usable(struct memory_map *map)
{
	map->usable_pages = map->end_pfn = 0;
	for (uint32_t i = 0; i < map->count; i++) {
		const struct memory_range *range = &map->ranges[i];

		if (range->type != MEMORY_USABLE)
			continue;
		map->usable_pages += range->end_pfn - range->start_pfn;
		map->end_pfn = range->end_pfn;
	}
}

/*
 *     ranges     [ usable )   [ usable    )  [ reserved )
 *     limit                        |
 *     becomes    [ usable )   [    )
 */
void memory_map_cut(struct memory_map *map, uint64_t limit_pfn)
{
	while (map->count && map->ranges[map->count - 1].start_pfn >= limit_pfn)
		map->count--;
	if (map->count && map->ranges[map->count - 1].end_pfn > limit_pfn)
		map->ranges[map->count - 1].end_pfn = limit_pfn;
	count_usable(map);
}

static void insert_range(struct memory_map *map, uint32_t at, struct memory_range range)
{
	/* Sweeping n entries leaves at most 2n - 1 ranges, two fewer than fit. */
	lab_assert(map->count < MEMORY_RANGE_MAX);
	memmove(&map->ranges[at + 1], &map->ranges[at],
		(map->count - at) * sizeof(map->ranges[0]));
	map->ranges[at] = range;
	map->count++;
}

static void remove_range(struct memory_map *map, uint32_t at)
{
	map->count--;
	memmove(&map->ranges[at], &map->ranges[at + 1],
		(map->count - at) * sizeof(map->ranges[0]));
}

/*
 *     ranges     [ usable            )[ reserved )[ usable )
 *     withdrawn       [     )
 *     becomes    [    )     [        )[ reserved )[ usable )
 */
void memory_map_withdraw(struct memory_map *map, uint64_t start_pfn, uint64_t end_pfn)
{
	for (uint32_t i = map->count; i-- > 0;) {
		struct memory_range *range = &map->ranges[i];
		struct memory_range above = { max_u64(range->start_pfn, end_pfn), range->end_pfn,
					      range->type };

		if (range->type != MEMORY_USABLE || range->start_pfn >= end_pfn ||
		    range->end_pfn <= start_pfn)
			continue;
		if (above.start_pfn < above.end_pfn)
			insert_range(map, i + 1, above);
		range->end_pfn = start_pfn;
		if (range->start_pfn >= start_pfn)
			remove_range(map, i);
	}
	count_usable(map);
}

/*
 *     range      [ usable                )
 *     becomes    [ usable )[ type )[ us. )      the first or the last may be empty
 */
void memory_map_retype(struct memory_map *map, uint64_t start_pfn, uint64_t end_pfn,
		       enum memory_type type)
{
	uint32_t at = search_first(i, map->count, map->ranges[i].end_pfn > start_pfn);
	const struct memory_range old = map->ranges[at];

	lab_assert(at < map->count && old.start_pfn <= start_pfn && end_pfn <= old.end_pfn);
	if (end_pfn < old.end_pfn)
		insert_range(map, at + 1,
			     (struct memory_range){ end_pfn, old.end_pfn, old.type });
	map->ranges[at] = (struct memory_range){ start_pfn, end_pfn, type };
	if (old.start_pfn < start_pfn)
		insert_range(map, at, (struct memory_range){ old.start_pfn, start_pfn, old.type });
	count_usable(map);
}

enum memory_type memory_map_type(const struct memory_map *map, uint64_t pfn)
{
	uint32_t at = search_first(i, map->count, map->ranges[i].end_pfn > pfn);

	if (at == map->count || map->ranges[at].start_pfn > pfn)
		return MEMORY_NONE;
	return map->ranges[at].type;
}
