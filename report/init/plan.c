/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/plan.h"

#include "lib/format.h"
#include "lib/page_units.h"
#include "lib/string.h"
#include "mm/init/policy.h"
#include "report/table.h"
#include "report/text.h"
#include "smp/dispatch/dispatch.h"

/* More policies than these share their tables where not verbose. */
enum { POLICIES_IN_FULL = 2 };

/* Of the node's largest job, as the dispatcher will size it. */
static uint64_t chunk_pages(const struct init_plan *plan, const struct init_node *node)
{
	const struct job *largest = NULL;
	struct job_state state;

	for (uint32_t i = 0; i < node->job_count; i++) {
		const struct job *job = &plan->jobs[node->first_job + i].job;

		if (!largest || job->size > largest->size)
			largest = job;
	}
	if (!largest || !largest->size)
		return 0;
	dispatch_prepare(&state, largest);
	return state.chunk;
}

static void plan_record(struct record_stream *records, enum policy policy,
			const struct init_plan *plan, enum store store, uint32_t number)
{
	const struct init_node *node = &plan->nodes[number];

	record_begin(records, "plan");
	record_text(records, "policy", policy_name(policy));
	record_u64(records, "node", number);
	record_u64(records, "workers", node->worker_count);
	record_u64(records, "jobs", node->job_count);
	record_u64(records, "chunk_pages", chunk_pages(plan, node));
	record_text(records, "store", store_kernel(store)->name);
	record_u64(records, "early_pages", node->early_pages);
	record_u64(records, "deferred_pages", node->deferred_pages);
	record_u64(records, "free_pages", node->free_pages);
	record_u64(records, "reserved_pages", node->reserved_pages);
	record_u64(records, "hole_pages", node->hole_pages);
	record_end(records);
}

static void pages_cells(struct table *table, const struct init_node *node)
{
	table_u64(table, node->early_pages);
	table_u64(table, node->deferred_pages);
	table_u64(table, node->free_pages);
	table_u64(table, node->reserved_pages);
	table_u64(table, node->hole_pages);
}

static void policy_table(const struct report *report, enum policy policy,
			 const struct init_plan *plan, uint32_t node_count)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	       { "workers", "", 7 },	  { "jobs", "", 6 },
		{ "chunk", "MiB", 6 },       { "early", "pages", 12 },  { "deferred", "pages", 12 },
		{ "free", "pages", 12 }, { "reserved", "pages", 12 }, { "holes", "pages", 12 },
	};
	struct table table;

	report_heading(report, "plan, policy %s: %llu struct pages early (boot CPU), %llu deferred",
		       policy_name(policy), (unsigned long long)plan->early_pages,
		       (unsigned long long)plan->deferred_pages);
	table_begin(&table, report, columns, 9);
	for (uint32_t i = 0; i < report_rows(report, node_count); i++) {
		const struct init_node *node = &plan->nodes[i];

		table_u64(&table, i);
		table_u64(&table, node->worker_count);
		table_u64(&table, node->job_count);
		table_u64(&table, chunk_pages(plan, node) * PAGE_BYTES >> 20);
		pages_cells(&table, node);
	}
	report_rest(report, node_count, "nodes");
}

/* Whether the plan differs from `other` in nothing but who does the work. */
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

/* Over the nodes that have something deferred. */
struct extent {
	uint64_t min, max;
};

static void extend(struct extent *extent, uint64_t value)
{
	extent->min = value < extent->min ? value : extent->min;
	extent->max = value > extent->max ? value : extent->max;
}

static void extent_cell(struct table *table, const struct extent *extent)
{
	char text[REPORT_CELL];

	if (extent->min > extent->max)
		format(text, sizeof(text), "-");
	else if (extent->min == extent->max)
		format(text, sizeof(text), "%lu", extent->min);
	else
		format(text, sizeof(text), "%lu to %lu", extent->min, extent->max);
	table_text(table, text);
}

static void shared_row(struct table *table, enum policy policy, const struct init_plan *plan,
		       uint32_t node_count)
{
	struct extent workers = { UINT64_MAX, 0 }, jobs = workers, chunk = workers;

	for (uint32_t i = 0; i < node_count; i++) {
		const struct init_node *node = &plan->nodes[i];

		if (!node->deferred_pages)
			continue;
		extend(&workers, node->worker_count);
		extend(&jobs, node->job_count);
		extend(&chunk, chunk_pages(plan, node) * PAGE_BYTES >> 20);
	}
	table_text(table, policy_name(policy));
	extent_cell(table, &workers);
	extent_cell(table, &jobs);
	extent_cell(table, &chunk);
}

