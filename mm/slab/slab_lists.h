/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Partial slabs: those of a node under its lock, those of a CPU without. */
#include "mm/slab/slab_state.h"

/* Under the node's lock. */
void slab_list_remove(struct slab_node *node, struct page *page);

/* Slabs of the node's list: one for the CPU, which has none, and further ones for its partial
 * slabs. */
bool slab_take_partial(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint32_t cache);

/* A frozen slab for the CPU's partial ones. `flush`: those that are there give way when they held
 * too many free objects. */
void slab_keep_partial(struct slab_layer *layer, uint32_t cpu, struct page *page, bool flush);
struct page *slab_pop_partial(struct slab_cpu *c);
void slab_flush_partial(struct slab_layer *layer, uint32_t cpu, uint32_t cache);
