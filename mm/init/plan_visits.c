/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/plan_visits.h"

#include "mm/init/plan_parts.h"
#include "mm/init/plan_workers.h"
#include "mm/init/policy.h"

enum { UNPLACED = UINT16_MAX };

struct ring {
	const struct workforce *force;
	struct init_plan *plan;
	uint32_t node;              /* whose CPUs these are */
	uint32_t cpus;              /* online ones */
	uint32_t count;             /* nodes served */
	uint16_t nodes[NODE_MAX];   /* ascending */
	uint16_t workers[NODE_MAX]; /* from this ring, of nodes[i] */
	uint16_t place[NODE_MAX];   /* on the ring, of nodes[i] */
	uint16_t first_rank[NODE_MAX]; /* of this ring's workers of node i */
};

/* This ring's part of them: 2^40 pages x 2^12 CPUs fit. */
static uint64_t deferred_pages(const struct ring *ring, uint32_t i)
{
	const struct init_node *node = &ring->plan->nodes[ring->nodes[i]];

	return node->deferred_pages * ring->workers[i] / node->worker_count;
}

/* The node at which a beginning CPU has the most pages, of those that can use another one. */
static uint32_t neediest(const struct ring *ring, const uint16_t *beginners)
{
	uint32_t best = NODE_MAX;

	for (uint32_t i = 0; i < ring->count; i++) {
		if (beginners[i] == ring->workers[i])
			continue;
		/* quotients compared by cross-multiplying: 2^40 pages x 2^12 CPUs fit */
		if (best == NODE_MAX || deferred_pages(ring, i) * beginners[best] >
						deferred_pages(ring, best) * beginners[i])
			best = i;
	}
	return best;
}

/* At least as many CPUs as nodes: each node gets a CPU to begin with, then each further CPU goes
 * where the need is largest. No node has more beginners than workers. */
static void place_in_proportion(struct ring *ring)
{
	uint16_t *beginners = ring->place;
	uint32_t place = 0;

	for (uint32_t i = 0; i < ring->count; i++)
		beginners[i] = 1;
	for (uint32_t left = ring->cpus - ring->count; left > 0; left--) {
		uint32_t best = neediest(ring, beginners);

		if (best == NODE_MAX)
			break;
		beginners[best]++;
	}
	for (uint32_t i = 0; i < ring->count; i++) {
		uint16_t count = beginners[i];

		ring->place[i] = (uint16_t)place;
		place += count;
	}
}

static uint32_t largest_unplaced(const struct ring *ring)
{
	uint32_t best = NODE_MAX;

	for (uint32_t i = 0; i < ring->count; i++)
		if (ring->place[i] == UNPLACED &&
		    (best == NODE_MAX || deferred_pages(ring, i) > deferred_pages(ring, best)))
			best = i;
	return best;
}

/* Pages of the nodes whose place is that of the CPU at `position`. */
static uint64_t load_at(const struct ring *ring, uint32_t position)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < ring->count; i++)
		if (ring->place[i] == position)
			pages += deferred_pages(ring, i);
	return pages;
}

/* Fewer CPUs than nodes: the largest nodes first, each to the CPU with the lowest load so far. */
static void place_by_load(struct ring *ring)
{
	for (uint32_t i = 0; i < ring->count; i++)
		ring->place[i] = UNPLACED;
	for (uint32_t n = 0; n < ring->count; n++) {
		uint32_t i = largest_unplaced(ring), best = 0;
		uint64_t least = UINT64_MAX;

		for (uint32_t position = 0; position < ring->cpus; position++) {
			uint64_t load = load_at(ring, position);

			if (load < least) {
				least = load;
				best = position;
			}
		}
		ring->place[i] = (uint16_t)best;
	}
}

static uint32_t rank_of(const struct ring *ring, uint32_t i, uint32_t position)
{
	return (position + ring->cpus - ring->place[i]) % ring->cpus;
}

/* Of visits with ranks on this ring: the lower one first, of equal ones that of the larger node. */
static bool comes_later(const struct init_plan *plan, const struct init_visit *a,
			const struct init_visit *b)
{
	if (a->rank != b->rank)
		return a->rank > b->rank;
	return plan->nodes[a->node].deferred_pages < plan->nodes[b->node].deferred_pages;
}

