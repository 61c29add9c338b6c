/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of workers that the rules give, run one against the other. */
#include "experiments/experiment.h"
#include "experiments/how_many.h"
#include "experiments/laboratory.h"
#include "lib/minmax.h"
#include "report/workers/compare_rules.h"

/* What it may take, or as long as experiment init took. */
enum { AT_LEAST_S = 60 };

/* Experiment bandwidth alone leaves the rules without times. */
static bool wanted(const struct options *options)
{
	return asks_how_many(options) && (options->experiment_chosen[EXPERIMENT_INIT] ||
					  options->experiment_chosen[EXPERIMENT_SWEEP]);
}

static uint64_t needs(const struct laboratory *laboratory)
{
	return compare_bytes(&laboratory->input, LABORATORY_SPARE_RESERVED);
}

static bool run(struct laboratory *laboratory)
{
	struct compare_input input = {
		.init = &laboratory->input,
		.workers = (const uint32_t (*)[NODE_MAX])laboratory->rule_numbers.workers,
		.limit_cycles = max_u64(laboratory->init_cycles, AT_LEAST_S * laboratory->tsc_hz),
	};

	return compare_run(&input, laboratory->memory, laboratory->bytes,
			   &laboratory->comparison);
}

static void summarise(struct laboratory *laboratory)
{
	worker_verdict_add(&laboratory->worker_verdict, &laboratory->comparison);
}

static const char *describe(struct laboratory *laboratory)
{
	report_comparison(laboratory->report, &laboratory->comparison, laboratory->topology);
	return laboratory->comparison.verified ? NULL :
						 "a run of the comparison did not pass its checks";
}

const struct experiment experiment_comparison = {
	.id = EXPERIMENT_COUNT,
	.word = { "comparison", "the rules' numbers of workers, one against the other" },
	.wanted = wanted,
	.needs = needs,
	.run = run,
	.summarise = summarise,
	.describe = describe,
	.not_started = "the comparison could not start",
};
