/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/worker_rules.h"

#include <stddef.h>

#include "mm/init/worker_rules_share.h"
#include "mm/machine/topology_online.h"

const char *worker_rule_name(enum worker_rule rule)
{
	static const char *const names[RULE_COUNT] = {
		[RULE_QUARTER] = "quarter", [RULE_ALL] = "all",
		[RULE_CORES] = "cores",     [RULE_HMAT] = "hmat",
		[RULE_CALIBRATED] = "calibrated", [RULE_AUTO] = "auto",
	};

	return names[rule];
}

uint32_t worker_count_next(uint32_t workers)
{
	if (workers & (workers - 1))
		return workers / 3 * 4;
	return workers < 2 ? workers + 1 : workers / 2 * 3;
}

/* ---- whose CPUs ----------------------------------------------------------------------------- */

uint32_t worker_server(const struct topology *topology, const uint16_t *working, uint32_t node)
{
	uint32_t adopter = topology->nodes[node].adopter, best = NODE_NONE;

	if (working[node])
		return node;
	if (topology->nodes[node].adopted && adopter != NODE_NONE && working[adopter])
		return adopter;
	for (uint32_t other = 0; other < topology->node_count; other++)
		if (working[other] && (best == NODE_NONE || topology->distance[node][other] <
								    topology->distance[node][best]))
			best = other;
	return best;
}

struct crew {
	uint16_t online[NODE_MAX];
	uint32_t server;     /* of the node in question; NODE_NONE: nobody */
	uint32_t cpus, cores; /* of the server, online */
};

bool worker_nodes_share_cpus(const struct topology *topology)
{
	uint16_t online[NODE_MAX];

	topology_count_online(topology, online);
	for (uint32_t node = 0; node < topology->node_count; node++)
		if (topology->nodes[node].pages && !online[node])
			return true;
	return false;
}

static void find_crew(const struct topology *topology, uint32_t node, struct crew *crew)
{
	*crew = (struct crew){ .server = NODE_NONE };
	topology_count_online(topology, crew->online);
	crew->server = worker_server(topology, crew->online, node);
	if (crew->server == NODE_NONE)
		return;
	crew->cpus = crew->online[crew->server];
	for (uint32_t i = 0; i < topology->cpu_count; i++)
		if (topology->cpus[i].online && topology->cpus[i].node == crew->server)
			crew->cores += topology_sibling_rank(topology, i) == 0;
}

static uint32_t clamp(uint64_t workers, uint32_t most)
{
	if (workers < 1)
		return 1;
	return workers < most ? (uint32_t)workers : most;
}

/* ---- calibrated ----------------------------------------------------------------------------- */

static uint32_t best_point(const struct worker_curve *curve)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < curve->count; i++)
		if (curve->points[i].cycles < curve->points[best].cycles)
			best = i;
	return best;
}

uint32_t worker_curve_knee(const struct worker_curve *curve)
{
	uint32_t best = best_point(curve);
	__uint128_t limit;

	if (!curve->count || (!curve->complete && best == curve->count - 1))
		return 0;
	limit = (__uint128_t)curve->points[best].cycles * KNEE_PERCENT;
	for (uint32_t i = 0; i < best; i++)
		if ((__uint128_t)curve->points[i].cycles * 100 <= limit)
			return curve->points[i].workers;
	return curve->points[best].workers;
}

static void count_calibrated(const struct worker_facts *facts, const struct crew *crew,
			     uint32_t node, struct worker_count *count)
{
	const struct worker_curve *curve = facts->curves ? &facts->curves[node] : NULL;
	uint32_t knee;

	if (curve && !curve->count)
		curve = &facts->curves[crew->server];
	knee = curve ? worker_curve_knee(curve) : 0;
	count->used = knee ? RULE_CALIBRATED : RULE_CORES;
	count->workers = knee ? clamp(knee, crew->cpus) : crew->cores;
	if (knee || count->reason)
		return;
	if (!curve || !curve->count)
		count->reason = "no curve was measured, the calibration says why";
	else
		count->reason = "more workers still helped when the time to measure was over";
}

/* ---- hmat ----------------------------------------------------------------------------------- */

