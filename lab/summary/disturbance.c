/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/disturbance.h"

#include "lab/summary/init_samples.h"
#include "lab/summary/thresholds.h"
#include "lib/minmax.h"

/* A pause of the whole machine leaves no trace but the time that is missing. */
static void find_stalls(const struct init_results *results, struct init_disturbed *sum)
{
	struct summary all = init_sum_up(results, sum->policy, offsetof(struct run_sample, cycles));

	for (uint32_t i = 0; i < results->run_count && all.count >= THRESHOLD_STALL_RUNS; i++) {
		const struct run_sample *run = &results->runs[i];

		if (!init_is_warm(run, sum->policy) ||
		    run->cycles / THRESHOLD_STALL_FACTOR < all.median)
			continue;
		sum->stalled++;
		sum->stalled_cycles = max_u64(sum->stalled_cycles, run->cycles - all.median);
	}
}

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
	find_stalls(results, &sum);
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
