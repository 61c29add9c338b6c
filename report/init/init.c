/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/init.h"

#include "report/init/async.h"
#include "report/init/disturbance.h"
#include "report/init/lazy_first_use.h"
#include "report/init/nodes.h"
#include "report/init/outside_clock.h"
#include "report/init/plans.h"
#include "report/init/policies.h"
#include "report/init/samples.h"
#include "report/init/verification.h"
#include "report/text.h"

static void times(struct report *report, const struct init_results *results,
		  const struct init_summary *summary)
{
	if (summary->anything_deferred) {
		report_policies(report, summary, results->init_only);
		report_outside_clock(report, summary);
		report_nodes(report, summary);
	} else {
		report_heading(report, "experiment init: nothing was deferred, so nothing was "
				       "timed: all RAM is in the early part");
	}
	for (uint32_t i = 0; i < summary->policy_count; i++) {
		report_policy_record(report, &summary->policies[i]);
		report_node_records(report, summary, i);
	}
}

void report_init(struct report *report, const struct init_results *results,
		 const struct init_summary *summary, const struct topology *topology)
{
	report_plans(report, results, topology);
	report_init_samples(report, results);
	times(report, results, summary);
	report_first_use(report, results, summary);
	report_async(report, results, &summary->async);
	report_disturbance(report, summary);
	report_init_verification(report, results, summary);
}
