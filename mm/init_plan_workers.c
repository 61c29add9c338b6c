/* How many workers a node gets, and whose CPUs they are. */
#include "lib/string.h"
#include "mm/init_plan_parts.h"
#include "mm/policy.h"
#include "mm/worker_rules.h"
#include "mm/worker_rules_share.h"

bool crew_works(const struct crew *crew, uint32_t cpu)
{
	const struct cpu *c = &crew->topology->cpus[cpu];

	if (crew->rules->kinds && !(crew->rules->kinds >> c->kind & 1))
		return false;
	return c->online && !(c->boot && crew->without_boot);
}

bool crew_is_sibling(const struct crew *crew, uint32_t cpu)
{
	const struct cpu *cpus = crew->topology->cpus;

	for (uint32_t i = 0; i < cpu; i++)
		if (cpus[i].core == cpus[cpu].core && cpus[i].node == cpus[cpu].node &&
		    crew_works(crew, i))
			return true;
	return false;
}

/* CPUs of `node` that work and do not share their core with an earlier one. */
static uint32_t working_cores(const struct crew *crew, uint32_t node)
{
	uint32_t cores = 0;

	for (uint32_t cpu = 0; cpu < crew->topology->cpu_count; cpu++)
		cores += crew->topology->cpus[cpu].node == node && crew_works(crew, cpu) &&
			 !crew_is_sibling(crew, cpu);
	return cores;
}

static uint32_t given_workers(const struct init_rules *rules, uint32_t node, uint32_t otherwise)
{
	uint32_t given = rules->worker_counts ? rules->worker_counts[node] : 0;

	return given ? given : otherwise;
}

/* Of `node`, for which those of `server` work or, shared, of several nodes of `cpus` each. */
static uint32_t workers_wanted(const struct crew *crew, uint32_t node, uint32_t server,
			       uint32_t cpus)
{
	const struct init_rules *rules = crew->rules;
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
	case WORKERS_CORES:
		wanted = working_cores(crew, server);
		break;
	case WORKERS_GIVEN:
		wanted = given_workers(rules, node, working_cores(crew, server));
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

uint32_t crew_count_workers(const struct crew *crew, const struct init_plan *plan, uint32_t node)
{
	uint32_t server = worker_server(crew->topology, crew->online, node), cpus;
	bool near[NODE_MAX];

	if (server == NODE_NONE || !plan->nodes[node].deferred_pages)
		return 0;
	cpus = crew->online[server];
	if (policy_rule(crew->rules->policy)->shares)
		cpus = worker_nearest(crew->topology, crew->online, node, near);
	return useful_workers(plan, node, workers_wanted(crew, node, server, cpus));
}

void crew_lend(const struct crew *crew, const struct init_plan *plan, uint32_t node,
	       uint16_t lent[NODE_MAX])
{
	uint32_t workers = plan->nodes[node].worker_count;

	if (policy_rule(crew->rules->policy)->shares) {
		worker_split(crew->topology, crew->online, node, workers, lent);
		return;
	}
	memset(lent, 0, NODE_MAX * sizeof(*lent));
	if (workers)
		lent[worker_server(crew->topology, crew->online, node)] = (uint16_t)workers;
}
