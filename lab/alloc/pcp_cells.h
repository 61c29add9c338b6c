/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What there is to measure on a machine. */
#include "lab/alloc/pcp_bench_state.h"

/* All cells of this machine into `cells`, which may be NULL; their number. */
uint32_t pcp_cells(const uint32_t crew_counts[2], const uint32_t cross_pairs[2],
		   struct pcp_cell *cells);

/* Pairs of CPUs of which one allocates and the other one frees: neighbours in the crew; across
 * nodes those that are of different nodes. */
uint32_t pcp_cross_pairs(const struct topology *topology, enum crew_place place,
			 const uint32_t *crew, uint32_t count);
