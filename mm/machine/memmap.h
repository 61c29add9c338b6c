/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Where the memmap lives: a struct page for every frame of every populated section (128 MiB with at
 * least one frame of RAM), at one virtual base. 32,768 frames x 64 bytes = 2 MiB: what backs the
 * memmap of one section is a block of that size from one node, or a part of a GiB that backs the
 * memmap of 512 sections, 64 GiB of addresses.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/words.h"
#include "mm/machine/early_alloc.h"
#include "mm/machine/page.h"
#include "mm/machine/topology.h"

/* Whose memory backs a node's memmap. */
enum place { PLACE_LOCAL, PLACE_REMOTE, PLACE_INTERLEAVE };
/* The pages that map the memmap. */
enum vmemmap { VMEMMAP_4K, VMEMMAP_2M, VMEMMAP_1G };

/* Sections whose memmap a page of 1 GiB maps; they begin at a multiple of this number. */
#define GIB_SECTIONS 512ull

enum { PLACES = PLACE_INTERLEAVE + 1, VMEMMAP_SIZES = VMEMMAP_1G + 1 };

extern const struct word_list place_words, vmemmap_words;

struct memmap_section {
	uint64_t section;     /* pfn / SECTION_PAGES */
	uint64_t backing_pfn; /* 512 frames, 2 MiB aligned */
	uint32_t node;        /* of the section's first frame of RAM */
	uint32_t backing_node;
	enum vmemmap mapping; /* VMEMMAP_1G: backed as a part of its 64 GiB */
};

struct memmap {
	struct page *base;                /* base + pfn: the struct page of pfn */
	struct memmap_section *sections;  /* ascending, populated ones only */
	uint64_t count;
	uint64_t remote_sections;         /* backed by another node than their own */
	enum place place;                 /* set by the caller, as is the next */
	enum vmemmap largest;             /* pages to map it with, where possible */
	uint64_t mapped_pages[VMEMMAP_SIZES]; /* that map it, by size */
};

/* Number of populated sections; the caller provides that many struct memmap_section. */
uint64_t memmap_count_sections(const struct topology *topology);

/*
 * Fills memmap->sections (capacity memmap->count, both set by the caller) and reserves the backing.
 * - PLACE_LOCAL: the section's own node, else the nearest that has room.
 * - PLACE_REMOTE: the farthest node with RAM and room; of equally far ones the next by number.
 * - PLACE_INTERLEAVE: the nodes with RAM in turn.
 * A page of 1 GiB needs a free, aligned GiB in the node of first choice and, but for interleave, 64
 * GiB of addresses whose RAM is all of one node; where that is missing, 2 MiB pages do.
 * False when memory ran out: *missing_pages then says how many more frames are needed.
 */
bool memmap_plan(struct memmap *memmap, const struct topology *topology, struct early_alloc *early,
		 uint64_t *missing_pages);

/* Index of the section that holds `pfn`, or memmap->count. Binary search. */
uint64_t memmap_find_section(const struct memmap *memmap, uint64_t pfn);

/* Sections that describe a node, by whose memory backs them. */
struct memmap_share {
	uint32_t home, remote;
};

void memmap_share_out(const struct memmap *memmap, struct memmap_share shares[NODE_MAX]);
