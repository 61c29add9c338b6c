/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/alloc_faults.h"

#include "report/alloc/pcp_fields.h"
#include "report/init/disturbance.h"

const char *alloc_refused(struct laboratory *laboratory)
{
	const struct page_allocator *allocator = &laboratory->allocator;

	report_free_fault(laboratory->report, &allocator->fault, allocator->pcp);
	free_fault_text(laboratory->fault, sizeof(laboratory->fault), &allocator->fault,
			allocator->pcp);
	return laboratory->fault;
}

void alloc_begin(struct laboratory *laboratory)
{
	laboratory->machine->disturbance(laboratory->machine->context, &laboratory->before);
}

void alloc_end(const struct laboratory *laboratory)
{
	struct disturbance after;

	laboratory->machine->disturbance(laboratory->machine->context, &after);
	report_disturbed(laboratory->report, &laboratory->before, &after);
}
