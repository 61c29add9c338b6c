#include "lib/range.h"

#include "lib/string.h"

void range_list_init(struct range_list *list, struct range *storage, uint32_t capacity)
{
	list->ranges = storage;
	list->count = 0;
	list->capacity = capacity;
}

uint32_t range_list_find(const struct range_list *list, uint64_t at)
{
	uint32_t low = 0;
	uint32_t high = list->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list->ranges[middle].end > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Index of the first range that starts at or above `at`, or list->count. */
static uint32_t find_start(const struct range_list *list, uint64_t at)
{
	uint32_t i = range_list_find(list, at);

	return i < list->count && list->ranges[i].start < at ? i + 1 : i;
}

/* Puts `pieces` in the place of ranges [first, last). False, list unchanged, when it is full. */
static bool replace(struct range_list *list, uint32_t first, uint32_t last,
		    const struct range *pieces, uint32_t piece_count)
{
	uint32_t kept = list->count - (last - first);

	if (piece_count > list->capacity - kept)
		return false;
	memmove(&list->ranges[first + piece_count], &list->ranges[last],
		(size_t)(list->count - last) * sizeof(*list->ranges));
	for (uint32_t i = 0; i < piece_count; i++)
		list->ranges[first + i] = pieces[i];
	list->count = kept + piece_count;
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
		if (list->ranges[first].start < start)
			merged.start = list->ranges[first].start;
		if (list->ranges[last - 1].end > end)
			merged.end = list->ranges[last - 1].end;
	}
	return replace(list, first, last, &merged, 1);
}

/*
 *     list    [---a---)   [---b---)   [--c--)   [---d---)
 *     remove                  [---------------------)
 *                         ^ first                         ^ last
 *     list    [---a---)   [---)                     [---)
 *                         pieces[0]                 pieces[1]
 */
bool range_list_remove(struct range_list *list, uint64_t start, uint64_t end)
{
	struct range pieces[2];
	uint32_t piece_count = 0;
	uint32_t first, last;

	if (start >= end)
		return true;
	first = range_list_find(list, start);
	last = find_start(list, end);
	if (first >= last)
		return true;
	if (list->ranges[first].start < start)
		pieces[piece_count++] = (struct range){ list->ranges[first].start, start };
	if (list->ranges[last - 1].end > end)
		pieces[piece_count++] = (struct range){ end, list->ranges[last - 1].end };
	return replace(list, first, last, pieces, piece_count);
}

bool range_list_covers(const struct range_list *list, uint64_t start, uint64_t end)
{
	uint32_t i;

	if (start >= end)
		return true;
	/* Ranges never touch, so that only a single one can hold all of it. */
	i = range_list_find(list, start);
	return i < list->count && list->ranges[i].start <= start && list->ranges[i].end >= end;
}

uint64_t range_list_overlap(const struct range_list *list, uint64_t start, uint64_t end)
{
	uint64_t total = 0;

	if (start >= end)
		return 0;
	for (uint32_t i = range_list_find(list, start);
	     i < list->count && list->ranges[i].start < end; i++) {
		uint64_t low = list->ranges[i].start > start ? list->ranges[i].start : start;
		uint64_t high = list->ranges[i].end < end ? list->ranges[i].end : end;

		total += high - low;
	}
	return total;
}

uint64_t range_list_total(const struct range_list *list)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < list->count; i++)
		total += list->ranges[i].end - list->ranges[i].start;
	return total;
}
