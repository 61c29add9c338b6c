/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/plan_workers.h"

#include "lib/minmax.h"
#include "lib/string.h"
#include "mm/init/plan_parts.h"
#include "mm/init/policy.h"
#include "mm/init/worker_rules.h"
#include "mm/init/worker_rules_share.h"

bool workforce_has(const struct workforce *force, uint32_t cpu)
{
	const struct cpu *c = &force->topology->cpus[cpu];

	if (force->rules->kinds && !(force->rules->kinds >> c->kind & 1))
		return false;
	return c->online && !(c->boot && force->without_boot);
}

bool workforce_has_sibling(const struct workforce *force, uint32_t cpu)
{
	const struct cpu *cpus = force->topology->cpus;

	for (uint32_t i = 0; i < cpu; i++)
		if (cpus[i].core == cpus[cpu].core && cpus[i].node == cpus[cpu].node &&
		    workforce_has(force, i))
			return true;
	return false;
}

/* CPUs of `node` that work and do not share their core with an earlier one. */
static uint32_t working_cores(const struct workforce *force, uint32_t node)
{
	uint32_t cores = 0;

	for (uint32_t cpu = 0; cpu < force->topology->cpu_count; cpu++)
		cores += force->topology->cpus[cpu].node == node && workforce_has(force, cpu) &&
			 !workforce_has_sibling(force, cpu);
	return cores;
}

/* Of `cpus` on the node `server`. Cores are only looked for where they decide. */
static uint32_t by_rule(const struct workforce *force, enum worker_rule rule, uint32_t server,
			uint32_t cpus)
{
	uint32_t cores = rule == RULE_CORES ? working_cores(force, server) : 0;

	return worker_rule_of_cpus(rule, cpus, cores);
}

/* Of `node`, for which those of `server` work or, shared, of several nodes of `cpus` each. */
static uint32_t workers_wanted(const struct workforce *force, uint32_t node, uint32_t server,
			       uint32_t cpus)
{
	const struct init_rules *rules = force->rules;
	const struct policy_rule *policy = policy_rule(rules->policy);
	uint32_t wanted = 0;

	switch (policy->workers) {
	case WORKERS_BOOT:
	case WORKERS_ONE:
		return 1;
	case WORKERS_OF_CPUS:
		wanted = by_rule(force, policy->rule, server, cpus);
		break;
	case WORKERS_GIVEN:
		wanted = rules->worker_counts ? rules->worker_counts[node] : 0;
		break;
	}
	if (!wanted)
		wanted = by_rule(force, RULE_CORES, server, cpus);
	if (rules->threads)
		wanted = rules->threads;
	return min_u32(wanted, cpus);
}

/* As many as the node's largest job lets work, at most `limit`: more would be woken for nothing.
 * padata starts no thread for less than a chunk, nor for less than its alignment
 * [Linux kernel/padata.c, padata_do_multithreaded]. */
static uint16_t useful_workers(const struct init_plan *plan, uint32_t node, uint32_t limit)
{
	uint64_t most = 1;

	for (uint32_t i = 0; i < plan->nodes[node].job_count; i++) {
		const struct job *job = &plan->jobs[plan->nodes[node].first_job + i].job;
		uint64_t least = max_u64(job->min_chunk, job->align);

		most = max_u64(most, job->size / least);
	}
	return (uint16_t)min_u64(most, limit);
}

uint32_t workforce_count(const struct workforce *force, const struct init_plan *plan,
			 uint32_t node)
{
	uint32_t server = worker_server(force->topology, force->online, node), cpus;
	bool near[NODE_MAX];

	if (server == NODE_NONE || !plan->nodes[node].deferred_pages)
		return 0;
	cpus = force->online[server];
	if (policy_rule(force->rules->policy)->shares)
		cpus = worker_nearest(force->topology, force->online, node, near);
	return useful_workers(plan, node, workers_wanted(force, node, server, cpus));
}

void workforce_lend(const struct workforce *force, const struct init_plan *plan, uint32_t node,
		    uint16_t lent[NODE_MAX])
{
	uint32_t workers = plan->nodes[node].worker_count;

	if (policy_rule(force->rules->policy)->shares) {
		worker_split(force->topology, force->online, node, workers, lent);
		return;
	}
	memset(lent, 0, NODE_MAX * sizeof(*lent));
	if (workers)
		lent[worker_server(force->topology, force->online, node)] = (uint16_t)workers;
}
