/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One measurement. */
#include "lab/workers/bandwidth_parts.h"

/* Writes to every page of the node's blocks on the first of b->cpus: the first touch of memory is
 * not measured. */
void bandwidth_touch(struct bandwidth_state *b, uint32_t node);

/* `count` of b->cpus use the node's blocks for a slice; MB/s, 0: they did not meet, or are
 * more than there are blocks. */
uint32_t bandwidth_slice(struct bandwidth_state *b, uint32_t node, enum bandwidth_kind kind,
			  enum bandwidth_order order, uint32_t count);

/* Makes the node's chain, and follows it, by the first of b->cpus. Picoseconds. */
void bandwidth_make_chain(struct bandwidth_state *b, uint32_t node);
uint32_t bandwidth_latency(struct bandwidth_state *b);
