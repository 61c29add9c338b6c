/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/least_time.h"

#include "lib/limits.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "mm/init/worker_rules.h"
#include "mm/machine/topology_count.h"
#include "tools/inspect/view.h"

#define BYTE_PS_AT_1_MBPS 1000000ull

/* Nodes that share CPUs, each group under the number of one of its nodes. */
struct groups {
	uint32_t of[NODE_MAX];
	uint32_t cpus[NODE_MAX];
	uint64_t pages[NODE_MAX];
};

static void join_groups(struct groups *groups, uint32_t one, uint32_t other)
{
	uint32_t from = groups->of[other], to = groups->of[one];

	for (uint32_t i = 0; i < NODE_MAX; i++)
		if (groups->of[i] == from)
			groups->of[i] = to;
}

/* A CPU's visits are consecutive. */
static bool is_first_visit(const struct init_plan *plan, uint32_t visit)
{
	return visit == 0 || plan->visits[visit].cpu != plan->visits[visit - 1].cpu;
}

static uint64_t share(uint64_t pages, uint32_t cpus)
{
	return cpus ? (pages + cpus - 1) / cpus : 0;
}

uint64_t least_cpu_pages(const struct init_plan *plan, uint32_t *cpus)
{
	struct groups groups = { .cpus = { 0 } };
	uint64_t most = 0;

	*cpus = 0;
	for (uint32_t i = 0; i < NODE_MAX; i++)
		groups.of[i] = i;
	for (uint32_t i = 0; i < plan->visit_count; i++)
		if (!is_first_visit(plan, i))
			join_groups(&groups, plan->visits[i - 1].node, plan->visits[i].node);
	for (uint32_t i = 0; i < plan->visit_count; i++) {
		groups.cpus[groups.of[plan->visits[i].node]] += is_first_visit(plan, i);
		*cpus += is_first_visit(plan, i);
	}
	for (uint32_t i = 0; i < NODE_MAX; i++) {
		groups.pages[groups.of[i]] += plan->nodes[i].deferred_pages;
		most = max_u64(most, share(plan->nodes[i].deferred_pages,
					   plan->nodes[i].worker_count));
	}
	for (uint32_t i = 0; i < NODE_MAX; i++)
		most = max_u64(most, share(groups.pages[i], groups.cpus[i]));
	return most;
}

/* What `node`'s memory needs for the stores, by the firmware's word; 0: it says nothing. */
static uint64_t bandwidth_ps(const struct inspection *inspection, const struct init_plan *plan,
			     const uint16_t *online, uint32_t node)
{
	const struct topology *topology = &inspection->topology;
	uint32_t server = worker_server(topology, online, node);
	uint32_t mbps = server == NODE_NONE ? 0 : topology->bandwidth[server][node].write_mbps;

	if (!mbps || view_node_sections(inspection, node).remote)
		return 0;
	return plan->nodes[node].deferred_pages * STRUCT_PAGE_BYTES * BYTE_PS_AT_1_MBPS / mbps;
}

uint64_t least_time_ps(const struct inspection *inspection, const struct init_plan *plan,
		       enum policy policy)
{
	uint16_t online[NODE_MAX];
	uint64_t least;
	uint32_t cpus;

	if (!inspection->given.page_ps || policy_rule(policy)->passes != PASS_FUSED)
		return 0;
	least = least_cpu_pages(plan, &cpus) * inspection->given.page_ps;
	topology_count_online(&inspection->topology, online);
	for (uint32_t i = 0; i < inspection->topology.node_count; i++)
		least = max_u64(least, bandwidth_ps(inspection, plan, online, i));
	return least;
}
