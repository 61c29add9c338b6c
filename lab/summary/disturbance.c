/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/disturbance.h"

struct init_disturbed init_disturbed(const struct init_results *results, enum policy policy)
{
	struct init_disturbed sum = { .policy = policy };
	uint64_t permille[REPEAT_MAX];
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];

		if (run->policy != policy || run->timed_out)
			continue;
		sum.runs++;
		if (run->smi != DISTURBANCE_UNKNOWN) {
			sum.smi_known++;
			sum.smi_hit += run->smi != 0;
			sum.smi += run->smi;
		}
		if (run->aperf != DISTURBANCE_UNKNOWN && run->mperf != DISTURBANCE_UNKNOWN &&
		    run->mperf && count < REPEAT_MAX)
			permille[count++] = mul_div_u64(run->aperf, 1000, run->mperf);
	}
	sum.permille = stats_summary(permille, count);
	return sum;
}

static uint64_t permille_of_nominal(const struct disturbance *before,
				    const struct disturbance *after)
{
	if (before->aperf == DISTURBANCE_UNKNOWN || before->mperf == DISTURBANCE_UNKNOWN ||
	    after->mperf <= before->mperf)
		return 0;
	return mul_div_u64(after->aperf - before->aperf, 1000, after->mperf - before->mperf);
}

struct cpu_disturbed cpu_disturbed(const struct disturbance *before,
				   const struct disturbance *after)
{
	struct cpu_disturbed sum = { .permille = permille_of_nominal(before, after) };

	sum.smi_known = before->smi != DISTURBANCE_UNKNOWN;
	if (sum.smi_known)
		sum.smi = after->smi - before->smi;
	return sum;
}
