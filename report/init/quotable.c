/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/quotable.h"

#include "lab/summary/clock_spread.h"
#include "lab/summary/quotable.h"
#include "lab/summary/thresholds.h"
#include "lib/format.h"
#include "mm/init/policy.h"
#include "report/init/parts.h"
#include "report/init/summary.h"
#include "report/text.h"

struct names {
	char text[REPORT_COLUMNS];
	size_t length;
};

static void add_name(struct names *names, enum policy policy)
{
	names->length += format(names->text + names->length, sizeof(names->text) - names->length,
				"%s%s", names->length ? ", " : "", policy_name(policy));
}

/* Of the boot CPU alone no other clock is asked. */
static bool is_vague(enum policy policy, const struct summary *cycles, uint64_t offset_cycles)
{
	return policy_rule(policy)->workers != WORKERS_BOOT &&
	       summary_is_vague(cycles, offset_cycles);
}

void report_not_quotable(struct report *report, const struct init_results *results,
			 const struct topology *topology)
{
	uint64_t offset_cycles = clock_spread(topology).most_cycles;
	struct names scattered = { .length = 0 }, vague = { .length = 0 };

	for (uint32_t i = 0; i < results->policy_count; i++) {
		enum policy policy = results->policies[i];
		struct init_summary summary = summarise_runs(report, results, policy);

		if (summary_scatters(&summary.cycles))
			add_name(&scattered, policy);
		if (is_vague(policy, &summary.cycles, offset_cycles))
			add_name(&vague, policy);
	}
	if (scattered.length)
		report_wrapped(report, "stddev above %u %% of the mean: %s: do not quote",
			       THRESHOLD_STDDEV_PERCENT, scattered.text);
	if (vague.length)
		report_wrapped(report,
			       "TSC offset bound above %u %% of the median: %s: do not quote",
			       THRESHOLD_CLOCK_PERCENT, vague.text);
}
