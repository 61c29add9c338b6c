/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "report/workers/bandwidth.h"

/* An eighth of the free memory at most, about half a minute. */
enum { SHARE = 8, SLICE_US = 20000, TOTAL_MS = 30000 };

static struct bandwidth_input input_of(const struct laboratory *laboratory)
{
	return (struct bandwidth_input){
		.machine = laboratory->machine,
		.topology = laboratory->topology,
		.reserved = laboratory->reserved,
		.base = laboratory->base,
		.store = laboratory->input.stores.alone,
		.tsc_hz = laboratory->tsc_hz,
		.share = SHARE,
		.slice_us = SLICE_US,
		.total_ms = TOTAL_MS,
	};
}

static uint64_t needs(const struct laboratory *laboratory)
{
	struct bandwidth_input input = input_of(laboratory);

	return bandwidth_bytes(&input);
}

static bool run(struct laboratory *laboratory)
{
	struct bandwidth_input input = input_of(laboratory);

	return bandwidth_run(&input, laboratory->memory, laboratory->bytes,
			     &laboratory->bandwidth);
}

static const char *describe(struct laboratory *laboratory)
{
	report_bandwidth(laboratory->report, &laboratory->bandwidth, laboratory->topology);
	return NULL;
}

const struct experiment experiment_bandwidth = {
	.id = EXPERIMENT_BANDWIDTH,
	.word = { "bandwidth", "what memory gives to cores and to their siblings" },
	.needs = needs,
	.run = run,
	.describe = describe,
	.not_started = "experiment bandwidth could not start",
};
