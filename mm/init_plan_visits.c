/*
 * The CPUs of a node stand on a ring, in CPU order or with the first CPU of each core before the
 * cores' siblings, and serve their own node and those that have no
 * CPUs nearer. Each of these nodes has a place on the ring at which its workers begin: the node's
 * worker of rank r is the CPU r places further on. A CPU visits the node in which it has the lowest
 * rank first, so the CPUs from one place to the next begin with the node of the first.
 *
 *	CPU       0   1   2   3   4   5        three nodes, pages 3 : 2 : 1, all CPUs work for all
 *	place     A           B       C
 *	visits    A   A   A   B   B   C        first
 *	          C   C   C   A   A   B        then
 *	          B   B   B   C   C   A
 *
 * A lower rank also finds work first where a job has chunks for fewer workers than there are.
 */
#include "mm/init_plan_parts.h"
#include "mm/policy.h"

enum { UNPLACED = UINT16_MAX };

/* The CPUs that may work at all. */
struct crew {
	const struct topology *topology;
	bool without_boot;
	bool cores_first;
};

struct ring {
	const struct crew *crew;
	struct init_plan *plan;
	uint32_t node;              /* whose CPUs these are */
	uint32_t cpus;              /* online ones */
	uint32_t count;             /* nodes served */
	uint16_t nodes[NODE_MAX];   /* ascending */
	uint16_t workers[NODE_MAX]; /* of nodes[i] */
	uint16_t place[NODE_MAX];   /* on the ring, of nodes[i] */
};

static uint64_t deferred_pages(const struct ring *ring, uint32_t i)
{
	return ring->plan->nodes[ring->nodes[i]].deferred_pages;
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

/* The visits of the CPU at `position`, by ascending rank; of equal ones the larger node first. */
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
		for (; at > first; at--) {
			const struct init_visit *other = &plan->visits[at - 1];

			if (other->rank < visit.rank ||
			    (other->rank == visit.rank && plan->nodes[other->node].deferred_pages >=
								  deferred_pages(ring, i)))
				break;
			plan->visits[at] = *other;
		}
		plan->visits[at] = visit;
	}
	return true;
}

static bool works(const struct crew *crew, uint32_t cpu)
{
	const struct cpu *c = &crew->topology->cpus[cpu];

	return c->online && !(c->boot && crew->without_boot);
}

/* Whether an earlier CPU of the node shares the core. Looked for only where it decides. */
static bool is_sibling(const struct crew *crew, uint32_t cpu)
{
	const struct cpu *cpus = crew->topology->cpus;

	for (uint32_t i = 0; i < cpu; i++)
		if (cpus[i].core == cpus[cpu].core && cpus[i].node == cpus[cpu].node &&
		    works(crew, i))
			return true;
	return false;
}

static bool assign_ring(struct ring *ring)
{
	const struct crew *crew = ring->crew;
	const struct topology *topology = crew->topology;
	uint32_t position = 0;

	if (ring->count <= ring->cpus)
		place_in_proportion(ring);
	else
		place_by_load(ring);
	for (uint32_t i = 0; i < ring->count; i++)
		ring->plan->nodes[ring->nodes[i]].worker_count = ring->workers[i];
	for (int siblings = 0; siblings <= crew->cores_first; siblings++) {
		for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
			if (topology->cpus[cpu].node != ring->node || !works(crew, cpu))
				continue;
			if (crew->cores_first && is_sibling(crew, cpu) != siblings)
				continue;
			if (!append_visits(ring, cpu, position++))
				return false;
		}
	}
	return true;
}

/* The node whose CPUs work for `node`, or NODE_NONE when no CPU is online. */
static uint32_t server_of(const struct topology *topology, const uint16_t *online, uint32_t node)
{
	uint32_t adopter = topology->nodes[node].adopter, best = NODE_NONE;

	if (online[node])
		return node;
	if (topology->nodes[node].adopted && adopter != NODE_NONE && online[adopter])
		return adopter;
	for (uint32_t other = 0; other < topology->node_count; other++)
		if (online[other] && (best == NODE_NONE || topology->distance[node][other] <
								   topology->distance[node][best]))
			best = other;
	return best;
}

