/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Binary search in whatever is counted with an index. */

/*
 * The first index below `count` at which `condition`, an expression over the name `i`, is true, or
 * `count`. It has to be false up to some index and true from there on, as a comparison with the
 * keys of a sorted array is:
 *
 *	at = search_first(i, list->count, list->ranges[i].end > pfn);
 *
 * `count` is an unsigned integer, and the result has its type.
 */
#define search_first(i, count, condition)                                        \
	__extension__({                                                          \
		__typeof__((count) + 0u) search_low = 0, search_high = (count);  \
                                                                                 \
		while (search_low < search_high) {                               \
			__typeof__(search_low) i =                               \
				search_low + (search_high - search_low) / 2;     \
                                                                                 \
			if (condition)                                           \
				search_high = i;                                 \
			else                                                     \
				search_low = i + 1;                              \
		}                                                                \
		search_low;                                                      \
	})
