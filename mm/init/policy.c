/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/policy.h"

static const struct policy_rule rules[POLICY_COUNT] = {
	[POLICY_SERIAL] = { .workers = WORKERS_BOOT, .jobs = JOB_PER_ZONE, .passes = PASS_FUSED },
	[POLICY_NODE] = { .workers = WORKERS_ONE, .jobs = JOB_PER_RANGE, .passes = PASS_FUSED },
	[POLICY_KTASK] = { .workers = WORKERS_QUARTER, .jobs = JOB_PER_RANGE, .passes = PASS_TWO,
			   .count_at_end = true },
	[POLICY_PADATA] = { .workers = WORKERS_ALL, .jobs = JOB_PER_RANGE, .passes = PASS_FUSED },
	[POLICY_ZONE] = { .workers = WORKERS_ALL, .jobs = JOB_PER_ZONE, .passes = PASS_FUSED },
	[POLICY_LAZY] = { .workers = WORKERS_ALL, .jobs = JOB_PER_ZONE, .passes = PASS_LAZY },
	[POLICY_ASYNC] = { .workers = WORKERS_ALL, .jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
			   .background = true },
	[POLICY_CORES] = { .workers = WORKERS_CORES, .jobs = JOB_PER_ZONE, .passes = PASS_FUSED },
	[POLICY_HMAT] = { .workers = WORKERS_GIVEN, .jobs = JOB_PER_ZONE, .passes = PASS_FUSED },
	[POLICY_CALIBRATED] = { .workers = WORKERS_GIVEN, .jobs = JOB_PER_ZONE,
				.passes = PASS_FUSED },
	[POLICY_AUTO] = { .workers = WORKERS_GIVEN, .jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
			  .best_stores = true, .shares = true },
};

const struct policy_rule *policy_rule(enum policy policy)
{
	return &rules[policy];
}
