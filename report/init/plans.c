/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/plans.h"

#include "lab/summary/init_plan_rows.h"
#include "lib/format.h"
#include "mm/init/policy.h"
#include "report/field.h"
#include "report/init/words.h"

/* More policies than these share their tables where not verbose. */
enum { POLICIES_IN_FULL = 2 };

static const struct field plan_fields[] = {
	FIELD(struct init_plan_row, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct init_plan_row, node, AS_NUMBER, .name = "node", .title = "node", .width = 4),
	FIELD(struct init_plan_row, workers, AS_NUMBER, .name = "workers", .title = "workers",
	      .width = 7),
	FIELD(struct init_plan_row, jobs, AS_NUMBER, .name = "jobs", .title = "jobs", .width = 6),
	FIELD(struct init_plan_row, chunk_pages, AS_NUMBER, .name = "chunk_pages",
	      .meaning = "of the node's largest job; 0: none"),
	FIELD(struct init_plan_row, chunk_mib, AS_NUMBER, .title = "chunk", .unit = "MiB",
	      .width = 6),
	FIELD(struct init_plan_row, store, AS_WORD, STORE_WORDS, .name = "store",
	      .meaning = "what writes the struct pages"),
	FIELD(struct init_plan_row, early_pages, AS_NUMBER, .name = "early_pages",
	      .title = "early", .unit = "pages", .width = 12, .meaning = "done by the boot CPU"),
	FIELD(struct init_plan_row, deferred_pages, AS_NUMBER, .name = "deferred_pages",
	      .title = "deferred", .unit = "pages", .width = 12),
	FIELD(struct init_plan_row, free_pages, AS_NUMBER, .name = "free_pages", .title = "free",
	      .unit = "pages", .width = 12),
	FIELD(struct init_plan_row, reserved_pages, AS_NUMBER, .name = "reserved_pages",
	      .title = "reserved", .unit = "pages", .width = 12),
	FIELD(struct init_plan_row, hole_pages, AS_NUMBER, .name = "hole_pages", .title = "holes",
	      .unit = "pages", .width = 12),
};
const struct record_type init_plan_record = RECORD_TYPE("plan", "one policy on one node",
							plan_fields);

/* ---- policy by policy ----------------------------------------------------------------------- */

static void policy_table(const struct report *report, const struct init_results *results,
			 uint32_t which, uint32_t node_count)
{
	const struct init_plan *plan = results->plans[which];
	struct field_table table;

	report_heading(report, "plan, policy %s: %llu struct pages early (boot CPU), %llu deferred",
		       policy_name(results->policies[which]),
		       (unsigned long long)plan->early_pages,
		       (unsigned long long)plan->deferred_pages);
	field_table_begin(&table, report, FIELDS(plan_fields));
	for (uint32_t node = 0; node < report_rows(report, node_count); node++) {
		struct init_plan_row row = init_plan_row(results, which, node);

		field_table_row(&table, &row);
	}
	report_rest(report, node_count, "nodes");
}

/* ---- all policies together ------------------------------------------------------------------ */

static const struct field shared_fields[] = {
	FIELD(struct init_plan_row, node, AS_NUMBER, .title = "node", .width = 4),
	FIELD(struct init_plan_row, early_pages, AS_NUMBER, .title = "early", .unit = "pages",
	      .width = 13),
	FIELD(struct init_plan_row, deferred_pages, AS_NUMBER, .title = "deferred",
	      .unit = "pages", .width = 13),
	FIELD(struct init_plan_row, free_pages, AS_NUMBER, .title = "free", .unit = "pages",
	      .width = 13),
	FIELD(struct init_plan_row, reserved_pages, AS_NUMBER, .title = "reserved",
	      .unit = "pages", .width = 13),
	FIELD(struct init_plan_row, hole_pages, AS_NUMBER, .title = "holes", .unit = "pages",
	      .width = 13),
};

struct who_row {
	enum policy policy;
	char workers[REPORT_CELL], jobs[REPORT_CELL], chunk[REPORT_CELL];
};

static const struct field who_fields[] = {
	FIELD(struct who_row, policy, AS_WORD, POLICY_WORDS, .title = "policy", .width = -10),
	FIELD(struct who_row, workers, AS_TEXT, .title = "workers", .unit = "per node",
	      .width = 14),
	FIELD(struct who_row, jobs, AS_TEXT, .title = "jobs", .unit = "per node", .width = 14),
	FIELD(struct who_row, chunk, AS_TEXT, .title = "chunk", .unit = "MiB of RAM", .width = 18),
};

static void extent_text(char to[REPORT_CELL], const struct init_plan_extent *extent)
{
	if (extent->min > extent->max)
		format(to, REPORT_CELL, "-");
	else if (extent->min == extent->max)
		format(to, REPORT_CELL, "%lu", extent->min);
	else
		format(to, REPORT_CELL, "%lu to %lu", extent->min, extent->max);
}

