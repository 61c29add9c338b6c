/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which memory backs the memmap of a section. */
#include <stdbool.h>
#include <stdint.h>

#include "mm/machine/memmap.h"

/* What placement remembers from one section to the next, by ascending section. */
struct memmap_placer {
	const struct topology *topology;
	struct early_alloc *early;
	enum place place;
	enum vmemmap largest;
	bool full[NODE_MAX];     /* no 2 MiB left; nothing is freed, so it stays so */
	bool gib_full[NODE_MAX]; /* no free, aligned GiB left */
	uint32_t turn;           /* interleave: the node to try first */
	/* the 64 GiB of addresses that the last section was in: */
	uint64_t gib_block;      /* first section / GIB_SECTIONS */
	uint64_t gib_pfn;        /* the GiB for their memmap; EARLY_ALLOC_NONE: by sections */
	uint32_t gib_node;
};

void memmap_placer_init(struct memmap_placer *placer, const struct memmap *memmap,
			const struct topology *topology, struct early_alloc *early);

/* Backs `section`, whose number and node are set. False when no node has room. */
bool memmap_place(struct memmap_placer *placer, struct memmap_section *section);
