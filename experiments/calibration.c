/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of workers for the policies that are told, from firmware and measurement. */
#include "experiments/experiment.h"
#include "experiments/how_many.h"
#include "experiments/laboratory.h"
#include "report/workers/calibration.h"

static uint64_t needs(const struct laboratory *laboratory)
{
	return calibrate_bytes(&laboratory->input, LABORATORY_SPARE_RESERVED);
}

static bool run(struct laboratory *laboratory)
{
	struct calibrate_input input = { &laboratory->input, laboratory->tsc_hz, true };

	if (!calibrate_run(&input, laboratory->memory, laboratory->bytes, &laboratory->calibration))
		return false;
	laboratory->input.memmap_written = true;
	return true;
}

static void summarise(struct laboratory *laboratory)
{
	struct rule_numbers *numbers = &laboratory->rule_numbers;
	struct worker_facts facts = {
		.topology = laboratory->topology,
		.hmat = laboratory->hmat,
		.core_mbps = laboratory->options->core_mbps,
		.measured_mbps = laboratory->calibration.core_mbps,
		.curves = laboratory->calibration.curves,
	};

	rule_numbers_find(numbers, &facts);
	worker_verdict_begin(&laboratory->worker_verdict, laboratory->topology, numbers);
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		laboratory->input.worker_counts[policy] =
			rule_numbers_for(numbers, (enum policy)policy);
}

static const char *describe(struct laboratory *laboratory)
{
	report_calibration(laboratory->report, &laboratory->calibration, laboratory->topology);
	return NULL;
}

const struct experiment experiment_calibration = {
	.id = EXPERIMENT_COUNT,
	.word = { "calibration", "what one core writes, and how many help" },
	.wanted = asks_how_many,
	.needs = needs,
	.run = run,
	.summarise = summarise,
	.describe = describe,
	.not_started = "the calibration could not start",
};
