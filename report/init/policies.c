/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/policies.h"

#include "lab/summary/thresholds.h"
#include "lib/format.h"
#include "lib/text.h"
#include "report/field.h"
#include "report/init/cold_run.h"
#include "report/init/words.h"

static const struct field policy_fields[] = {
	FIELD_CONSTANT("experiment", "init"),
	FIELD(struct init_policy_summary, time.policy, AS_WORD, POLICY_WORDS, .name = "policy",
	      .title = "policy", .width = -10),
	FIELD_CONSTANT("scope", "run"),
	FIELD(struct init_policy_summary, time.cycles.count, AS_NUMBER, .title = "runs",
	      .width = 4),
	FIELD(struct init_policy_summary, time.workers, AS_NUMBER, .name = "workers",
	      .title = "workers", .unit = "per node", .width = 8,
	      .meaning = "the most that any node had"),
	FIELD(struct init_policy_summary, time.pages, AS_NUMBER, .name = "pages",
	      .meaning = "of the slowest node in the run nearest to the median; under policy "
			 "serial of all nodes"),
	FIELD(struct init_policy_summary, time.descriptor_bytes, AS_NUMBER,
	      .name = "descriptor_bytes", .meaning = "stored per page"),
	FIELD_SUMMARY(struct init_policy_summary, time.cycles),
	FIELD(struct init_policy_summary, time.cycles.median, AS_NS_PER,
	      PER(struct init_policy_summary, time.pages), .decimals = 2, .title = "ns/page",
	      .width = 8),
	FIELD(struct init_policy_summary, time.stored_pages, AS_GB_PER_S,
	      PER(struct init_policy_summary, time.cycles.median), .decimals = 2,
	      .unless_zero = true, .title = "GB/s", .unit = "per node", .width = 8),
	FIELD(struct init_policy_summary, time.baseline_cycles, AS_RATIO,
	      PER(struct init_policy_summary, time.cycles.median), .decimals = 2,
	      .unless_zero = true, .title = "speed-up", .unit = "vs node", .width = 8),
	FIELD(struct init_policy_summary, time.speedup_milli, AS_NUMBER, .name = "speedup_milli",
	      .meaning = "of the medians, against policy node; 0: unknown"),
	FIELD(struct init_policy_summary, wake.median, AS_NUMBER, .name = "wake_median_cycles"),
	FIELD(struct init_policy_summary, early.median, AS_NUMBER, .name = "early_median_cycles"),
	FIELD(struct init_policy_summary, early_free.median, AS_NUMBER,
	      .name = "early_free_median_cycles"),
	FIELD(struct init_policy_summary, first_pass.median, AS_NUMBER,
	      .name = "first_pass_median_cycles", .meaning = "0: it has one pass"),
	FIELD(struct init_policy_summary, disturbed.stalled, AS_NUMBER, .unless_zero = true,
	      .name = "stalled_runs", .meaning = "that took four times the median or more"),
	FIELD(struct init_policy_summary, disturbed.stalled_cycles, AS_NUMBER, .unless_zero = true,
	      .name = "stalled_cycles", .meaning = "the most that one of them took above it"),
	FIELD(struct init_policy_summary, cold_cycles, AS_NUMBER,
	      IF(struct init_policy_summary, was_cold), .name = "cold_cycles",
	      .meaning = "where the cold run was of this policy"),
};
const struct record_type init_policy_record =
	RECORD_TYPE("result", "one policy of experiment init: the slowest node of each run",
		    policy_fields);

/* ---- what is not to be quoted --------------------------------------------------------------- */

static void not_quotable_lines(const struct report *report, const struct init_summary *summary)
{
	char scattered_names[REPORT_TEXT], vague_names[REPORT_TEXT];
	struct text scattered = text_in(scattered_names, sizeof(scattered_names));
	struct text vague = text_in(vague_names, sizeof(vague_names));

	for (uint32_t i = 0; i < summary->policy_count; i++) {
		const struct init_policy_summary *policy = &summary->policies[i];

		if (policy->scatters)
			text_add_item(&scattered, "%s", policy_name(policy->time.policy));
		if (policy->vague)
			text_add_item(&vague, "%s", policy_name(policy->time.policy));
	}
	if (scattered.length)
		report_wrapped(report, "stddev above %u %% of the mean: %s: do not quote",
			       THRESHOLD_STDDEV_PERCENT, scattered.to);
	if (vague.length)
		report_wrapped(report,
			       "TSC offset bound above %u %% of the median: %s: do not quote",
			       THRESHOLD_CLOCK_PERCENT, vague.to);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void legend(const struct report *report, const struct init_summary *summary, bool init_only)
{
	report_line(report, "Clock: from when all workers have met to the end of the last chunk.");
	report_line(report, "Time: median over runs of the slowest node; pages: of that node.");
	report_line(report, "ns/page, GB/s (%u bytes stored per page), speed-up: of the medians.",
		    report->descriptor_bytes);
	if (init_has_policy(summary, POLICY_SERIAL))
		report_line(report, "serial: the boot CPU does all nodes, one after the other; its "
				    "rates are over all of them.");
	if (init_only)
		report_line(report, "Descriptors of this size are not freed: lazy stores all of "
				    "them, as zone.");
	else if (init_has_policy(summary, POLICY_LAZY))
		report_line(report,
			    "lazy: one struct page in %llu where a block is whole; the others are "
			    "left to first use, below.",
			    BLOCK_PAGES);
}

void report_policies(const struct report *report, const struct init_summary *summary,
		     bool init_only)
{
	struct field_table table;

	report_heading(report, "experiment init: time of the slowest node, all nodes at once");
	field_table_begin(&table, report, FIELDS(policy_fields));
	for (uint32_t i = 0; i < summary->policy_count; i++)
		field_table_row(&table, &summary->policies[i]);
	not_quotable_lines(report, summary);
	report_cold_run(report, summary);
	legend(report, summary, init_only);
}

void report_policy_record(struct report *report, const struct init_policy_summary *policy)
{
	if (policy->time.cycles.count)
		field_record(&report->records, &init_policy_record, policy);
}
