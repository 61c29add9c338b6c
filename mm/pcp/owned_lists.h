/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * A heap's blocks: those without a free page, those with some, and those that are wholly free.
 *
 *   zone --adopt--> PARTIAL <---> FULL          taking the last page; giving the first
 *     ^                | ^
 *     |                v |
 *     +------------- WHOLE                      giving the last page; OWNED_KEEP of them stay
 *
 * Bits are set without the lock, so that who sets one looks afterwards at where the block is
 * listed, and who lists a block as full looks afterwards at its bits: whatever the order, one of
 * them sees what the other did (all four are sequentially consistent).
 */
#include "mm/pcp/owned_state.h"

/* A wholly free block of ORDER_MAX, allocated from the zone, becomes the heap's. */
void owned_adopt(const struct owned_call *call, uint32_t owner, uint64_t pfn);

/* Takes up to `room` pieces from the heap's blocks; looks at no more than `tries` of them that have
 * none. */
uint32_t owned_take(const struct owned_call *call, uint32_t owner, uint32_t order, uint64_t *pfns,
		    uint32_t room, uint32_t tries);

/* Sets frames free in their word, or gives them to the zone if nobody owns the block. */
void owned_give(const struct owned_call *call, const struct owned_box *box);

/* The heap's blocks go to the zone, those that have allocated pages as pieces. */
void owned_disown(const struct owned_call *call, uint32_t owner);
