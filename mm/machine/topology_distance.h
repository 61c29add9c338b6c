/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The last steps of topology_join. */
#include "mm/machine/topology_parts.h"

/* Distances from the SLIT, bandwidths and latencies from the HMAT. */
void topology_join_distances(struct topology *topology, const struct topology_input *input);

/* For each node with RAM and no CPU the one whose CPUs work for it. */
void topology_adopt(struct topology *topology);
