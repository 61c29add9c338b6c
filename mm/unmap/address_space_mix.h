/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Fragmentation, prepared in place and in parallel. What is exchanged are disjoint pairs
 * (entry_pairs.h), so that no two CPUs ever want the same entry. */
#include "mm/unmap/address_space.h"

/*
 * Exchanges `percent` of the entries with others from anywhere in the mapping, in the tables, so
 * that neighbours in the mapping are not neighbours in memory. Does so for the pairs whose lower
 * entry is in [first, end): any number of CPUs may work on a part each, and the outcome depends on
 * `seed` only. All entries are mapped.
 */
void address_space_mix(struct address_space *space, uint32_t percent, uint64_t seed, uint64_t first,
		       uint64_t end);
