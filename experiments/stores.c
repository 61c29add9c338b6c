/* SPDX-License-Identifier: GPL-2.0-only */
/* Which store kernels the runs use; tried where there is a choice. */
#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "report/init/stores.h"

static bool always(const struct options *options)
{
	(void)options;
	return true;
}

static uint64_t needs(const struct laboratory *laboratory)
{
	return store_trial_bytes(&laboratory->input, &laboratory->features,
				 LABORATORY_SPARE_RESERVED);
}

static bool run(struct laboratory *laboratory)
{
	struct store_trials *trials = &laboratory->store_trials;
	struct lab_input *input = &laboratory->input;

	if (!store_trial_run(input, &laboratory->features, laboratory->memory, laboratory->bytes,
			     trials))
		return false;
	input->stores = trials->choice[0];
	input->kind_stores = trials->choice;
	input->best_stores = trials->best;
	input->memmap_written = trials->tried;
	return true;
}

static const char *describe(struct laboratory *laboratory)
{
	report_stores(laboratory->report, &laboratory->store_trials, laboratory->topology);
	return laboratory->store_trials.verified ? NULL : "a store kernel did not pass the checks";
}

const struct experiment experiment_stores = {
	.id = EXPERIMENT_COUNT,
	.word = { "stores", "which instructions fill struct pages" },
	.wanted = always,
	.needs = needs,
	.run = run,
	.describe = describe,
	.not_started = "the store kernels could not be tried",
};
