/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/policies.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "mm/machine/topology_count.h"
#include "tools/inspect/alloc.h"
#include "tools/inspect/least_time.h"
#include "tools/inspect/view.h"

const char *policy_unplanned(const struct inspection *inspection, enum policy policy)
{
	const struct policy_rule *rule = policy_rule(policy);
	const struct given *given = &inspection->given;

	if (rule->workers == WORKERS_OF_CPUS && rule->rule == RULE_CORES)
		return given->threads_per_core ? NULL : "needs --threads-per-core";
	if (rule->workers != WORKERS_GIVEN)
		return NULL;
	if (rule->rule != RULE_HMAT)
		return "goes by times that only the booted kernel measures";
	if (!given->threads_per_core || !given->core_mbps)
		return "needs --threads-per-core and --core-mbps";
	for (uint32_t i = 0; i < inspection->topology.node_count; i++) {
		struct worker_count count = inspection_count_workers(inspection, policy, i);

		if (count.workers && count.used != RULE_HMAT)
			return count.reason;
	}
	return NULL;
}

struct policy_outline policy_outline(const struct inspection *inspection, enum policy policy)
{
	struct policy_outline outline = { 0 };
	struct init_plan *plan = array_or_die(1, sizeof(*plan));

	inspection_plan(inspection, policy, plan);
	for (uint32_t i = 0; i < inspection->topology.node_count; i++) {
		outline.most = max_u32(outline.most, plan->nodes[i].worker_count);
		outline.jobs += plan->nodes[i].job_count;
		outline.chunk_pages = max_u64(outline.chunk_pages, view_node_chunk(plan, i));
	}
	outline.cpu_pages = least_cpu_pages(plan, &outline.cpus);
	outline.least_ps = least_time_ps(inspection, plan, policy);
	plan_free(plan);
	free(plan);
	return outline;
}

/* The smallest chunk of the node's largest job, and how many of them that job is. */
static uint64_t largest_job(const struct init_plan *plan, uint32_t node, uint64_t *least)
{
	uint64_t most = 0;

	*least = 0;
	for (uint32_t i = 0; i < plan->nodes[node].job_count; i++) {
		const struct job *job = &plan->jobs[plan->nodes[node].first_job + i].job;
		uint64_t chunk = max_u64(max_u64(job->min_chunk, job->align), 1);

		if (job->size / chunk >= most) {
			most = job->size / chunk;
			*least = chunk;
		}
	}
	return most;
}

/* Where the number of the policy's rule comes from. */
static void explain_rule(const struct inspection *inspection, uint32_t node, uint32_t server,
			 uint32_t cpus, struct why_text *why)
{
	const struct policy_rule *rule = policy_rule(inspection->policy);
	struct worker_count count = inspection_count_workers(inspection, inspection->policy, node);
	static const char *const parts[RULE_COUNT] = {
		[RULE_QUARTER] = "a quarter of", [RULE_ALL] = "all", [RULE_CORES] = "the cores of",
	};
	char whose[32] = "";
	int length;

	if (server != node)
		snprintf(whose, sizeof(whose), " of node %u", server);
	if (rule->rule == RULE_HMAT)
		length = snprintf(why->text, sizeof(why->text),
				  "%u MB/s by %u MB/s of a core, at most the cores%s",
				  count.node_mbps, count.core_mbps, whose);
	else if (cpus == 1)
		length = snprintf(why->text, sizeof(why->text), "the only CPU%s", whose);
	else
		length = snprintf(why->text, sizeof(why->text), "%s %u CPUs%s", parts[rule->rule],
				  cpus, whose);
	if (server != node)
		snprintf(why->text + length, sizeof(why->text) - (size_t)length,
			 ", since this one has none");
}

struct why_text policy_why(const struct inspection *inspection, uint32_t node)
{
	const struct policy_rule *rule = policy_rule(inspection->policy);
	const struct topology *topology = &inspection->topology;
	uint32_t workers = inspection->plan.nodes[node].worker_count, server, by_rule;
	uint16_t online[NODE_MAX];
	struct why_text why = { "" };
	uint64_t chunks, least;

	topology_count_online(topology, online);
	server = worker_server(topology, online, node);
	if (workers == 0 || server == NODE_NONE) {
		snprintf(why.text, sizeof(why.text), "nothing is deferred");
		return why;
	}
	if (rule->workers == WORKERS_BOOT || rule->workers == WORKERS_ONE) {
		snprintf(why.text, sizeof(why.text), rule->workers == WORKERS_BOOT ?
			 "the boot CPU does all nodes" : "one per node");
		return why;
	}
	by_rule = inspection_count_workers(inspection, inspection->policy, node).workers;
	chunks = largest_job(&inspection->plan, node, &least);
	if (workers < by_rule && chunks <= workers)
		snprintf(why.text, sizeof(why.text),
			 "of %u: the largest job is %lu smallest chunks, of %lu MiB",
			 by_rule, max_u64(chunks, 1), least >> (20 - PAGE_SHIFT));
	else if (workers < by_rule)
		snprintf(why.text, sizeof(why.text), "of %u: the boot CPU does not wait", by_rule);
	else
		explain_rule(inspection, node, server, online[server], &why);
	return why;
}
