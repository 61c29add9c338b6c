/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Pages for a mapping, quickly: blocks rather than single pages. */
#include "mm/unmap/address_space.h"

/*
 * Adds the leaf tables [first, end) and maps a page at every entry of them below space->entries:
 * blocks as large as the allocator has them (of ORDER_MAX first), each split into single pages that
 * are mapped in sequence; pages of 2 MiB as they are. False: memory ran out, of all nodes; what is
 * mapped by then stays.
 */
bool address_space_fill(struct address_space *space, const struct address_space_supply *supply,
			uint32_t cpu, uint64_t first, uint64_t end);
