/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Half-open ranges [start, end) of unsigned 64-bit units (bytes or frames; the name of the
 * variable says which), and sorted lists of disjoint, non-adjacent ranges in caller-owned memory.
 */
#include <stdbool.h>
#include <stdint.h>

struct range {
	uint64_t start;
	uint64_t end; /* exclusive; start == end is empty */
};

struct range_list {
	struct range *ranges; /* sorted by start, disjoint, never touching each other */
	uint32_t count;
	uint32_t capacity;
};

/* Makes `list` empty over `storage`, which holds `capacity` ranges and stays the caller's. */
void range_list_init(struct range_list *list, struct range *storage, uint32_t capacity);

/* Adds [start, end), merging with what overlaps or touches. An empty or inverted range is a no-op
 * that succeeds. False, with the list unchanged, when the result would not fit. */
bool range_list_add(struct range_list *list, uint64_t start, uint64_t end);

/* Index of the first range whose end is above `at`, or list->count. Binary search. */
uint32_t range_list_find(const struct range_list *list, uint64_t at);

/* Number of units of [start, end) that are in the list. */
uint64_t range_list_overlap(const struct range_list *list, uint64_t start, uint64_t end);
