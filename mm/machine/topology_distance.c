/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/topology_distance.h"

#include "acpi/hmat_lookup.h"
#include "mm/machine/topology_parts.h"

/* [ACPI 6.5 5.2.17]: 10 is local, below 10 is reserved, 255 is no connection. */
enum { DISTANCE_LOCAL = 10, DISTANCE_REMOTE = 20 };

static uint8_t distance_between(struct topology *topology, const struct slit_facts *slit,
				uint32_t from, uint32_t to)
{
	uint8_t given = 0;

	if (slit)
		given = slit_distance(slit, topology->nodes[from].pxm, topology->nodes[to].pxm);
	if (given)
		topology->distance_from_slit = true;
	if (from == to)
		return DISTANCE_LOCAL;
	return given < DISTANCE_LOCAL ? DISTANCE_REMOTE : given;
}

static void look_up_bandwidth(struct topology *topology, const struct hmat_facts *hmat,
			      uint32_t initiator, uint32_t target)
{
	struct hmat_pair pair = hmat_lookup(hmat, topology->nodes[initiator].pxm,
					    topology->nodes[target].pxm);

	topology->bandwidth[initiator][target] = pair;
	if (hmat_pair_known(&pair))
		topology->bandwidth_from_hmat = true;
}

/* SLIT and HMAT speak of proximity domains, which mean nothing without an SRAT. */
void topology_join_distances(struct topology *topology, const struct topology_input *input)
{
	const struct slit_facts *slit = topology->numa ? input->slit : NULL;
	const struct hmat_facts *hmat = topology->numa ? input->hmat : NULL;

	for (uint32_t from = 0; from < topology->node_count; from++) {
		for (uint32_t to = 0; to < topology->node_count; to++) {
			topology->distance[from][to] = distance_between(topology, slit, from, to);
			if (hmat)
				look_up_bandwidth(topology, hmat, from, to);
		}
	}
}

/* Whether CPUs of node `a` suit the RAM of `memory` better than those of `b`, the lower number. A
 * known latency beats an unknown one. */
static bool nearer(const struct topology *topology, uint32_t memory, uint32_t a, uint32_t b)
{
	uint32_t latency_a = topology->bandwidth[a][memory].read_latency_ns;
	uint32_t latency_b = topology->bandwidth[b][memory].read_latency_ns;

	if (topology->distance[a][memory] != topology->distance[b][memory])
		return topology->distance[a][memory] < topology->distance[b][memory];
	return latency_a && (!latency_b || latency_a < latency_b);
}

void topology_adopt(struct topology *topology)
{
	for (uint32_t node = 0; node < topology->node_count; node++) {
		struct node *orphan = &topology->nodes[node];

		orphan->adopter = NODE_NONE;
		orphan->adopted = orphan->pages && !orphan->cpu_count;
		for (uint32_t other = 0; orphan->adopted && other < topology->node_count; other++)
			if (topology->nodes[other].cpu_count &&
			    (orphan->adopter == NODE_NONE ||
			     nearer(topology, node, other, orphan->adopter)))
				orphan->adopter = other;
	}
}
