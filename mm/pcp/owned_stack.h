/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Stacks and outboxes: the pages that a CPU has at hand, and those of others that it holds back. */
#include "mm/pcp/owned_state.h"

/* The oldest pieces of a stack go where they belong. */
void owned_stack_flush(const struct owned_call *call, struct owned_heap *heap, uint32_t order,
		       uint32_t pieces);

/* Pages of a block go to the CPU's outbox, which makes room for them. */
void owned_post(const struct owned_call *call, uint64_t pfn, uint32_t order);

void owned_outbox_flush(const struct owned_call *call);

/* Fills the stack, which is empty, and takes a piece off it. BUDDY_NONE: there is no memory. */
uint64_t owned_refill(const struct owned_call *call, uint32_t node, uint32_t slot, uint32_t order);

/* To the zone, counted. The heads have refcount 0. */
void owned_to_zone(const struct owned_call *call, const uint64_t *pfns, uint32_t count,
		   uint32_t order);
