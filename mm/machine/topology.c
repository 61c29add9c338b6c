/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/topology.h"

#include "lib/assert.h"
#include "lib/search.h"
#include "lib/string.h"
#include "mm/machine/topology_cpus.h"
#include "mm/machine/topology_distance.h"
#include "mm/machine/topology_parts.h"
#include "mm/machine/topology_ram.h"

/* Index of the first node whose domain is not below `pxm`. */
static uint32_t node_lower_bound(const struct topology *topology, uint32_t pxm)
{
	return search_first(i, topology->node_count, topology->nodes[i].pxm >= pxm);
}

uint32_t topology_node_by_pxm(const struct topology *topology, uint32_t pxm)
{
	uint32_t node = node_lower_bound(topology, pxm);

	if (node < topology->node_count && topology->nodes[node].pxm == pxm)
		return node;
	return NODE_NONE;
}

/* Keeps the nodes sorted. When they are full the highest domain has to go, so that what remains
 * does not depend on the order of the entries; false then. */
static bool add_domain(struct topology *topology, uint32_t pxm)
{
	struct node *nodes = topology->nodes;
	uint32_t at = node_lower_bound(topology, pxm);
	bool full = topology->node_count == NODE_MAX;

	if (at < topology->node_count && nodes[at].pxm == pxm)
		return true;
	if (at == NODE_MAX)
		return false;
	if (!full)
		topology->node_count++;
	memmove(&nodes[at + 1], &nodes[at], (topology->node_count - 1 - at) * sizeof(nodes[0]));
	nodes[at] = (struct node){ .pxm = pxm, .adopter = NODE_NONE };
	return !full;
}

static void join_nodes(struct topology *topology, const struct srat_facts *srat,
		       struct anomaly_log *log)
{
	bool fits = true;

	topology->numa = srat && (srat->cpu_count || srat->memory_count);
	if (!topology->numa) {
		add_domain(topology, 0);
		return;
	}
	for (uint32_t i = 0; i < srat->cpu_count; i++)
		fits = add_domain(topology, srat->cpus[i].pxm) && fits;
	for (uint32_t i = 0; i < srat->memory_count; i++)
		fits = add_domain(topology, srat->memory[i].pxm) && fits;
	for (uint32_t i = 0; i < srat->initiator_count; i++)
		fits = add_domain(topology, srat->initiators[i]) && fits;
	if (!fits)
		anomaly_add(log, "SRAT", 0, "too many proximity domains, highest ignored",
			    NODE_MAX);
}

void topology_join(struct topology *topology, const struct topology_input *input,
		   struct anomaly_log *log)
{
	memset(topology, 0, sizeof(*topology));
	join_nodes(topology, input->srat, log);
	topology_join_cpus(topology, input, log);
	topology_join_ram(topology, input, log);
	topology_join_distances(topology, input);
	topology_adopt(topology);
}

uint32_t topology_cpu_by_apic(const struct topology *topology, uint32_t apic_id)
{
	for (uint32_t i = 0; i < topology->cpu_count; i++)
		if (topology->cpus[i].apic_id == apic_id)
			return i;
	return CPU_MAX;
}

uint32_t topology_nearest_ram(const struct topology *topology, uint32_t node, const bool *tried)
{
	uint32_t best = NODE_NONE;

	lab_assert(node < topology->node_count);
	if (!tried[node] && topology->nodes[node].pages)
		return node;
	for (uint32_t other = 0; other < topology->node_count; other++) {
		if (tried[other] || !topology->nodes[other].pages)
			continue;
		if (best == NODE_NONE ||
		    topology->distance[node][other] < topology->distance[node][best])
			best = other;
	}
	return best;
}
