/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What can be asked of a topology once its CPUs are online. */
#include "mm/machine/topology.h"

/* How many CPUs each node has online. */
void topology_count_online(const struct topology *topology, uint16_t online[NODE_MAX]);

struct cpu_counts {
	uint32_t online, cores, packages;
};

/* CPUs that are online, and their cores and packages: of `node`, or of all where that is
 * NODE_NONE. What nodes share counts for the node of its first CPU. */
struct cpu_counts topology_count_cpus(const struct topology *topology, uint32_t node);

/* How many online CPUs of the same node come before `cpu` on its core. */
uint32_t topology_sibling_rank(const struct topology *topology, uint32_t cpu);
