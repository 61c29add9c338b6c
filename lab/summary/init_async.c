/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/init_async.h"

#include "lab/summary/init_samples.h"
#include "lib/minmax.h"
#include "lib/string.h"
#include "mm/init/policy.h"

bool init_is_async(const struct run_sample *run)
{
	return policy_rule(run->policy)->background && !run->timed_out;
}

static uint64_t median(const struct init_results *results, size_t offset)
{
	return init_sum_up(results, POLICY_ASYNC, offset).median;
}

static void sum_up_runs(const struct init_results *results, struct init_async *async)
{
	struct summary waits;

	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];

		if (!init_is_async(run))
			continue;
		async->runs++;
		async->degraded |= run->async.degraded;
	}
	async->first_success_cycles =
		median(results, offsetof(struct run_sample, async.first_success_cycles));
	async->cycles = median(results, offsetof(struct run_sample, cycles));
	async->allocations = median(results, offsetof(struct run_sample, async.allocations));
	async->failures = median(results, offsetof(struct run_sample, async.failures));
	async->min_cycles = median(results, offsetof(struct run_sample, async.min_cycles));
	async->median_cycles = median(results, offsetof(struct run_sample, async.median_cycles));
	async->p99_cycles = median(results, offsetof(struct run_sample, async.p99_cycles));
	async->max_cycles = median(results, offsetof(struct run_sample, async.max_cycles));
	waits = init_sum_up(results, POLICY_ZONE, offsetof(struct run_sample, cycles));
	async->both_known = async->runs && waits.count;
	async->waiting_cycles = waits.median;
}

/* Allocations of all runs by floor(log2(cycles)). */
static uint64_t add_histograms(const struct init_results *results, uint64_t sum[LATENCY_BUCKETS])
{
	uint64_t total = 0;

	memset(sum, 0, LATENCY_BUCKETS * sizeof(*sum));
	for (uint32_t i = 0; i < results->run_count; i++)
		for (uint32_t b = 0; init_is_async(&results->runs[i]) && b < LATENCY_BUCKETS; b++)
			sum[b] += results->runs[i].async.histogram[b];
	for (uint32_t b = 0; b < LATENCY_BUCKETS; b++)
		total += sum[b];
	return total;
}

static void fill_buckets(const struct init_results *results, struct init_async *async)
{
	uint64_t sum[LATENCY_BUCKETS], total = add_histograms(results, sum), so_far = 0;

	for (uint32_t b = 0; b < LATENCY_BUCKETS; b++)
		async->largest = max_u64(async->largest, sum[b]);
	for (uint32_t b = 0; b < LATENCY_BUCKETS; b++) {
		if (!sum[b])
			continue;
		so_far += sum[b];
		async->buckets[async->bucket_count++] = (struct latency_bucket){
			.from_cycles = 1ull << b,
			.end_cycles = b < LATENCY_BUCKETS - 1 ? 2ull << b : UINT64_MAX,
			.allocations = sum[b],
			.share_permille = mul_div_u64(sum[b], 1000, total),
			.up_to_here_permille = mul_div_u64(so_far, 1000, total),
		};
	}
}

void init_sum_up_async(const struct init_results *results, struct init_async *async)
{
	memset(async, 0, sizeof(*async));
	async->policy = POLICY_ASYNC;
	if (results->init_only)
		return;
	sum_up_runs(results, async);
	fill_buckets(results, async);
}
