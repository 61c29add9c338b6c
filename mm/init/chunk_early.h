/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the boot CPU hands to the page allocator before the workers start. */
#include "mm/init/chunk.h"

/* The boot CPU's part after page_init_early: types the pageblocks with RAM that no worker will, and
 * hands the early free frames to the allocator in the largest blocks that fit
 * [Linux __free_pages_memory]. Frames freed. */
uint64_t chunk_free_early(struct buddy *buddy, const struct init_plan *plan);
