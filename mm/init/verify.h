/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The oracle: what every struct page must be, worked out again from the topology and the
 * reservations, without the plan by which they were initialised.
 */
#include <stdatomic.h>
#include <stdint.h>

#include "lib/range.h"
#include "mm/machine/memmap.h"
#include "mm/machine/page.h"
#include "mm/machine/topology.h"

struct verify_totals {
	uint64_t pages[FRAME_KINDS];
	uint64_t mismatches;
	uint64_t first_bad_pfn;      /* UINT64_MAX: none */
	/* "node", "zone", "section", "refcount", "kind", "order" (of a free block: none where there
	 * should be one, or one where there should be none), "poison" (of a lazy block: somebody
	 * has touched a struct page in it), "other" */
	const char *first_bad_field;
};

/* What has been done to the free frames. */
enum verify_stage {
	VERIFY_INITIALISED, /* refcount 1 */
	VERIFY_FREED,       /* all of them are with the page allocator, merged as far as can be */
	VERIFY_FREED_LAZY,  /* the same, but of whole blocks of 4 MiB only the head is initialised
			     * and all else poison, if the head says so (PG_LAZY) */
};

struct verify_job {
	const struct memmap *memmap;
	const struct topology *topology;
	const struct range_list *reserved; /* frames */
	enum verify_stage stage;
};

/* Nothing counted yet, nothing bad found. */
void verify_totals_init(struct verify_totals *totals);

/* Checks sections [first, end) of memmap->sections; adds to `totals`, which one worker owns.
 * Frames are counted under the kind that their struct page claims. Free blocks are looked at one by
 * one; whether the allocator's lists hold them is for buddy_census to say. */
void verify_sections(const struct verify_job *job, uint64_t first, uint64_t end,
		     struct verify_totals *totals);

/* The same for descriptors of 56, 40, 32, 16 or 8 bytes, which lie and look as chunk.h says;
 * only in VERIFY_INITIALISED. */
void verify_sized(const struct verify_job *job, uint32_t descriptor_bytes, uint64_t first,
		  uint64_t end, struct verify_totals *totals);

/* Adds `other` to `totals`, keeping the lower first bad frame. */
void verify_totals_add(struct verify_totals *totals, const struct verify_totals *other);

/* The sums that the frames must come to, from the ranges alone (no struct page is read);
 * `totals` is overwritten. */
void verify_expected(const struct verify_job *job, struct verify_totals *totals);
