/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What is wrong with a run, and with the page allocator after it. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/run/sample.h"

struct allocator_faults {
	bool lists;                /* the census found faults in the free lists */
	bool totals;               /* free, managed and expected pages are not the same number */
	bool pageblocks;           /* not all typed, or some twice */
	bool poison_reads;         /* a merge read a struct page before it was initialised */
	bool double_frees;
	bool exercises[EXERCISES]; /* not all handed out, some twice, or not as before afterwards */
	bool any;
};

struct allocator_faults allocator_faults(const struct allocator_sample *sample);

struct run_verdict {
	enum policy policy;
	uint32_t repetition;
	bool timed_out;       /* then nothing else was looked at */
	bool tiled;           /* every chunk claimed exactly once */
	bool miscounted;      /* no page is wrong, but their numbers are not as expected */
	bool unexplained;     /* the lab found a fault, and none of these shows it */
	bool memmap_good;
	bool allocator_good;  /* false where it was not looked at */
	struct verify_totals totals;
	uint64_t bad_pfn;     /* the first wrong one; UINT64_MAX: none is known */
	const char *bad_field; /* of its struct page, or "claim"; NULL: none */
	uint64_t unclaimed_pfn; /* where not tiled: first frame missing or claimed twice */
	struct allocator_sample allocator;
	struct allocator_faults allocator_faults;
};

/* `expected`: the numbers of frames. `init_only`: the page allocator was not used. */
struct run_verdict judge_run(const struct run_sample *run, const struct verify_totals *expected,
			     bool init_only);
