/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/lazy_first_use.h"

#include "mm/init/policy.h"
#include "report/field.h"
#include "report/init/words.h"

static const struct field use_fields[] = {
	FIELD_CONSTANT("experiment", "lazy"),
	FIELD(struct init_policy_summary, time.policy, AS_WORD, POLICY_WORDS, .name = "policy",
	      .title = "policy", .width = -6),
	FIELD_CONSTANT("scope", "first_use"),
	FIELD(struct init_policy_summary, time.cycles.median, AS_MS,
	      IF(struct init_policy_summary, time.cycles.count), .title = "slowest node",
	      .unit = "median ms", .width = 12),
	FIELD(struct init_policy_summary, first_use.cycles.count, AS_NUMBER, .name = "count",
	      .title = "runs", .width = 4, .meaning = "samples"),
	FIELD(struct init_policy_summary, first_use.filled_blocks, AS_NUMBER, .unless_zero = true,
	      .title = "filled", .unit = "blocks", .width = 9),
	FIELD(struct init_policy_summary, first_use.fill.median, AS_MS,
	      IF(struct init_policy_summary, first_use.filled_blocks), .title = "filling",
	      .unit = "ms", .width = 9),
	FIELD(struct init_policy_summary, first_use.fill.median, AS_NS_PER,
	      PER(struct init_policy_summary, first_use.filled_pages),
	      IF(struct init_policy_summary, first_use.filled_blocks), .decimals = 2,
	      .title = "filling", .unit = "ns/page", .width = 8),
	FIELD(struct init_policy_summary, first_use.pages, AS_NUMBER, .name = "pages",
	      .title = "first use", .unit = "pages", .width = 12),
	FIELD(struct init_policy_summary, first_use.cycles.mean, AS_NUMBER, .name = "mean_cycles"),
	FIELD(struct init_policy_summary, first_use.cycles.min, AS_NUMBER, .name = "min_cycles"),
	FIELD(struct init_policy_summary, first_use.cycles.median, AS_MS, .name = "median_cycles",
	      IF(struct init_policy_summary, first_use.cycles.count), .title = "first use",
	      .unit = "ms", .width = 10),
	FIELD(struct init_policy_summary, first_use.cycles.max, AS_NUMBER, .name = "max_cycles"),
	FIELD(struct init_policy_summary, first_use.cycles.stddev, AS_NUMBER,
	      .name = "stddev_cycles", .meaning = "0 where `count` is 1: unknown"),
	FIELD(struct init_policy_summary, first_use.cycles.median, AS_NS_PER,
	      PER(struct init_policy_summary, first_use.pages), .decimals = 2,
	      .title = "first use", .unit = "ns/page", .width = 9),
	FIELD(struct init_policy_summary, first_use.both_cycles, AS_MS,
	      IF(struct init_policy_summary, first_use.both_known), .title = "both", .unit = "ms",
	      .width = 10),
};
const struct record_type init_first_use_record =
	RECORD_TYPE("result", "first use of all memory after the runs of one policy",
		    use_fields);

static const struct field sample_fields[] = {
	FIELD(struct run_sample, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct run_sample, repetition, AS_NUMBER, .name = "rep"),
	FIELD(struct run_sample, cycles, AS_NUMBER, .name = "cycles",
	      .meaning = "of the initialisation, until the slowest node was done"),
	FIELD(struct run_sample, lazy.filled_blocks, AS_NUMBER, .name = "filled_blocks",
	      .meaning = "of 4 MiB"),
	FIELD(struct run_sample, lazy.fill_cycles, AS_NUMBER, .name = "fill_cycles",
	      .meaning = "inside the filling"),
	FIELD(struct run_sample, lazy.first_use_pages, AS_NUMBER, .name = "first_use_pages"),
	FIELD(struct run_sample, lazy.first_use_cycles, AS_NUMBER, .name = "first_use_cycles",
	      .meaning = "of allocating all of them, one by one"),
};
const struct record_type init_lazy_record =
	RECORD_TYPE("lazy", "one run after which all memory was used for the first time",
		    sample_fields);

static bool is_lazy(const struct init_policy_summary *policy)
{
	return policy_rule(policy->time.policy)->passes == PASS_LAZY;
}

static void use_table(const struct report *report, const struct init_summary *summary)
{
	struct field_table table;

	report_heading(report, "policy lazy: the critical path, and what first use of the memory "
			       "costs");
	field_table_begin(&table, report, FIELDS(use_fields));
	for (uint32_t i = 0; i < summary->policy_count; i++)
		if (is_lazy(&summary->policies[i]) || summary->policies[i].first_use.cycles.count)
			field_table_row(&table, &summary->policies[i]);
	report_line(report, "First use: the boot CPU alone takes all free memory, at most 64 GiB, "
			    "4 KiB at a time,");
	report_line(report, "after so many warm runs: medians. Filling the blocks that were left "
			    "is a part of it.");
}

void report_first_use(struct report *report, const struct init_results *results,
		      const struct init_summary *summary)
{
	if (!init_has_policy(summary, POLICY_LAZY) || results->init_only)
		return;
	use_table(report, summary);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!results->runs[i].timed_out && results->runs[i].lazy.first_use_pages)
			field_record(&report->records, &init_lazy_record, &results->runs[i]);
	for (uint32_t i = 0; i < summary->policy_count; i++)
		if (summary->policies[i].first_use.cycles.count)
			field_record(&report->records, &init_first_use_record,
				     &summary->policies[i]);
}
