/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/alloc_faults.h"
#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "lib/format.h"
#include "report/alloc/free.h"

static uint64_t needs(const struct laboratory *laboratory)
{
	return free_bytes(&laboratory->alloc_input);
}

static bool run(struct laboratory *laboratory)
{
	alloc_begin(laboratory);
	return free_run(&laboratory->alloc_input, laboratory->memory, laboratory->bytes,
			&laboratory->free);
}

static const char *fault_of(struct laboratory *laboratory)
{
	const struct free_results *r = &laboratory->free;

	if (r->free_fault.kind != FREE_FAULT_NONE)
		return alloc_refused(laboratory);
	if (r->fault && r->fault_row < r->row_count) {
		format(laboratory->fault, sizeof(laboratory->fault), "%s: free=%s", r->fault,
		       free_way_name(r->rows[r->fault_row].way));
		return laboratory->fault;
	}
	return r->fault;
}

static const char *describe(struct laboratory *laboratory)
{
	const char *fault;

	report_free(laboratory->report, &laboratory->free);
	fault = fault_of(laboratory);
	if (!fault)
		alloc_end(laboratory);
	return fault;
}

const struct experiment experiment_free = {
	.id = EXPERIMENT_FREE,
	.word = { "free", "ways of freeing a huge mapping in parallel" },
	.needs = needs,
	.run = run,
	.describe = describe,
	.not_started = "experiment free could not start",
};