static bool is_attached(const struct hmat_facts *hmat, uint32_t memory_pxm, uint32_t initiator_pxm)
{
	for (uint32_t i = 0; i < hmat->proximity_count; i++)
		if (hmat->proximity[i].memory_pxm == memory_pxm &&
		    hmat->proximity[i].initiator_pxm == initiator_pxm)
			return true;
	return false;
}

/* The initiator with online CPUs that writes fastest to `node`, of all or of those attached to it
 * by a type-0 record; NODE_NONE: none has a figure. [ACPI 6.5 5.2.27.3; Linux hmat.c] */
static uint32_t best_initiator(const struct worker_facts *facts, const struct crew *crew,
			       uint32_t node, bool attached)
{
	const struct topology *topology = facts->topology;
	uint32_t best = NODE_NONE;

	if (attached && !facts->hmat)
		return NODE_NONE;
	for (uint32_t i = 0; i < topology->node_count; i++) {
		uint32_t mbps = topology->bandwidth[i][node].write_mbps;

		if (!crew->online[i] || !mbps)
			continue;
		if (attached &&
		    !is_attached(facts->hmat, topology->nodes[node].pxm, topology->nodes[i].pxm))
			continue;
		if (best == NODE_NONE || mbps > topology->bandwidth[best][node].write_mbps)
			best = i;
	}
	return best;
}

static uint32_t find_initiator(const struct worker_facts *facts, const struct crew *crew,
			       uint32_t node)
{
	uint32_t attached;

	if (crew->online[node] && facts->topology->bandwidth[node][node].write_mbps)
		return node;
	attached = best_initiator(facts, crew, node, true);
	return attached != NODE_NONE ? attached : best_initiator(facts, crew, node, false);
}

static const char *count_hmat(const struct worker_facts *facts, const struct crew *crew,
			      uint32_t node, struct worker_count *count)
{
	uint32_t core_mbps = facts->core_mbps;

	if (!core_mbps && facts->measured_mbps)
		core_mbps = facts->measured_mbps[node];
	count->core_mbps = core_mbps;
	count->initiator = find_initiator(facts, crew, node);
	if (!facts->topology->bandwidth_from_hmat)
		return "no HMAT, or one without a figure";
	if (count->initiator == NODE_NONE)
		return "the HMAT has no write bandwidth for this memory";
	count->node_mbps = facts->topology->bandwidth[count->initiator][node].write_mbps;
	if (!core_mbps)
		return "what one core writes could not be measured";
	count->workers = clamp(((uint64_t)count->node_mbps + core_mbps / 2) / core_mbps,
			       crew->cores);
	return NULL;
}

/* ---- auto ----------------------------------------------------------------------------------- */

/* The yardstick is the CPUs that the other rules would take, and what their own memory needs. */
static void count_auto(const struct worker_facts *facts, const struct crew *crew, uint32_t node,
		       struct worker_count *count)
{
	const struct topology *topology = facts->topology;
	uint64_t own = topology->bandwidth[crew->server][crew->server].write_mbps, far;
	bool near[NODE_MAX];
	uint32_t most;

	count_calibrated(facts, crew, crew->server, count);
	if (crew->server == node)
		return;
	most = worker_nearest(topology, crew->online, node, near);
	far = worker_nearest_mbps(topology, near, node);
	if (own && far)
		count->workers = clamp((count->workers * far + own / 2) / own, most);
}

struct worker_count worker_rules_count(const struct worker_facts *facts, enum worker_rule rule,
				       uint32_t node)
{
	struct worker_count count = { .used = rule, .initiator = NODE_NONE };
	struct crew crew;

	find_crew(facts->topology, node, &crew);
	if (!facts->topology->nodes[node].pages)
		count.reason = "the node has no RAM";
	else if (crew.server == NODE_NONE)
		count.reason = "no CPU is online";
	if (count.reason)
		return count;
	switch (rule) {
	case RULE_QUARTER:
		count.workers = (crew.cpus + 3) / 4;
		break;
	case RULE_ALL:
		count.workers = crew.cpus;
		break;
	case RULE_HMAT:
		count.reason = count_hmat(facts, &crew, node, &count);
		if (count.reason)
			count_calibrated(facts, &crew, node, &count);
		break;
	case RULE_CALIBRATED:
		count_calibrated(facts, &crew, node, &count);
		break;
	case RULE_AUTO:
		count_auto(facts, &crew, node, &count);
		break;
	default:
		count.workers = crew.cores;
		break;
	}
	return count;
}
