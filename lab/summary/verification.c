/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/verification.h"

#include <stddef.h>

static bool exercise_failed(const struct allocator_sample *sample, uint32_t which)
{
	return sample->exercised && (sample->taken_pages[which] != sample->expected_free_pages ||
				     sample->taken_twice[which] || !sample->restored[which]);
}

struct allocator_faults allocator_faults(const struct allocator_sample *sample)
{
	struct allocator_faults faults = {
		.lists = sample->census.faults,
		.totals = sample->census.free_pages != sample->expected_free_pages ||
			  sample->census.managed_pages != sample->expected_free_pages,
		.pageblocks = sample->pageblocks != sample->expected_pageblocks ||
			      sample->typed_twice,
		.poison_reads = sample->poison_reads,
		.double_frees = sample->double_frees,
	};

	faults.any = faults.lists || faults.totals || faults.pageblocks || faults.poison_reads ||
		     faults.double_frees;
	for (uint32_t i = 0; i < EXERCISES; i++) {
		faults.exercises[i] = exercise_failed(sample, i);
		faults.any |= faults.exercises[i];
	}
	return faults;
}

static bool totals_equal(const struct verify_totals *a, const struct verify_totals *b)
{
	for (int kind = 0; kind < FRAME_KINDS; kind++)
		if (a->pages[kind] != b->pages[kind])
			return false;
	return true;
}

/* The first thing that is wrong with the memmap. */
static void find_bad_pfn(const struct run_sample *run, struct run_verdict *verdict)
{
	const struct verify_totals *totals = &run->totals;

	verdict->bad_pfn = UINT64_MAX;
	if (run->timed_out)
		return;
	if (totals->mismatches) {
		verdict->bad_pfn = totals->first_bad_pfn;
		verdict->bad_field = totals->first_bad_field ? totals->first_bad_field : "other";
	} else if (!run->tiled) {
		verdict->bad_pfn = run->bad_pfn;
		verdict->bad_field = "claim";
	}
}

struct run_verdict judge_run(const struct run_sample *run, const struct verify_totals *expected,
			     bool init_only)
{
	struct run_verdict verdict = {
		.policy = run->policy,
		.repetition = run->repetition,
		.timed_out = run->timed_out,
		.tiled = run->tiled,
		.miscounted = !run->totals.mismatches && !totals_equal(&run->totals, expected),
		.totals = run->totals,
		.unclaimed_pfn = run->bad_pfn,
		.allocator = run->allocator,
		.allocator_faults = allocator_faults(&run->allocator),
	};

	find_bad_pfn(run, &verdict);
	verdict.memmap_good = !run->timed_out && run->tiled && !run->totals.mismatches &&
			      !verdict.miscounted;
	verdict.allocator_good = !run->timed_out && !init_only && !verdict.allocator_faults.any;
	verdict.unexplained = !run->good && verdict.memmap_good &&
			      (init_only || verdict.allocator_good);
	return verdict;
}
