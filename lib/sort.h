/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Sorting in place, without recursion, in O(n log n) for any order of the input: a heap sort. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts `count` items of `size` bytes (at most SORT_ITEM_MAX) so that no item stands
 * after one that it is `before`. Equal items may change places. */
enum { SORT_ITEM_MAX = 64 };
void sort(void *items, uint64_t count, size_t size, bool (*before)(const void *a, const void *b));
