/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/stream_verdict.h"

#include "lab/summary/stream_published.h"
#include "lib/stats.h"

enum { WHOLE_CENTIPERCENT = 10000, MILLI = 1000 };

static void take_size(struct stream_gains *gains, const struct stream_summary *s, uint32_t size)
{
	int64_t change = s->change_centipercent;

	if (!gains->figures || change < gains->least_centipercent)
		gains->least_centipercent = change;
	if (!gains->figures || change > gains->most_centipercent)
		gains->most_centipercent = change;
	gains->figures++;
	gains->reached += change >= stream_published_centipercent(size, STREAM_TWO_SOCKETS);
	gains->faster += s->ratio.low > STREAM_RATIO_ONE;
	gains->slower += s->ratio.high < STREAM_RATIO_ONE;
}

struct stream_gains stream_gains(const struct stream_results *results, uint64_t tsc_hz,
				 uint32_t setting, uint32_t way)
{
	struct stream_gains gains = { .way = results->ways[way] };

	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_summary s;

		stream_summarise(results, tsc_hz, setting, way, size, &s);
		if (s.ratio.known)
			take_size(&gains, &s, size);
	}
	return gains;
}

uint32_t stream_lead(const struct stream_results *results)
{
	uint32_t lead = 0;

	while (lead < results->setting_count && !stream_known(results, lead, 0))
		lead++;
	return lead;
}

/* The samples of a setting that was given up after fewer repetitions are not all measured. */
struct stream_gaps stream_gaps(const struct stream_results *results)
{
	struct stream_gaps gaps = { 0 };

	for (uint32_t setting = 0; setting < results->setting_count; setting++) {
		uint32_t repetitions = results->settings[setting].repetitions;

		for (uint32_t i = 0; i < results->way_count * STREAM_SIZES * repetitions; i++) {
			const struct stream_sample *one =
				stream_sample(results, setting, i % results->way_count,
					      i / results->way_count % STREAM_SIZES,
					      i / results->way_count / STREAM_SIZES);

			gaps.starved += one->starved > 0;
			gaps.slow += !one->starved && !one->burst_millicycles;
			gaps.slices++;
		}
	}
	return gaps;
}

/* Time per message, times 1 - 1 / (1 + gain), over calls per message. */
bool stream_needed_cycles(const struct stream_summary *order0, uint32_t size, uint64_t *cycles)
{
	uint64_t gain = (uint64_t)stream_published_centipercent(size, STREAM_TWO_SOCKETS);
	uint64_t saved = mul_div_u64(order0->millicycles, gain, WHOLE_CENTIPERCENT + gain) / MILLI;

	if (!order0->sums.page_calls || !saved)
		return false;
	*cycles = mul_div_u64(saved, order0->sums.messages, order0->sums.page_calls);
	return true;
}
