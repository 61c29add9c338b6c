/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/worker_rules.h"

#include <stddef.h>

#include "lib/minmax.h"
#include "mm/init/worker_rules_share.h"
#include "mm/machine/topology_count.h"

uint32_t worker_count_next(uint32_t workers)
{
	if (workers & (workers - 1))
		return workers / 3 * 4;
	return workers < 2 ? workers + 1 : workers / 2 * 3;
}

bool worker_time_is_near(uint64_t cycles, uint64_t best_cycles)
{
	return (__uint128_t)cycles * 100 <= (__uint128_t)best_cycles * KNEE_PERCENT;
}

uint32_t worker_rule_of_cpus(enum worker_rule rule, uint32_t cpus, uint32_t cores)
{
	if (rule == RULE_QUARTER)
		return (cpus + 3) / 4;
	return rule == RULE_ALL ? cpus : cores;
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
		if (working[other] && (best == NODE_NONE || topology->distance[other][node] <
								    topology->distance[best][node]))
			best = other;
	return best;
}

/* The CPUs that can work for a node. */
struct working_cpus {
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

static void find_working_cpus(const struct topology *topology, uint32_t node,
			      struct working_cpus *supply)
{
	*supply = (struct working_cpus){ .server = NODE_NONE };
	topology_count_online(topology, supply->online);
	supply->server = worker_server(topology, supply->online, node);
	if (supply->server == NODE_NONE)
		return;
	supply->cpus = supply->online[supply->server];
	for (uint32_t i = 0; i < topology->cpu_count; i++)
		if (topology->cpus[i].online && topology->cpus[i].node == supply->server)
			supply->cores += topology_sibling_rank(topology, i) == 0;
}

/* At least 1, at most `most`, which is 1 at least. */
static uint32_t limited(uint64_t workers, uint32_t most)
{
	return (uint32_t)clamp_u64(workers, 1, most);
}

static void count_cpus(const struct worker_facts *facts, const struct working_cpus *supply,
		       uint32_t node, struct worker_count *count)
{
	(void)facts;
	(void)node;
	count->workers = worker_rule_of_cpus(count->used, supply->cpus, supply->cores);
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

	if (!curve->count || (!curve->complete && best == curve->count - 1))
		return 0;
	for (uint32_t i = 0; i < best; i++)
		if (worker_time_is_near(curve->points[i].cycles, curve->points[best].cycles))
			return curve->points[i].workers;
	return curve->points[best].workers;
}

static void count_calibrated(const struct worker_facts *facts, const struct working_cpus *supply,
			     uint32_t node, struct worker_count *count)
{
	const struct worker_curve *curve = facts->curves ? &facts->curves[node] : NULL;
	uint32_t knee;

	if (curve && !curve->count)
		curve = &facts->curves[supply->server];
	knee = curve ? worker_curve_knee(curve) : 0;
	count->used = knee ? RULE_CALIBRATED : RULE_CORES;
	count->workers = knee ? limited(knee, supply->cpus) :
				worker_rule_of_cpus(RULE_CORES, supply->cpus, supply->cores);
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
static uint32_t best_initiator(const struct worker_facts *facts, const struct working_cpus *supply,
			       uint32_t node, bool attached)
{
	const struct topology *topology = facts->topology;
	uint32_t best = NODE_NONE;

	if (attached && !facts->hmat)
		return NODE_NONE;
	for (uint32_t i = 0; i < topology->node_count; i++) {
		uint32_t mbps = topology->bandwidth[i][node].write_mbps;

		if (!supply->online[i] || !mbps)
			continue;
		if (attached &&
		    !is_attached(facts->hmat, topology->nodes[node].pxm, topology->nodes[i].pxm))
			continue;
		if (best == NODE_NONE || mbps > topology->bandwidth[best][node].write_mbps)
			best = i;
	}
	return best;
}

static uint32_t find_initiator(const struct worker_facts *facts, const struct working_cpus *supply,
			       uint32_t node)
{
	uint32_t attached;

	if (supply->online[node] && facts->topology->bandwidth[node][node].write_mbps)
		return node;
	attached = best_initiator(facts, supply, node, true);
	return attached != NODE_NONE ? attached : best_initiator(facts, supply, node, false);
}

static const char *divide_bandwidth(const struct worker_facts *facts,
				    const struct working_cpus *supply, uint32_t node,
				    struct worker_count *count)
{
	uint32_t core_mbps = facts->core_mbps;

	if (!core_mbps && facts->measured_mbps)
		core_mbps = facts->measured_mbps[node];
	count->core_mbps = core_mbps;
	count->initiator = find_initiator(facts, supply, node);
	if (!facts->topology->bandwidth_from_hmat)
		return "no HMAT, or one without a figure";
	if (count->initiator == NODE_NONE)
		return "the HMAT has no write bandwidth for this memory";
	count->node_mbps = facts->topology->bandwidth[count->initiator][node].write_mbps;
	if (!core_mbps)
		return "what one core writes could not be measured";
	count->workers = limited(((uint64_t)count->node_mbps + core_mbps / 2) / core_mbps,
				 supply->cores);
	return NULL;
}

static void count_hmat(const struct worker_facts *facts, const struct working_cpus *supply,
		       uint32_t node, struct worker_count *count)
{
	count->reason = divide_bandwidth(facts, supply, node, count);
	if (count->reason)
		count_calibrated(facts, supply, node, count);
}

/* ---- auto ----------------------------------------------------------------------------------- */

/* The yardstick is the CPUs that the other rules would take, and what their own memory needs. */
static void count_auto(const struct worker_facts *facts, const struct working_cpus *supply,
		       uint32_t node, struct worker_count *count)
{
	const struct topology *topology = facts->topology;
	uint64_t own = topology->bandwidth[supply->server][supply->server].write_mbps, far;
	bool near[NODE_MAX];
	uint32_t most;

	count_calibrated(facts, supply, supply->server, count);
	if (supply->server == node)
		return;
	most = worker_nearest(topology, supply->online, node, near);
	far = worker_nearest_mbps(topology, near, node);
	if (own && far)
		count->workers = limited((count->workers * far + own / 2) / own, most);
}

/* ---- all ------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	/* Of `node`, which has RAM and for which `supply` works: workers, and why so many. */
	void (*count)(const struct worker_facts *facts, const struct working_cpus *supply,
		      uint32_t node, struct worker_count *count);
} rules[RULE_COUNT] = {
	[RULE_QUARTER] = { "quarter", count_cpus },
	[RULE_ALL] = { "all", count_cpus },
	[RULE_CORES] = { "cores", count_cpus },
	[RULE_HMAT] = { "hmat", count_hmat },
	[RULE_CALIBRATED] = { "calibrated", count_calibrated },
	[RULE_AUTO] = { "auto", count_auto },
};

const char *worker_rule_name(enum worker_rule rule)
{
	return rules[rule].name;
}

struct worker_count worker_rules_count(const struct worker_facts *facts, enum worker_rule rule,
				       uint32_t node)
{
	struct worker_count count = { .used = rule, .initiator = NODE_NONE };
	struct working_cpus supply;

	find_working_cpus(facts->topology, node, &supply);
	if (!facts->topology->nodes[node].pages)
		count.reason = "the node has no RAM";
	else if (supply.server == NODE_NONE)
		count.reason = "no CPU is online";
	if (count.reason)
		return count;
	rules[rule].count(facts, &supply, node, &count);
	return count;
}
