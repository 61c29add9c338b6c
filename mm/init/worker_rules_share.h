/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Memory without CPUs and the nodes that are equally near to it: whose CPUs work for it under
 * policy auto, and how many of each. `working` says how many CPUs of every node work.
 */
#include <stdbool.h>
#include <stdint.h>

#include "mm/machine/topology.h"

/* Marks the nodes whose working CPUs are nearest to `node`: itself where it has any, else all at
 * the smallest distance. Returns how many CPUs the largest of them has; 0: nobody works. */
uint32_t worker_nearest(const struct topology *topology, const uint16_t *working, uint32_t node,
			bool near[NODE_MAX]);

/* Of the nodes `near`, the best write bandwidth to `node` by the HMAT; 0: it has none. */
uint32_t worker_nearest_mbps(const struct topology *topology, const bool *near, uint32_t node);

/* How many CPUs each node lends to `node`, of `workers` in all: in proportion to its write
 * bandwidth to it, equal shares where one of them has no figure, rounded by the largest remainder
 * (of equal ones the lower node first); no more than it has, the others make up for it. */
void worker_split(const struct topology *topology, const uint16_t *working, uint32_t node,
		  uint32_t workers, uint16_t lent[NODE_MAX]);
