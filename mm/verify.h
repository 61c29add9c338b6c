#pragma once
/*
 * The oracle: what every struct page must be, worked out again from the topology and the
 * reservations, without the plan by which they were initialised.
 */
#include <stdatomic.h>
#include <stdint.h>

#include "lib/range.h"
#include "mm/memmap.h"
#include "mm/page.h"
#include "mm/topology.h"

struct verify_totals {
	uint64_t pages[FRAME_KINDS];
	uint64_t mismatches;
	uint64_t first_bad_pfn;      /* UINT64_MAX: none */
	const char *first_bad_field; /* "node", "zone", "section", "refcount", "kind", "other" */
};

struct verify_job {
	const struct memmap *memmap;
	const struct topology *topology;
	const struct range_list *reserved; /* frames */
};

/* Nothing counted yet, nothing bad found. */
void verify_totals_init(struct verify_totals *totals);

/* Checks sections [first, end) of memmap->sections; adds to `totals`, which one worker owns.
 * Frames are counted under the kind that their struct page claims. */
void verify_sections(const struct verify_job *job, uint64_t first, uint64_t end,
		     struct verify_totals *totals);

/* Adds `other` to `totals`, keeping the lower first bad frame. */
void verify_totals_add(struct verify_totals *totals, const struct verify_totals *other);

/* The sums that the frames must come to, from the ranges alone (no struct page is read);
 * `totals` is overwritten. */
void verify_expected(const struct verify_job *job, struct verify_totals *totals);