static void shared_nodes_table(const struct report *report, const struct init_plan *plan,
			       uint32_t node_count)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	   { "early", "pages", 13 },  { "deferred", "pages", 13 },
		{ "free", "pages", 13 }, { "reserved", "pages", 13 }, { "holes", "pages", 13 },
	};
	struct table table;

	table_begin(&table, report, columns, 6);
	for (uint32_t i = 0; i < report_rows(report, node_count); i++) {
		const struct init_node *node = &plan->nodes[i];

		table_u64(&table, i);
		pages_cells(&table, node);
	}
	report_rest(report, node_count, "nodes");
}

static void shared_tables(const struct report *report, const struct init_results *results,
			  uint32_t node_count)
{
	static const struct column columns[] = {
		{ "policy", "", -10 },
		{ "workers", "per node", 14 },
		{ "jobs", "per node", 14 },
		{ "chunk", "MiB of RAM", 18 },
	};
	const struct init_plan *plan = results->plans[0];
	struct table table;

	report_heading(report,
		       "plan: %llu struct pages early (boot CPU), %llu deferred, under every "
		       "policy",
		       (unsigned long long)plan->early_pages,
		       (unsigned long long)plan->deferred_pages);
	shared_nodes_table(report, plan, node_count);
	report_heading(report, "plan: who does the deferred ones");
	table_begin(&table, report, columns, 4);
	for (uint32_t i = 0; i < results->policy_count; i++)
		shared_row(&table, results->policies[i], results->plans[i], node_count);
}

/* ---- whose CPUs work for a node that has none ----------------------------------------------- */

/* How many of each node; false: only the node's own do, or none. */
static bool count_lent(const struct init_plan *plan, const struct topology *topology, uint32_t node,
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

static void lent_heading(const struct report *report, struct table *table, enum policy policy)
{
	static const struct column columns[] = {
		{ "node", "", 4 }, { "CPUs of", "node", 7 }, { "workers", "", 7 },
	};

	report_heading(report, "plan, policy %s: who shares the nodes without CPUs",
		       policy_name(policy));
	table_begin(table, report, columns, 3);
}

static void lent_table(const struct report *report, const struct init_plan *plan,
		       enum policy policy, const struct topology *topology)
{
	uint32_t rows = 0, most = report_rows(report, UINT32_MAX);
	uint16_t lent[NODE_MAX];
	struct table table;

	for (uint32_t node = 0; node < topology->node_count; node++) {
		bool any = count_lent(plan, topology, node, lent);

		if (any && !rows)
			lent_heading(report, &table, policy);
		for (uint32_t from = 0; any && from < topology->node_count; from++) {
			if (!lent[from] || rows++ >= most)
				continue;
			table_u64(&table, node);
			table_u64(&table, from);
			table_u64(&table, lent[from]);
		}
	}
	report_rest(report, rows, "rows");
}

static void lent_records(struct record_stream *records, const struct init_plan *plan,
			 enum policy policy, const struct topology *topology)
{
	uint16_t lent[NODE_MAX];

	for (uint32_t node = 0; node < topology->node_count; node++) {
		if (!count_lent(plan, topology, node, lent))
			continue;
		for (uint32_t from = 0; from < topology->node_count; from++) {
			if (!lent[from])
				continue;
			record_begin(records, "lent");
			record_text(records, "policy", policy_name(policy));
			record_u64(records, "node", node);
			record_u64(records, "from", from);
			record_u64(records, "workers", lent[from]);
			record_end(records);
		}
	}
}

void report_plans(struct report *report, const struct init_results *results,
		  const struct topology *topology)
{
	uint32_t count = results->policy_count, nodes = topology->node_count;
	bool shared = count > POLICIES_IN_FULL && !report->verbose;

	for (uint32_t i = 1; i < count; i++)
		shared = shared && same_pages(results->plans[i], results->plans[0], nodes);
	if (shared)
		shared_tables(report, results, nodes);
	for (uint32_t i = 0; i < count && !shared; i++)
		policy_table(report, results->policies[i], results->plans[i], nodes);
	for (uint32_t i = 0; i < count; i++)
		if (policy_rule(results->policies[i])->shares)
			lent_table(report, results->plans[i], results->policies[i], topology);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t node = 0; node < nodes; node++)
			plan_record(&report->records, results->policies[i], results->plans[i],
				    results->stores[i], node);
	for (uint32_t i = 0; i < count; i++)
		lent_records(&report->records, results->plans[i], results->policies[i], topology);
}