static void shared_nodes_table(const struct report *report, const struct init_results *results,
			       uint32_t node_count)
{
	struct field_table table;

	field_table_begin(&table, report, FIELDS(shared_fields));
	for (uint32_t node = 0; node < report_rows(report, node_count); node++) {
		struct init_plan_row row = init_plan_row(results, 0, node);

		field_table_row(&table, &row);
	}
	report_rest(report, node_count, "nodes");
}

static void who_table(const struct report *report, const struct init_results *results,
		      uint32_t node_count)
{
	struct field_table table;

	report_heading(report, "plan: who does the deferred ones");
	field_table_begin(&table, report, FIELDS(who_fields));
	for (uint32_t i = 0; i < results->policy_count; i++) {
		struct init_plan_extents extents = init_plan_extents(results, i, node_count);
		struct who_row row = { .policy = results->policies[i] };

		extent_text(row.workers, &extents.workers);
		extent_text(row.jobs, &extents.jobs);
		extent_text(row.chunk, &extents.chunk_mib);
		field_table_row(&table, &row);
	}
}

static void shared_tables(const struct report *report, const struct init_results *results,
			  uint32_t node_count)
{
	const struct init_plan *plan = results->plans[0];

	report_heading(report,
		       "plan: %llu struct pages early (boot CPU), %llu deferred, under every "
		       "policy",
		       (unsigned long long)plan->early_pages,
		       (unsigned long long)plan->deferred_pages);
	shared_nodes_table(report, results, node_count);
	who_table(report, results, node_count);
}

/* ---- whose CPUs work for a node that has none ----------------------------------------------- */

struct lent_row {
	enum policy policy;
	uint32_t node, from, workers;
};

static const struct field lent_fields[] = {
	FIELD(struct lent_row, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct lent_row, node, AS_NUMBER, .name = "node", .title = "node", .width = 4),
	FIELD(struct lent_row, from, AS_NUMBER, .name = "from", .title = "CPUs of",
	      .unit = "node", .width = 7, .meaning = "the node whose CPUs they are"),
	FIELD(struct lent_row, workers, AS_NUMBER, .name = "workers", .title = "workers",
	      .width = 7),
};
const struct record_type init_lent_record =
	RECORD_TYPE("lent", "one policy, workers of one node on another", lent_fields);

static void lent_heading(const struct report *report, struct field_table *table,
			 enum policy policy)
{
	report_heading(report, "plan, policy %s: who shares the nodes without CPUs",
		       policy_name(policy));
	field_table_begin(table, report, FIELDS(lent_fields));
}

static void lent_table(const struct report *report, const struct init_plan *plan,
		       enum policy policy, const struct topology *topology)
{
	uint32_t rows = 0, most = report_rows(report, UINT32_MAX);
	uint16_t lent[NODE_MAX];
	struct field_table table;

	for (uint32_t node = 0; node < topology->node_count; node++) {
		bool any = init_count_lent(plan, topology, node, lent);

		if (any && !rows)
			lent_heading(report, &table, policy);
		for (uint32_t from = 0; any && from < topology->node_count; from++)
			if (lent[from] && rows++ < most)
				field_table_row(&table, &(struct lent_row){ policy, node, from,
									    lent[from] });
	}
	report_rest(report, rows, "rows");
}

static void lent_records(struct record_stream *records, const struct init_plan *plan,
			 enum policy policy, const struct topology *topology)
{
	uint16_t lent[NODE_MAX];

	for (uint32_t node = 0; node < topology->node_count; node++) {
		bool any = init_count_lent(plan, topology, node, lent);

		for (uint32_t from = 0; any && from < topology->node_count; from++)
			if (lent[from])
				field_record(records, &init_lent_record,
					     &(struct lent_row){ policy, node, from, lent[from] });
	}
}

/* ---- all ------------------------------------------------------------------------------------ */

void report_plans(struct report *report, const struct init_results *results,
		  const struct topology *topology)
{
	uint32_t count = results->policy_count, nodes = topology->node_count;
	bool shared = count > POLICIES_IN_FULL && !report->verbose &&
		      init_plans_share_pages(results, nodes);

	if (shared)
		shared_tables(report, results, nodes);
	for (uint32_t i = 0; i < count && !shared; i++)
		policy_table(report, results, i, nodes);
	for (uint32_t i = 0; i < count; i++)
		if (policy_rule(results->policies[i])->shares)
			lent_table(report, results->plans[i], results->policies[i], topology);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t node = 0; node < nodes; node++) {
			struct init_plan_row row = init_plan_row(results, i, node);

			field_record(&report->records, &init_plan_record, &row);
		}
	for (uint32_t i = 0; i < count; i++)
		lent_records(&report->records, results->plans[i], results->policies[i], topology);
}
