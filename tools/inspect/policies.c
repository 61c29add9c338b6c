/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/policies.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "mm/machine/topology_count.h"
#include "tools/inspect/alloc.h"
#include "tools/inspect/view.h"

const char *policy_unplanned(enum policy policy)
{
	const struct policy_rule *rule = policy_rule(policy);

	if (rule->workers == WORKERS_GIVEN)
		return "goes by bandwidths or times that the booted kernel measures";
	if (rule->workers == WORKERS_OF_CPUS && rule->rule == RULE_CORES)
		return "goes by physical cores, which the booted kernel reads from the CPUs";
	return NULL;
}

/* A CPU's visits are consecutive. */
static void count_cpus(const struct init_plan *plan, struct policy_outline *outline)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < plan->visit_count; i++) {
		const struct init_node *node = &plan->nodes[plan->visits[i].node];

		if (i == 0 || plan->visits[i].cpu != plan->visits[i - 1].cpu) {
			outline->cpus++;
			pages = 0;
		}
		pages += (node->deferred_pages + node->worker_count - 1) / node->worker_count;
		outline->cpu_pages = max_u64(outline->cpu_pages, pages);
	}
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
	count_cpus(plan, &outline);
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

struct why_text policy_why(const struct inspection *inspection, uint32_t node)
{
	const struct policy_rule *rule = policy_rule(inspection->policy);
	const struct topology *topology = &inspection->topology;
	uint32_t workers = inspection->plan.nodes[node].worker_count, server, by_rule;
	uint16_t online[NODE_MAX];
	const char *part = rule->rule == RULE_QUARTER ? "a quarter of the" : "every one of the";
	struct why_text why = { "" };
	uint64_t chunks, least;

	topology_count_online(topology, online);
	server = worker_server(topology, online, node);
	if (workers == 0 || server == NODE_NONE) {
		snprintf(why.text, sizeof(why.text), "nothing is deferred");
		return why;
	}
	if (rule->workers != WORKERS_OF_CPUS) {
		snprintf(why.text, sizeof(why.text), rule->workers == WORKERS_BOOT ?
			 "the boot CPU does all nodes" : "one per node");
		return why;
	}
	by_rule = worker_rule_of_cpus(rule->rule, online[server], 0);
	chunks = largest_job(&inspection->plan, node, &least);
	if (workers < by_rule && chunks <= workers)
		snprintf(why.text, sizeof(why.text),
			 "of %u: the largest job is %lu smallest chunks, of %lu MiB",
			 by_rule, max_u64(chunks, 1), least >> (20 - PAGE_SHIFT));
	else if (workers < by_rule)
		snprintf(why.text, sizeof(why.text),
			 "of %u: the boot CPU, or CPUs that others need, are left out",
			 by_rule);
	else if (server == node)
		snprintf(why.text, sizeof(why.text), "%s %u CPUs", part, online[server]);
	else
		snprintf(why.text, sizeof(why.text), "%s %u CPUs of node %u: it has none", part,
			 online[server], server);
	return why;
}
