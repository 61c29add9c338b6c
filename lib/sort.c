/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/sort.h"

#include "lib/assert.h"
#include "lib/string.h"

struct heap {
	uint8_t *items;
	size_t size;
	bool (*before)(const void *a, const void *b);
};

static uint8_t *item(const struct heap *heap, uint64_t index)
{
	return heap->items + index * heap->size;
}

static void swap(const struct heap *heap, uint64_t a, uint64_t b)
{
	uint8_t spare[SORT_ITEM_MAX];

	memcpy(spare, item(heap, a), heap->size);
	memcpy(item(heap, a), item(heap, b), heap->size);
	memcpy(item(heap, b), spare, heap->size);
}

/* Lets the item at `index` sink until neither child is larger. */
static void sink_down(const struct heap *heap, uint64_t index, uint64_t count)
{
	for (;;) {
		uint64_t child = 2 * index + 1;

		if (child >= count)
			return;
		if (child + 1 < count && heap->before(item(heap, child), item(heap, child + 1)))
			child++;
		if (!heap->before(item(heap, index), item(heap, child)))
			return;
		swap(heap, index, child);
		index = child;
	}
}

void sort(void *items, uint64_t count, size_t size, bool (*before)(const void *a, const void *b))
{
	struct heap heap = { items, size, before };

	lab_assert(size <= SORT_ITEM_MAX);
	for (uint64_t i = count / 2; i-- > 0;)
		sink_down(&heap, i, count);
	for (uint64_t end = count; end-- > 1;) {
		swap(&heap, 0, end);
		sink_down(&heap, 0, end);
	}
}
