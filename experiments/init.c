/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "report/init/init.h"

static uint64_t now(const struct laboratory *laboratory)
{
	return laboratory->machine->now(laboratory->machine->context);
}

static uint64_t needs(const struct laboratory *laboratory)
{
	return init_bytes(&laboratory->input, LABORATORY_SPARE_RESERVED);
}

static bool run(struct laboratory *laboratory)
{
	laboratory->init_start_tsc = now(laboratory);
	return init_run(&laboratory->input, laboratory->memory, laboratory->bytes,
			&laboratory->init);
}

static void summarise(struct laboratory *laboratory)
{
	laboratory->init_summary = init_summarise(&laboratory->init, laboratory->topology);
}

static const char *describe(struct laboratory *laboratory)
{
	report_init(laboratory->report, &laboratory->init, laboratory->init_summary,
		    laboratory->topology);
	laboratory->init_cycles = now(laboratory) - laboratory->init_start_tsc;
	return laboratory->init.verified ? NULL : "the memmap is not as it must be";
}

const struct experiment experiment_init = {
	.id = EXPERIMENT_INIT,
	.word = { "init", "the policies of memmap initialisation, compared" },
	.unasked = true,
	.needs = needs,
	.run = run,
	.summarise = summarise,
	.describe = describe,
	.not_started = "experiment init could not start",
};
