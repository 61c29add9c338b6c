/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/stream.h"

#include "lib/stats.h"

enum { MILLI = 1000, WHOLE_CENTIPERCENT = 10000 };

/* ---- sums ----------------------------------------------------------------------------------- */

static void add_slices(struct stream_sums *sums, const struct stream_results *results,
		       uint32_t setting, uint32_t way, uint32_t size)
{
	uint64_t *to = (uint64_t *)&sums->counters;

	for (uint32_t i = 0; i < results->repeat; i++) {
		const struct stream_sample *one = stream_sample(results, setting, way, size, i);
		const uint64_t *from = (const uint64_t *)&one->counters;

		sums->messages += one->messages;
		sums->page_calls +=
			one->counters.page_allocations + one->counters.page_frees;
		for (uint64_t k = 0; k < sizeof(sums->counters) / sizeof(*to); k++)
			to[k] += from[k];
	}
}

struct stream_sums stream_sum(const struct stream_results *results, uint32_t setting, uint32_t way,
			      uint32_t size)
{
	struct stream_sums sums = { .way = results->ways[way] };

	add_slices(&sums, results, setting, way, size);
	return sums;
}

struct stream_sums stream_sum_all(const struct stream_results *results, uint32_t setting,
				  uint32_t way)
{
	struct stream_sums sums = { .way = results->ways[way] };

	for (uint32_t size = 0; size < STREAM_SIZES; size++)
		add_slices(&sums, results, setting, way, size);
	return sums;
}

/* ---- rates ---------------------------------------------------------------------------------- */

/* The rates are size / pace: their harmonic mean is size / mean of the paces. */
static uint64_t mean_rate(uint32_t bytes, uint32_t count, uint64_t paces, uint64_t tsc_hz)
{
	return paces ? mul_div_u64((uint64_t)count * bytes * 8 * MILLI, tsc_hz, paces) : 0;
}

static int64_t change(uint64_t rate, uint64_t baseline)
{
	if (!baseline)
		return 0;
	return (int64_t)mul_div_u64(rate, WHOLE_CENTIPERCENT, baseline) - WHOLE_CENTIPERCENT;
}

static int64_t change_of_ratio(uint64_t ratio)
{
	return ((int64_t)ratio - STREAM_RATIO_ONE) / (STREAM_RATIO_ONE / WHOLE_CENTIPERCENT);
}

/* Paces under a way and under order0 in the same slice. */
struct paces {
	uint64_t ratios[BOOTSTRAP_VALUES_MAX];
	uint64_t own, baseline; /* sums */
	uint32_t count;
};

static void take_paces(struct paces *paces, const struct stream_results *results, uint32_t setting,
		       uint32_t way, uint32_t size)
{
	for (uint32_t i = 0; i < results->repeat && paces->count < BOOTSTRAP_VALUES_MAX; i++) {
		uint64_t own = stream_sample(results, setting, way, size, i)->burst_millicycles;
		uint64_t other = stream_sample(results, setting, 0, size, i)->burst_millicycles;

		if (!own || !other)
			continue;
		paces->ratios[paces->count++] = mul_div_u64(other, STREAM_RATIO_ONE, own);
		paces->own += own;
		paces->baseline += other;
	}
}

void stream_summarise(const struct stream_results *results, uint64_t tsc_hz, uint32_t setting,
		      uint32_t way, uint32_t size, struct stream_summary *summary)
{
	struct paces paces = { .count = 0 };

	*summary = (struct stream_summary){
		.setting = results->settings[setting],
		.message_bytes = stream_sizes[size],
		.way = results->ways[way],
		.compared = way > 0,
		.sums = stream_sum(results, setting, way, size),
	};
	for (int i = 0; i < STREAM_PUBLICATIONS; i++)
		summary->published_centipercent[i] =
			stream_published_centipercent(size, (enum stream_publication)i);
	take_paces(&paces, results, setting, way, size);
	if (!paces.count)
		return;
	summary->count = paces.count;
	summary->millicycles = paces.own / paces.count;
	summary->bits_per_second = mean_rate(stream_sizes[size], paces.count, paces.own, tsc_hz);
	summary->baseline_bps =
		mean_rate(stream_sizes[size], paces.count, paces.baseline, tsc_hz);
	summary->change_centipercent = change(summary->bits_per_second, summary->baseline_bps);
	summary->ratio = bootstrap_median(paces.ratios, paces.count);
	summary->low_centipercent = change_of_ratio(summary->ratio.low);
	summary->high_centipercent = change_of_ratio(summary->ratio.high);
}

bool stream_known(const struct stream_results *results, uint32_t setting, uint32_t way)
{
	struct stream_summary summary;

	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		stream_summarise(results, 1, setting, way, size, &summary);
		if (summary.ratio.known)
			return true;
	}
	return false;
}
