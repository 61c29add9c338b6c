/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "report/workers/sweep.h"

static uint64_t needs(const struct laboratory *laboratory)
{
	return sweep_bytes(&laboratory->input, LABORATORY_SPARE_RESERVED);
}

static bool run(struct laboratory *laboratory)
{
	return sweep_run(&laboratory->input, laboratory->memory, laboratory->bytes,
			 &laboratory->sweep);
}

static void summarise(struct laboratory *laboratory)
{
	summarise_sweep(&laboratory->sweep_summary, &laboratory->sweep,
			laboratory->topology->node_count);
}

static const char *describe(struct laboratory *laboratory)
{
	report_sweep(laboratory->report, &laboratory->sweep, &laboratory->sweep_summary,
		     laboratory->options, laboratory->topology);
	return laboratory->sweep.verified ? NULL : "a step of the sweep did not pass its checks";
}

const struct experiment experiment_sweep = {
	.id = EXPERIMENT_SWEEP,
	.word = { "sweep", "numbers of workers and sizes of chunks, compared" },
	.needs = needs,
	.run = run,
	.summarise = summarise,
	.describe = describe,
	.not_started = "experiment sweep could not start",
};
