/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/range.h"

#include "lib/minmax.h"
#include "lib/search.h"
#include "lib/string.h"

void range_list_init(struct range_list *list, struct range *storage, uint32_t capacity)
{
	list->ranges = storage;
	list->count = 0;
	list->capacity = capacity;
}

uint32_t range_list_find(const struct range_list *list, uint64_t at)
{
	return search_first(i, list->count, list->ranges[i].end > at);
}

/* Index of the first range that starts at or above `at`, or list->count. */
static uint32_t find_start(const struct range_list *list, uint64_t at)
{
	uint32_t i = range_list_find(list, at);

	return i < list->count && list->ranges[i].start < at ? i + 1 : i;
}

/* Puts `range` in the place of ranges [first, last). False, list unchanged, when it is full. */
static bool replace(struct range_list *list, uint32_t first, uint32_t last, struct range range)
{
	uint32_t kept = list->count - (last - first);

	if (kept >= list->capacity)
		return false;
	memmove(&list->ranges[first + 1], &list->ranges[last],
		(size_t)(list->count - last) * sizeof(*list->ranges));
	list->ranges[first] = range;
	list->count = kept + 1;
	return true;
}

/*
 *     list    [---a---)   [---b---)   [--c--)     [---d---)
 *     add                     [-----------------)
 *                         ^ first                 ^ last
 *     list    [---a---)   [---------------------) [---d---)
 *
 * What overlaps or touches on either side goes into the new range: `first` is the first range that
 * ends at or above the new start, `last` the first that starts above the new end.
 */
bool range_list_add(struct range_list *list, uint64_t start, uint64_t end)
{
	struct range merged = { start, end };
	uint32_t first, last;

	if (start >= end)
		return true;
	first = start > 0 ? range_list_find(list, start - 1) : 0;
	last = end < UINT64_MAX ? find_start(list, end + 1) : list->count;
	if (first < last) {
		merged.start = min_u64(start, list->ranges[first].start);
		merged.end = max_u64(end, list->ranges[last - 1].end);
	}
	return replace(list, first, last, merged);
}

uint64_t range_list_overlap(const struct range_list *list, uint64_t start, uint64_t end)
{
	uint64_t total = 0;

	if (start >= end)
		return 0;
	for (uint32_t i = range_list_find(list, start);
	     i < list->count && list->ranges[i].start < end; i++)
		total += min_u64(list->ranges[i].end, end) - max_u64(list->ranges[i].start, start);
	return total;
}
