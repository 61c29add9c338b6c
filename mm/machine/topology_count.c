/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/topology_count.h"

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

/* Whether an online CPU before number `cpu` is of the same core, and of the same package.
 * Quadratic, and still only some milliseconds for the most CPUs there can be. */
static void seen_before(const struct topology *topology, uint32_t cpu, bool *core, bool *package)
{
	const struct cpu *this = &topology->cpus[cpu];

	*core = *package = false;
	for (uint32_t i = 0; i < cpu && !*core; i++) {
		if (!topology->cpus[i].online)
			continue;
		*core = topology->cpus[i].core == this->core;
		*package |= topology->cpus[i].package == this->package;
	}
	*package |= *core;
}

struct cpu_counts topology_count_cpus(const struct topology *topology, uint32_t node)
{
	struct cpu_counts counts = { 0 };
	bool core, package;

	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		const struct cpu *cpu = &topology->cpus[i];

		if (!cpu->online || (node != NODE_NONE && cpu->node != node))
			continue;
		seen_before(topology, i, &core, &package);
		counts.online++;
		counts.cores += !core;
		counts.packages += !package;
	}
	return counts;
}
