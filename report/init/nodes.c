/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/nodes.h"

#include "mm/init/policy.h"
#include "report/init/parts.h"
#include "report/init/summary.h"
#include "report/table.h"
#include "report/text.h"

/* Up to so many policies have their own tables even where not verbose. */
enum { POLICIES_IN_FULL = 2 };

/* Side by side in the table of medians; more make a second one. */
enum { POLICIES_ABREAST = 6 };

static void policy_table(struct report *report, const struct init_results *results,
			 enum policy policy, uint32_t node_count)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	   { "pages", "", 11 },   { "workers", "", 7 },
		{ "median", "cycles", 13 }, SPREAD_COLUMNS,	  { "ns/page", "", 7 },
		{ "speed-up", "vs node", 8 },
	};
	struct table table;

	report_heading(report, "policy %s, node by node", policy_name(policy));
	table_begin(&table, report, columns, 11);
	for (uint32_t node = 0; node < report_rows(report, node_count); node++) {
		struct init_summary summary = summarise_node(report, results, policy, node);

		if (!summary.cycles.count)
			continue;
		table_u64(&table, node);
		table_u64(&table, summary.pages);
		table_u64(&table, summary.workers);
		table_u64(&table, summary.cycles.median);
		table_spread(&table, &summary.cycles);
		table_ratio(&table, report_ns(report, summary.cycles.median), summary.pages, 2);
		table_speedup(&table, summary.baseline_cycles, summary.cycles.median);
	}
	report_rest(report, node_count, "nodes");
}

/* Whether a policy does the whole work of a node with all nodes at once: serial has the machine to
 * itself, lazy leaves most of the work for later. */
static bool comparable(enum policy policy)
{
	const struct policy_rule *rule = policy_rule(policy);

	return rule->workers != WORKERS_BOOT && rule->passes != PASS_LAZY;
}

/* The fastest of the comparable policies on `node` into *best; POLICY_COUNT: no run got so far. */
static enum policy best_policy(struct report *report, const struct init_results *results,
			       uint32_t node, struct init_summary *best)
{
	enum policy found = POLICY_COUNT;

	for (uint32_t i = 0; i < results->policy_count; i++) {
		enum policy policy = results->policies[i];
		struct init_summary summary;

		if (!comparable(policy))
			continue;
		summary = summarise_node(report, results, policy, node);
		if (!summary.cycles.count ||
		    (found != POLICY_COUNT && summary.cycles.median >= best->cycles.median))
			continue;
		*best = summary;
		found = policy;
	}
	return found;
}

static void best_cells(struct report *report, struct table *table,
		       const struct init_results *results, uint32_t node)
{
	struct init_summary best = { .workers = 0 };
	enum policy policy = best_policy(report, results, node, &best);

	table_text(table, policy == POLICY_COUNT ? "-" : policy_name(policy));
	table_ratio(table, report_ns(report, best.cycles.median), best.pages, 2);
	table_speedup(table, best.baseline_cycles, best.cycles.median);
}

/* The policies `first` to `end`, and after the last of all the best. */
static void medians_part(struct report *report, const struct init_results *results,
			 uint32_t node_count, uint32_t first, uint32_t end)
{
	struct column columns[POLICIES_ABREAST + 4] = { { "node", "", 4 } };
	bool last = end == results->policy_count;
	uint32_t count = 1;
	struct table table;

	for (uint32_t i = first; i < end; i++)
		columns[count++] = (struct column){ policy_name(results->policies[i]), "ms", 10 };
	if (last) {
		columns[count++] = (struct column){ "best", "", -10 };
		columns[count++] = (struct column){ "ns/page", "best", 8 };
		columns[count++] = (struct column){ "speed-up", "vs node", 8 };
	}
	table_begin(&table, report, columns, count);
	for (uint32_t node = 0; node < report_rows(report, node_count); node++) {
		table_u64(&table, node);
		for (uint32_t i = first; i < end; i++) {
			struct summary cycles =
				summarise_node(report, results, results->policies[i], node).cycles;

			table_ms_of(&table, &cycles, cycles.median);
		}
		if (last)
			best_cells(report, &table, results, node);
	}
	report_rest(report, node_count, "nodes");
}

static void medians_table(struct report *report, const struct init_results *results,
			  uint32_t node_count)
{
	uint32_t count = results->policy_count;

	report_heading(report, "medians of every node under every policy");
	for (uint32_t first = 0; first < count; first += POLICIES_ABREAST)
		medians_part(report, results, node_count, first,
			     count - first < POLICIES_ABREAST ? count : first + POLICIES_ABREAST);
	report_line(report, "best: of the policies that do all the work, all nodes at once (not "
			    "serial, "
			    "not lazy).");
}

static void best_record(struct report *report, const struct init_results *results, uint32_t node)
{
	struct record_stream *records = &report->records;
	struct init_summary best;
	enum policy policy = best_policy(report, results, node, &best);

	if (policy == POLICY_COUNT)
		return;
	record_begin(records, "best");
	record_u64(records, "node", node);
	record_text(records, "policy", policy_name(policy));
	record_u64(records, "workers", best.workers);
	record_u64(records, "pages", best.pages);
	record_u64(records, "median_cycles", best.cycles.median);
	record_u64(records, "speedup_milli", summary_speedup_milli(&best));
	record_end(records);
}

void report_nodes(struct report *report, const struct init_results *results,
		  const struct topology *topology)
{
	if (results->policy_count > POLICIES_IN_FULL)
		medians_table(report, results, topology->node_count);
	for (uint32_t i = 0; i < results->policy_count; i++)
		if (results->policy_count <= POLICIES_IN_FULL || report->verbose)
			policy_table(report, results, results->policies[i], topology->node_count);
	for (uint32_t node = 0; node < topology->node_count; node++)
		best_record(report, results, node);
}
