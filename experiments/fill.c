/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory as the experiments on the page allocator find it: initialised and freed. */
#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "lab/alloc/fill.h"

static bool wanted(const struct options *options)
{
	return options->experiment_chosen[EXPERIMENT_PCP] ||
	       options->experiment_chosen[EXPERIMENT_FREE];
}

static uint64_t needs(const struct laboratory *laboratory)
{
	return fill_bytes(&laboratory->input, LABORATORY_SPARE_RESERVED);
}

/* With workers there was a run, which was not good. */
static bool run(struct laboratory *laboratory)
{
	laboratory->filled = fill_run(&laboratory->input, laboratory->memory, laboratory->bytes,
				      &laboratory->fill);
	return laboratory->filled || laboratory->fill.workers;
}

static const char *describe(struct laboratory *laboratory)
{
	return laboratory->filled ? NULL : "the memmap is not as it must be before the "
					   "experiments on the page allocator";
}

const struct experiment experiment_fill = {
	.id = EXPERIMENT_COUNT,
	.word = { "fill", "memory as an operating system has it after boot" },
	.wanted = wanted,
	.needs = needs,
	.run = run,
	.describe = describe,
	.not_started = "memory could not be filled",
	.passed = "every struct page is as it must be; no page was lost or freed twice",
};
