/* SPDX-License-Identifier: GPL-2.0-only */
/* The published workloads. */
#include "experiments/alloc_faults.h"
#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "lib/format.h"
#include "report/alloc/pcp.h"

/* What they take, about; and at most, where CPUs stand still. */
static const struct pcp_limits limits = {
	.slice_us = 2000, .total_ms = 20000, .latest_ms = 40000
};

static uint64_t needs(const struct laboratory *laboratory)
{
	return pcp_bytes(&laboratory->alloc_input);
}

static bool run(struct laboratory *laboratory)
{
	alloc_begin(laboratory);
	return pcp_run(&laboratory->alloc_input, &limits, laboratory->memory, laboratory->bytes,
		       &laboratory->pcp);
}

static const char *describe(struct laboratory *laboratory)
{
	const struct pcp_results *r = &laboratory->pcp;

	if (r->free_fault)
		return alloc_refused(laboratory);
	if (r->fault) {
		format(laboratory->fault, sizeof(laboratory->fault), "%s: pcp=%s, %s", r->fault,
		       pcp_name(r->fault_way), pcp_bench_name(r->fault_bench));
		return laboratory->fault;
	}
	report_pcp(laboratory->report, r);
	return NULL;
}

const struct experiment experiment_pcp = {
	.id = EXPERIMENT_PCP,
	.word = { "pcp", "ways of keeping pages per CPU, and messages that use them" },
	.needs = needs,
	.run = run,
	.describe = describe,
	.not_started = "experiment pcp could not start",
};
