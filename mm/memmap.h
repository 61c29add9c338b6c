#pragma once
/*
 * Where the memmap lives: a struct page for every frame of every populated section (128 MiB with at
 * least one frame of RAM), at one virtual base. 32,768 frames x 64 bytes = 2 MiB: one huge page
 * maps the memmap of one section, taken from the node it describes, or the nearest that has room.
 */
#include <stdbool.h>
#include <stdint.h>

#include "mm/early_alloc.h"
#include "mm/page.h"
#include "mm/topology.h"

struct memmap_section {
	uint64_t section;     /* pfn / SECTION_PAGES */
	uint64_t backing_pfn; /* 512 frames, 2 MiB aligned */
	uint32_t node;        /* of the section's first frame of RAM */
	uint32_t backing_node;
};

struct memmap {
	struct page *base;                /* base + pfn: the struct page of pfn */
	struct memmap_section *sections;  /* ascending, populated ones only */
	uint64_t count;
	uint64_t remote_sections;         /* backed by another node than their own */
};

/* Number of populated sections; the caller provides that many struct memmap_section. */
uint64_t memmap_count_sections(const struct topology *topology);

/* Fills memmap->sections (capacity memmap->count, both set by the caller) and reserves the backing.
 * False when memory ran out: *missing_pages then says how many more frames are needed. */
bool memmap_plan(struct memmap *memmap, const struct topology *topology, struct early_alloc *early,
		 uint64_t *missing_pages);

/* Index of the section that holds `pfn`, or memmap->count. Binary search. */
uint64_t memmap_find_section(const struct memmap *memmap, uint64_t pfn);
