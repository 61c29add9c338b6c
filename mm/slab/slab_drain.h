/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What remains of the slab layer after an experiment, and what it did. */
#include "mm/slab/slab.h"

/* All slabs of which no object is in use go back to the page allocator. Returns how many slabs and
 * blocks remain. While no CPU calls anything else. */
uint64_t slab_drain(struct slab_layer *layer, uint32_t cpu);

/* Sum over all CPUs; and of the locks of all nodes' lists. */
struct slab_stats slab_layer_stats(const struct slab_layer *layer);
struct zone_lock slab_layer_locks(const struct slab_layer *layer);
