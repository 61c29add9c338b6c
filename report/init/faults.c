/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/faults.h"

#include "lib/format.h"
#include "mm/init/policy.h"
#include "report/text.h"

enum { PREFIX_BYTES = REPORT_CELL + 16 };

/* The beginning of a line that names a fault. */
static const char *fault_of(char to[PREFIX_BYTES], const struct run_verdict *verdict)
{
	format(to, PREFIX_BYTES, "FAULT: %s, run %u:", policy_name(verdict->policy),
	       verdict->repetition);
	return to;
}

void report_memmap_faults(const struct report *report, const struct run_verdict *verdict)
{
	const struct verify_totals *totals = &verdict->totals;
	char fault[PREFIX_BYTES];

	fault_of(fault, verdict);
	if (verdict->timed_out) {
		report_line(report, "%s not all workers came to the barrier in time", fault);
		return;
	}
	if (totals->mismatches)
		report_line(report, "%s %llu %s wrong, the first pfn 0x%llx: field %s", fault,
			    (unsigned long long)totals->mismatches,
			    totals->mismatches == 1 ? "page" : "pages",
			    (unsigned long long)verdict->bad_pfn, verdict->bad_field);
	if (verdict->miscounted)
		report_line(report, "%s the numbers of frames are not as expected", fault);
	if (!verdict->tiled)
		report_line(report, "%s pfn 0x%llx not initialised exactly once", fault,
			    (unsigned long long)verdict->unclaimed_pfn);
}

/* ---- page allocator ------------------------------------------------------------------------- */

static void list_lines(const struct report *report, const struct run_verdict *verdict)
{
	const struct allocator_sample *sample = &verdict->allocator;
	char fault[PREFIX_BYTES];

	fault_of(fault, verdict);
	if (verdict->allocator_faults.lists && sample->census.first_bad_pfn != BUDDY_NONE)
		report_line(report, "%s %llu faults in the free lists, the first at pfn 0x%llx",
			    fault, (unsigned long long)sample->census.faults,
			    (unsigned long long)sample->census.first_bad_pfn);
	else if (verdict->allocator_faults.lists)
		report_line(report, "%s %llu faults in the free lists", fault,
			    (unsigned long long)sample->census.faults);
	if (verdict->allocator_faults.totals)
		report_line(report, "%s %llu pages free, %llu managed, %llu expected", fault,
			    (unsigned long long)sample->census.free_pages,
			    (unsigned long long)sample->census.managed_pages,
			    (unsigned long long)sample->expected_free_pages);
}

static void counter_lines(const struct report *report, const struct run_verdict *verdict)
{
	const struct allocator_sample *sample = &verdict->allocator;
	char fault[PREFIX_BYTES];

	fault_of(fault, verdict);
	if (verdict->allocator_faults.pageblocks)
		report_line(report, "%s %llu of %llu pageblocks typed, %llu typed twice", fault,
			    (unsigned long long)sample->pageblocks,
			    (unsigned long long)sample->expected_pageblocks,
			    (unsigned long long)sample->typed_twice);
	if (verdict->allocator_faults.poison_reads)
		report_line(report, "%s %llu merges read a struct page before it was initialised",
			    fault, (unsigned long long)sample->poison_reads);
	if (verdict->allocator_faults.double_frees)
		report_line(report, "%s %llu pages freed that were free", fault,
			    (unsigned long long)sample->double_frees);
}

void report_allocator_faults(const struct report *report, const struct run_verdict *verdict)
{
	const struct allocator_sample *sample = &verdict->allocator;
	char fault[PREFIX_BYTES];

	list_lines(report, verdict);
	counter_lines(report, verdict);
	fault_of(fault, verdict);
	for (uint32_t i = 0; i < EXERCISES; i++)
		if (verdict->allocator_faults.exercises[i])
			report_line(report,
				    "%s order %u: %llu pages handed out, %llu of them twice; "
				    "lists %s",
				    fault, exercise_order(i),
				    (unsigned long long)sample->taken_pages[i],
				    (unsigned long long)sample->taken_twice[i],
				    sample->restored[i] ? "restored" : "not as before");
}

void report_failed_run(const struct report *report, const struct run_sample *run,
		       const struct verify_totals *expected, bool init_only)
{
	struct run_verdict verdict = judge_run(run, expected, init_only);

	report_memmap_faults(report, &verdict);
	if (!init_only && !run->timed_out)
		report_allocator_faults(report, &verdict);
}
