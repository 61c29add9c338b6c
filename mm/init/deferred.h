/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The border between what is initialised and what is deferred, per node, and who may move it.
 * Before the workers start, an allocation that finds nothing grows the node: whole sections, until
 * at least its size is initialised and free, under the node's lock [Linux deferred_grow_zone]. When
 * the workers start they take the border for good; from then on a growth finds it gone and never
 * races them.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "mm/buddy/buddy.h"
#include "mm/init/plan.h"

struct deferred_node {
	_Alignas(64) _Atomic uint32_t lock;
	uint64_t first_pfn; /* under the lock; UINT64_MAX: taken, or nothing deferred */
};

struct deferred {
	const struct init_plan *plan;
	struct buddy *buddy;
	struct deferred_node nodes[NODE_MAX];
	_Atomic uint64_t grown_pages;
};

/* All borders where the plan has them. */
void deferred_init(struct deferred *deferred, const struct init_plan *plan, struct buddy *buddy);

/* Takes the border of `node` for the workers: from the returned frame on everything is theirs.
 * UINT64_MAX when nothing is left. */
uint64_t deferred_take(struct deferred *deferred, uint32_t node);

/* Grows `node` for an allocation of 2^order pages. `seen_first_pfn` is the border that the caller
 * saw before its allocation failed: if it has moved since, somebody else has grown the node, or
 * the workers have it, and the caller is to try again (true, nothing done). False when there was
 * nothing left to grow by. */
bool deferred_grow(struct deferred *deferred, uint32_t node, uint32_t order,
		   uint64_t seen_first_pfn);

/* Allocates from `node`, growing it as long as that helps. BUDDY_NONE when that is of no use (any
 * more). Safe on any number of CPUs at once. */
uint64_t deferred_alloc(struct deferred *deferred, uint32_t node, uint32_t order);
