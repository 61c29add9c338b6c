/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/init_plan_rows.h"

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/string.h"
#include "smp/dispatch/dispatch.h"

static uint64_t chunk_pages(const struct init_plan *plan, const struct init_node *node)
{
	const struct init_job *largest = NULL;
	struct job_state state;

	for (uint32_t i = 0; i < node->job_count; i++) {
		const struct init_job *job = &plan->jobs[node->first_job + i];

		if (!largest || job->job.size > largest->job.size)
			largest = job;
	}
	if (!largest || !largest->job.size)
		return 0;
	dispatch_prepare(&state, &largest->job);
	return state.chunk;
}

struct init_plan_row init_plan_row(const struct init_results *results, uint32_t which,
				   uint32_t node_index)
{
	const struct init_plan *plan = results->plans[which];
	const struct init_node *node = &plan->nodes[node_index];
	uint64_t chunk = chunk_pages(plan, node);

	return (struct init_plan_row){
		.policy = results->policies[which],
		.store = results->stores[which],
		.node = node_index,
		.workers = node->worker_count,
		.jobs = node->job_count,
		.chunk_pages = chunk,
		.chunk_mib = chunk * PAGE_BYTES >> 20,
		.early_pages = node->early_pages,
		.deferred_pages = node->deferred_pages,
		.free_pages = node->free_pages,
		.reserved_pages = node->reserved_pages,
		.hole_pages = node->hole_pages,
	};
}

static bool same_pages(const struct init_plan *plan, const struct init_plan *other,
		       uint32_t node_count)
{
	for (uint32_t i = 0; i < node_count; i++) {
		const struct init_node *a = &plan->nodes[i], *b = &other->nodes[i];

		if (a->early_pages != b->early_pages || a->deferred_pages != b->deferred_pages ||
		    a->free_pages != b->free_pages || a->reserved_pages != b->reserved_pages ||
		    a->hole_pages != b->hole_pages)
			return false;
	}
	return true;
}

bool init_plans_share_pages(const struct init_results *results, uint32_t node_count)
{
	for (uint32_t i = 1; i < results->policy_count; i++)
		if (!same_pages(results->plans[i], results->plans[0], node_count))
			return false;
	return true;
}

static void extend(struct init_plan_extent *extent, uint64_t value)
{
	extent->min = min_u64(extent->min, value);
	extent->max = max_u64(extent->max, value);
}

struct init_plan_extents init_plan_extents(const struct init_results *results, uint32_t which,
					   uint32_t node_count)
{
	const struct init_plan_extent nothing = { UINT64_MAX, 0 };
	struct init_plan_extents extents = { nothing, nothing, nothing };

	for (uint32_t node = 0; node < node_count; node++) {
		struct init_plan_row row = init_plan_row(results, which, node);

		if (!row.deferred_pages)
			continue;
		extend(&extents.workers, row.workers);
		extend(&extents.jobs, row.jobs);
		extend(&extents.chunk_mib, row.chunk_mib);
	}
	return extents;
}

bool init_count_lent(const struct init_plan *plan, const struct topology *topology, uint32_t node,
		     uint16_t lent[NODE_MAX])
{
	bool any = false;

	memset(lent, 0, NODE_MAX * sizeof(*lent));
	for (uint32_t i = 0; plan->nodes[node].deferred_pages && i < plan->visit_count; i++) {
		uint32_t from = topology->cpus[plan->visits[i].cpu].node;

		if (plan->visits[i].node != node || from == node)
			continue;
		lent[from]++;
		any = true;
	}
	return any;
}
