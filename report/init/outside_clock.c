/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/outside_clock.h"

#include "report/field.h"
#include "report/init/words.h"

/* Their records are those of the policies, see policies.c. */
static const struct field outside_fields[] = {
	FIELD(struct init_policy_summary, time.policy, AS_WORD, POLICY_WORDS, .title = "policy",
	      .width = -10),
	FIELD(struct init_policy_summary, all_workers, AS_NUMBER, .title = "workers",
	      .unit = "all nodes", .width = 9),
	FIELD(struct init_policy_summary, wake.median, AS_MS,
	      IF(struct init_policy_summary, wake.count), .title = "waking", .unit = "median ms",
	      .width = 10),
	FIELD(struct init_policy_summary, wake.max, AS_MS,
	      IF(struct init_policy_summary, wake.count), .title = "waking", .unit = "max ms",
	      .width = 10),
	FIELD(struct init_policy_summary, early_pages, AS_NUMBER, .title = "early part",
	      .unit = "pages", .width = 12),
	FIELD(struct init_policy_summary, early.median, AS_MS,
	      IF(struct init_policy_summary, early.count), .title = "initialise",
	      .unit = "median ms", .width = 10),
	FIELD(struct init_policy_summary, early.median, AS_NS_PER,
	      PER(struct init_policy_summary, early_pages),
	      IF(struct init_policy_summary, early.count), .decimals = 2, .title = "",
	      .unit = "ns/page", .width = 8),
	FIELD(struct init_policy_summary, early_free.median, AS_MS,
	      IF(struct init_policy_summary, early_free.count), .title = "free",
	      .unit = "median ms", .width = 10),
	FIELD(struct init_policy_summary, early_free.median, AS_NS_PER,
	      PER(struct init_policy_summary, early_pages),
	      IF(struct init_policy_summary, early_free.count), .decimals = 2, .title = "",
	      .unit = "ns/page", .width = 8),
};

/* Policy ktask: both passes are inside the clock. */
static void passes_line(const struct report *report, const struct init_policy_summary *policy)
{
	char first[REPORT_CELL], second[REPORT_CELL];

	if (!policy->first_pass.median)
		return;
	report_line(report,
		    "Inside the clock, %s: first pass (initialise) %s ms, second (free) %s ms: "
		    "medians.",
		    policy_name(policy->time.policy),
		    report_ms(report, first, policy->first_pass.median),
		    report_ms(report, second, policy->second_pass.median));
}

void report_outside_clock(const struct report *report, const struct init_summary *summary)
{
	struct field_table table;

	report_heading(report, "outside that clock: waking the workers; the boot CPU's early part");
	field_table_begin(&table, report, FIELDS(outside_fields));
	for (uint32_t i = 0; i < summary->policy_count; i++)
		field_table_row(&table, &summary->policies[i]);
	for (uint32_t i = 0; i < summary->policy_count; i++)
		passes_line(report, &summary->policies[i]);
}