static uint32_t workers_per_node(const struct init_rules *rules, uint32_t cpus)
{
	uint32_t wanted = cpus;

	switch (policy_rule(rules->policy)->workers) {
	case WORKERS_BOOT:
	case WORKERS_ONE:
		return 1;
	case WORKERS_QUARTER:
		wanted = (cpus + 3) / 4;
		break;
	case WORKERS_ALL:
		break;
	}
	if (rules->threads)
		wanted = rules->threads;
	return wanted < cpus ? wanted : cpus;
}

/* As many as the node's largest job lets work, at most `limit`: more would be woken for nothing.
 * padata starts no thread for less than a chunk, nor for less than its alignment
 * [Linux kernel/padata.c, padata_do_multithreaded]. */
static uint16_t useful_workers(const struct init_plan *plan, uint32_t node, uint32_t limit)
{
	uint64_t most = 1;

	for (uint32_t i = 0; i < plan->nodes[node].job_count; i++) {
		const struct init_job *job = &plan->jobs[plan->nodes[node].first_job + i];
		uint64_t least = job->min_chunk_pages > job->align_pages ? job->min_chunk_pages :
									   job->align_pages;

		if (job->size_pages / least > most)
			most = job->size_pages / least;
	}
	return (uint16_t)(most < limit ? most : limit);
}

static void serve(struct ring *ring, uint32_t node, uint32_t limit)
{
	ring->workers[ring->count] = useful_workers(ring->plan, node, limit);
	ring->nodes[ring->count++] = (uint16_t)node;
}

/* The boot CPU, or else the first that works. */
static uint32_t first_cpu(const struct crew *crew)
{
	uint32_t first = CPU_MAX;

	for (uint32_t cpu = 0; cpu < crew->topology->cpu_count; cpu++) {
		if (!works(crew, cpu))
			continue;
		if (crew->topology->cpus[cpu].boot)
			return cpu;
		if (first == CPU_MAX)
			first = cpu;
	}
	return first;
}

/* One CPU does all nodes, one after the other. */
static bool assign_alone(struct init_plan *plan, const struct crew *crew)
{
	uint32_t cpu = first_cpu(crew);

	for (uint32_t node = 0; cpu != CPU_MAX && node < crew->topology->node_count; node++) {
		if (!plan->nodes[node].deferred_pages)
			continue;
		if (plan->visit_count == plan->visit_capacity)
			return false;
		plan->nodes[node].worker_count = 1;
		plan->visits[plan->visit_count++] = (struct init_visit){ cpu, node, 0 };
	}
	return true;
}

static bool assign_rings(struct init_plan *plan, const struct crew *crew,
			 const struct init_rules *rules)
{
	const struct topology *topology = crew->topology;
	uint16_t online[NODE_MAX] = { 0 };
	uint32_t server[NODE_MAX];

	for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
		online[topology->cpus[cpu].node] += works(crew, cpu);
	for (uint32_t node = 0; node < topology->node_count; node++)
		server[node] = server_of(topology, online, node);
	for (uint32_t node = 0; node < topology->node_count; node++) {
		struct ring ring = { .crew = crew, .plan = plan, .node = node,
				     .cpus = online[node] };

		for (uint32_t other = 0; other < topology->node_count; other++)
			if (server[other] == node && plan->nodes[other].deferred_pages)
				serve(&ring, other, workers_per_node(rules, online[node]));
		if (ring.count && !assign_ring(&ring))
			return false;
	}
	return true;
}

bool init_plan_assign(struct init_plan *plan, const struct topology *topology,
		      const struct init_rules *rules)
{
	const struct policy_rule *rule = policy_rule(rules->policy);
	struct crew crew = { topology, false, rules->cores_first };

	if (rule->workers == WORKERS_BOOT)
		return assign_alone(plan, &crew);
	if (rule->background)
		for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
			crew.without_boot |= topology->cpus[cpu].online &&
					     !topology->cpus[cpu].boot;
	return assign_rings(plan, &crew, rules);
}

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
