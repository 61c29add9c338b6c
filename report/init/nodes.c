/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/nodes.h"

#include "report/field.h"
#include "report/init/words.h"

/* No more policies than these have tables of their own where not verbose. */
enum { POLICIES_IN_FULL = 2 };

/* Side by side in the table of medians; more make a second one. */
enum { POLICIES_ABREAST = 6 };

static const struct field node_fields[] = {
	FIELD_CONSTANT("experiment", "init"),
	FIELD(struct init_time, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD_CONSTANT("scope", "node"),
	FIELD(struct init_time, node, AS_NUMBER, .name = "node", .title = "node", .width = 4),
	FIELD(struct init_time, pages, AS_NUMBER, .name = "pages", .title = "pages", .width = 11),
	FIELD(struct init_time, workers, AS_NUMBER, .name = "workers", .title = "workers",
	      .width = 7),
	FIELD(struct init_time, descriptor_bytes, AS_NUMBER, .name = "descriptor_bytes",
	      .meaning = "stored per page"),
	FIELD(struct init_time, cycles.median, AS_NUMBER, .title = "median", .unit = "cycles",
	      .width = 13),
	FIELD_SUMMARY(struct init_time, cycles),
	FIELD(struct init_time, cycles.median, AS_NS_PER, PER(struct init_time, pages),
	      .decimals = 2, .title = "ns/page", .width = 7),
	FIELD(struct init_time, baseline_cycles, AS_RATIO, PER(struct init_time, cycles.median),
	      .decimals = 2, .unless_zero = true, .title = "speed-up", .unit = "vs node",
	      .width = 8),
	FIELD(struct init_time, speedup_milli, AS_NUMBER, .name = "speedup_milli",
	      .meaning = "of the medians, against policy node on this node; 0: unknown"),
};
const struct record_type init_node_result_record =
	RECORD_TYPE("result", "one policy of experiment init on one node", node_fields);

static const struct field best_fields[] = {
	FIELD(struct init_time, node, AS_NUMBER, .name = "node"),
	FIELD(struct init_time, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct init_time, workers, AS_NUMBER, .name = "workers"),
	FIELD(struct init_time, pages, AS_NUMBER, .name = "pages"),
	FIELD(struct init_time, cycles.median, AS_NUMBER, .name = "median_cycles"),
	FIELD(struct init_time, speedup_milli, AS_NUMBER, .name = "speedup_milli",
	      .meaning = "against policy node on this node; 0: unknown"),
};
const struct record_type init_best_record =
	RECORD_TYPE("best", "the fastest policy on one node, but for serial and lazy", best_fields);

static void policy_table(const struct report *report, const struct init_summary *summary,
			 uint32_t which)
{
	struct field_table table;

	report_heading(report, "policy %s, node by node",
		       policy_name(summary->policies[which].time.policy));
	field_table_begin(&table, report, FIELDS(node_fields));
	for (uint32_t node = 0; node < report_rows(report, summary->node_count); node++) {
		const struct init_time *time = init_node_time(summary, which, node);

		if (time->cycles.count)
			field_table_row(&table, time);
	}
	report_rest(report, summary->node_count, "nodes");
}

/* ---- medians side by side ------------------------------------------------------------------- */

static void best_cells(const struct report *report, struct table *table,
		       const struct init_time *best)
{
	static const struct init_time none = { .workers = 0 };

	table_text(table, best ? policy_name(best->policy) : "-");
	if (!best)
		best = &none;
	table_ratio(table, report_ns(report, best->cycles.median), best->pages, 2);
	table_speedup(table, best->baseline_cycles, best->cycles.median);
}

static uint32_t medians_columns(const struct init_summary *summary, uint32_t first, uint32_t end,
				struct column columns[POLICIES_ABREAST + 4])
{
	uint32_t count = 0;

	columns[count++] = (struct column){ "node", "", 4 };
	for (uint32_t i = first; i < end; i++)
		columns[count++] = (struct column){
			policy_name(summary->policies[i].time.policy), "ms", 10
		};
	if (end < summary->policy_count)
		return count;
	columns[count++] = (struct column){ "best", "", -10 };
	columns[count++] = (struct column){ "ns/page", "best", 8 };
	columns[count++] = (struct column){ "speed-up", "vs node", 8 };
	return count;
}

/* The policies `first` to `end`, and after the last of all the best. */
static void medians_part(const struct report *report, const struct init_summary *summary,
			 uint32_t first, uint32_t end)
{
	struct column columns[POLICIES_ABREAST + 4];
	struct table table;

	table_begin(&table, report, columns, medians_columns(summary, first, end, columns));
	for (uint32_t node = 0; node < report_rows(report, summary->node_count); node++) {
		table_u64(&table, node);
		for (uint32_t i = first; i < end; i++) {
			const struct summary *cycles = &init_node_time(summary, i, node)->cycles;

			table_ms_of(&table, cycles, cycles->median);
		}
		if (end == summary->policy_count)
			best_cells(report, &table, init_best_time(summary, node));
	}
	report_rest(report, summary->node_count, "nodes");
}

static void medians_table(const struct report *report, const struct init_summary *summary)
{
	uint32_t count = summary->policy_count;

	report_heading(report, "medians of every node under every policy");
	for (uint32_t first = 0; first < count; first += POLICIES_ABREAST)
		medians_part(report, summary, first,
			     count - first < POLICIES_ABREAST ? count : first + POLICIES_ABREAST);
	report_line(report, "best: of the policies that do all the work, all nodes at once (not "
			    "serial, not lazy).");
}

void report_nodes(struct report *report, const struct init_summary *summary)
{
	if (summary->policy_count > POLICIES_IN_FULL)
		medians_table(report, summary);
	for (uint32_t i = 0; i < summary->policy_count; i++)
		if (summary->policy_count <= POLICIES_IN_FULL || report->verbose)
			policy_table(report, summary, i);
	for (uint32_t node = 0; node < summary->node_count; node++) {
		const struct init_time *best = init_best_time(summary, node);

		if (best)
			field_record(&report->records, &init_best_record, best);
	}
}

void report_node_records(struct report *report, const struct init_summary *summary, uint32_t which)
{
	for (uint32_t node = 0; node < summary->node_count; node++) {
		const struct init_time *time = init_node_time(summary, which, node);

		if (time->cycles.count)
			field_record(&report->records, &init_node_result_record, time);
	}
}
