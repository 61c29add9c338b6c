#include "mm/policy.h"

static const struct policy_rule rules[POLICY_COUNT] = {
	[POLICY_SERIAL] = { WORKERS_BOOT, JOB_PER_ZONE, PASS_FUSED, false, false },
	[POLICY_NODE] = { WORKERS_ONE, JOB_PER_RANGE, PASS_FUSED, false, false },
	[POLICY_KTASK] = { WORKERS_QUARTER, JOB_PER_RANGE, PASS_TWO, true, false },
	[POLICY_PADATA] = { WORKERS_ALL, JOB_PER_RANGE, PASS_FUSED, false, false },
	[POLICY_ZONE] = { WORKERS_ALL, JOB_PER_ZONE, PASS_FUSED, false, false },
	[POLICY_LAZY] = { WORKERS_ALL, JOB_PER_ZONE, PASS_LAZY, false, false },
	[POLICY_ASYNC] = { WORKERS_ALL, JOB_PER_ZONE, PASS_FUSED, false, true },
};

const struct policy_rule *policy_rule(enum policy policy)
{
	return &rules[policy];
}
