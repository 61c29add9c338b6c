/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/stream_summary.h"

#include "lab/alloc/stream.h"
#include "lib/stats.h"

enum { RATIO_ONE = 100000, MILLI = 1000 };

/* The rates are size / pace: their harmonic mean is size / mean of the paces. */
static uint64_t mean_rate(uint32_t bytes, uint32_t count, uint64_t paces, uint64_t tsc_hz)
{
	return paces ? mul_div_u64((uint64_t)count * bytes * 8 * MILLI, tsc_hz, paces) : 0;
}

void stream_add_counters(struct stream_counters *sum, const struct stream_counters *one)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)one;

	for (uint64_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += from[i];
}

void stream_summarise(const struct stream_results *results, uint64_t tsc_hz, uint32_t setting,
		      uint32_t way, uint32_t size, struct stream_summary *summary)
{
	uint64_t ratios[BOOTSTRAP_VALUES_MAX], paces = 0, baseline_paces = 0;

	*summary = (struct stream_summary){ 0 };
	for (uint32_t i = 0; i < results->repeat && summary->count < BOOTSTRAP_VALUES_MAX; i++) {
		const struct stream_sample *one = stream_sample(results, setting, way, size, i);
		uint64_t own = one->burst_millicycles;
		uint64_t other = stream_sample(results, setting, 0, size, i)->burst_millicycles;

		summary->messages += one->messages;
		stream_add_counters(&summary->counters, &one->counters);
		if (!own || !other)
			continue;
		ratios[summary->count++] = mul_div_u64(other, RATIO_ONE, own);
		paces += own;
		baseline_paces += other;
	}
	if (!summary->count)
		return;
	summary->millicycles = paces / summary->count;
	summary->bits_per_second = mean_rate(stream_sizes[size], summary->count, paces, tsc_hz);
	summary->baseline_bps =
		mean_rate(stream_sizes[size], summary->count, baseline_paces, tsc_hz);
	summary->ratio = bootstrap_median(ratios, summary->count);
}

int64_t stream_change(const struct stream_summary *summary)
{
	enum { WHOLE = 10000 };

	if (!summary->baseline_bps)
		return 0;
	return (int64_t)mul_div_u64(summary->bits_per_second, WHOLE, summary->baseline_bps) -
	       WHOLE;
}
