/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/quotable.h"

#include "lib/format.h"
#include "mm/init/policy.h"
#include "report/init/parts.h"
#include "report/init/summary.h"
#include "report/machine/clocks.h"
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

/* 5 % of the mean. */
static bool scatters(const struct summary *cycles)
{
	return mul_div_u64(cycles->stddev, 20, 1) > cycles->mean;
}

/* 1 % of the median. Of the boot CPU alone no other clock is asked. */
static bool is_vague(enum policy policy, const struct summary *cycles, uint64_t offset_cycles)
{
	return policy_rule(policy)->workers != WORKERS_BOOT && cycles->count &&
	       mul_div_u64(offset_cycles, 100, 1) > cycles->median;
}

void report_not_quotable(struct report *report, const struct init_results *results,
			 const struct topology *topology)
{
	uint64_t offset_cycles = clock_spread(topology).most_cycles;
	struct names scattered = { .length = 0 }, vague = { .length = 0 };

	for (uint32_t i = 0; i < results->policy_count; i++) {
		enum policy policy = results->policies[i];
		struct init_summary summary = summarise_runs(report, results, policy);

		if (scatters(&summary.cycles))
			add_name(&scattered, policy);
		if (is_vague(policy, &summary.cycles, offset_cycles))
			add_name(&vague, policy);
	}
	if (scattered.length)
		report_wrapped(report, "stddev above 5 %% of the mean: %s: do not quote",
			       scattered.text);
	if (vague.length)
		report_wrapped(report,
			       "TSC offset bound above 1 %% of the median: %s: do not quote",
			       vague.text);
}
