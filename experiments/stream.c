/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages between two CPUs, the second part of experiment pcp. */
#include "experiments/alloc_faults.h"
#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "lib/format.h"
#include "report/alloc/stream.h"

static bool wanted(const struct options *options)
{
	return options->experiment_chosen[EXPERIMENT_PCP];
}

static uint64_t needs(const struct laboratory *laboratory)
{
	return stream_bytes(&laboratory->alloc_input);
}

static bool run(struct laboratory *laboratory)
{
	return stream_run(&laboratory->alloc_input, laboratory->memory, laboratory->bytes,
			  &laboratory->stream);
}

static const char *describe(struct laboratory *laboratory)
{
	const struct stream_results *r = &laboratory->stream;

	if (r->free_fault)
		return alloc_refused(laboratory);
	if (r->fault) {
		format(laboratory->fault, sizeof(laboratory->fault), "%s: pcp=%s, stream",
		       r->fault, pcp_name(r->fault_way));
		return laboratory->fault;
	}
	report_stream(laboratory->report, r);
	alloc_end(laboratory);
	return NULL;
}

const struct experiment experiment_stream = {
	.id = EXPERIMENT_COUNT,
	.word = { "stream", "messages between two CPUs, under each way" },
	.wanted = wanted,
	.needs = needs,
	.run = run,
	.describe = describe,
	.not_started = "workload stream could not start",
};
