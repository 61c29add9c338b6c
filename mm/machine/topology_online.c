/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/topology_online.h"

#include "lib/string.h"
#include "mm/machine/topology.h"

void topology_count_online(const struct topology *topology, uint16_t online[NODE_MAX])
{
	memset(online, 0, NODE_MAX * sizeof(*online));
	for (uint32_t i = 0; i < topology->cpu_count; i++)
		online[topology->cpus[i].node] += topology->cpus[i].online;
}

uint32_t topology_sibling_rank(const struct topology *topology, uint32_t cpu)
{
	const struct cpu *cpus = topology->cpus;
	uint32_t rank = 0;

	for (uint32_t i = 0; i < cpu; i++)
		rank += cpus[i].online && cpus[i].node == cpus[cpu].node &&
			cpus[i].core == cpus[cpu].core;
	return rank;
}