/* The visits of the CPU at `position`, in the order in which it makes them. */
static bool append_visits(const struct ring *ring, uint32_t cpu, uint32_t position)
{
	struct init_plan *plan = ring->plan;
	uint32_t first = plan->visit_count;

	for (uint32_t i = 0; i < ring->count; i++) {
		struct init_visit visit = { cpu, ring->nodes[i], rank_of(ring, i, position) };
		uint32_t at = plan->visit_count;

		if (visit.rank >= ring->workers[i])
			continue;
		if (plan->visit_count++ == plan->visit_capacity)
			return false;
		for (; at > first && comes_later(plan, &plan->visits[at - 1], &visit); at--)
			plan->visits[at] = plan->visits[at - 1];
		plan->visits[at] = visit;
	}
	for (; first < plan->visit_count; first++)
		plan->visits[first].rank += ring->first_rank[plan->visits[first].node];
	return true;
}

static bool assign_ring(struct ring *ring)
{
	const struct workforce *force = ring->force;
	const struct topology *topology = force->topology;
	uint32_t position = 0;

	if (ring->count <= ring->cpus)
		place_in_proportion(ring);
	else
		place_by_load(ring);
	for (int siblings = 0; siblings <= force->rules->cores_first; siblings++) {
		for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
			if (topology->cpus[cpu].node != ring->node || !workforce_has(force, cpu))
				continue;
			if (force->rules->cores_first &&
			    workforce_has_sibling(force, cpu) != siblings)
				continue;
			if (!append_visits(ring, cpu, position++))
				return false;
		}
	}
	return true;
}

/* Puts `node` on the ring if it has workers from there. */
static void serve(struct ring *ring, uint32_t node)
{
	uint16_t lent[NODE_MAX];

	if (!ring->plan->nodes[node].worker_count)
		return;
	workforce_lend(ring->force, ring->plan, node, lent);
	if (!lent[ring->node])
		return;
	for (uint32_t before = 0; before < ring->node; before++)
		ring->first_rank[node] += lent[before];
	ring->workers[ring->count] = lent[ring->node];
	ring->nodes[ring->count++] = (uint16_t)node;
}

/* The boot CPU, or else the first that works. */
static uint32_t first_cpu(const struct workforce *force)
{
	uint32_t first = CPU_MAX;

	for (uint32_t cpu = 0; cpu < force->topology->cpu_count; cpu++) {
		if (!workforce_has(force, cpu))
			continue;
		if (force->topology->cpus[cpu].boot)
			return cpu;
		if (first == CPU_MAX)
			first = cpu;
	}
	return first;
}

/* One CPU does all nodes, one after the other. */
static bool assign_alone(struct init_plan *plan, const struct workforce *force)
{
	uint32_t cpu = first_cpu(force);

	for (uint32_t node = 0; cpu != CPU_MAX && node < force->topology->node_count; node++) {
		if (!plan->nodes[node].deferred_pages)
			continue;
		if (plan->visit_count == plan->visit_capacity)
			return false;
		plan->nodes[node].worker_count = 1;
		plan->visits[plan->visit_count++] = (struct init_visit){ cpu, node, 0 };
	}
	return true;
}

static bool assign_rings(struct init_plan *plan, const struct workforce *force)
{
	uint32_t nodes = force->topology->node_count;

	for (uint32_t node = 0; node < nodes; node++)
		plan->nodes[node].worker_count = workforce_count(force, plan, node);
	for (uint32_t node = 0; node < nodes; node++) {
		struct ring ring = { .force = force, .plan = plan, .node = node,
				     .cpus = force->online[node] };

		for (uint32_t other = 0; ring.cpus && other < nodes; other++)
			serve(&ring, other);
		if (ring.count && !assign_ring(&ring))
			return false;
	}
	return true;
}

bool init_plan_assign(struct init_plan *plan, const struct topology *topology,
		      const struct init_rules *rules)
{
	const struct policy_rule *rule = policy_rule(rules->policy);
	struct workforce force = { .topology = topology, .rules = rules };

	if (rule->workers == WORKERS_BOOT)
		return assign_alone(plan, &force);
	if (rule->background)
		for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
			force.without_boot |= topology->cpus[cpu].online &&
					      !topology->cpus[cpu].boot;
	for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
		force.online[topology->cpus[cpu].node] += workforce_has(&force, cpu);
	return assign_rings(plan, &force);
}

/* A node has no more workers than the largest node has CPUs, shared or not. */
uint32_t init_plan_visit_bound(const struct topology *topology)
{
	uint32_t most = 0, nodes = 0;

	for (uint32_t node = 0; node < topology->node_count; node++) {
		nodes += topology->nodes[node].pages != 0;
		if (topology->nodes[node].cpu_count > most)
			most = topology->nodes[node].cpu_count;
	}
	return most * nodes;
}
