/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Everything out of the page allocator, and back. */
#include "mm/buddy/buddy.h"

/* Takes all that is free, zone by zone: blocks of `order` until there are none, then smaller ones;
 * marks their frames. Sets the hoard's last three fields. */
void buddy_take(struct buddy *buddy, uint32_t order, struct buddy_hoard *hoard);

/* Gives it all back; the bitmap is zero again. */
void buddy_give_back(struct buddy *buddy, struct buddy_hoard *hoard);

/* Both, one after the other. Returns the number of frames handed out; *twice counts frames handed
 * out while marked. */
uint64_t buddy_take_all(struct buddy *buddy, uint32_t order, uint64_t *bitmap, uint64_t first_pfn,
			uint64_t *twice);
