/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A memmap in host memory: address space for every frame below a limit, of which only the populated
 * sections can be touched; a stray access ends the test. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/page_units.h"
#include "mm/machine/memmap.h"

struct fake_memmap {
	struct memmap memmap;
	size_t bytes;
};

static inline void fake_memmap_open(struct fake_memmap *fake, uint64_t limit_pfn)
{
	fake->bytes = limit_pfn * sizeof(struct page);
	fake->memmap = (struct memmap){ 0 };
	fake->memmap.base = mmap(NULL, fake->bytes, PROT_NONE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	fake->memmap.sections = calloc(limit_pfn / SECTION_PAGES, sizeof(struct memmap_section));
}

/* Sections are added in ascending order, each once. */
static inline void fake_memmap_add(struct fake_memmap *fake, uint64_t section)
{
	struct memmap *memmap = &fake->memmap;

	memmap->sections[memmap->count++].section = section;
	mprotect(memmap->base + section * SECTION_PAGES, SECTION_PAGES * sizeof(struct page),
		 PROT_READ | PROT_WRITE);
}

/* All sections that have RAM in `topology`. */
static inline void fake_memmap_populate(struct fake_memmap *fake, const struct topology *topology)
{
	uint64_t next = 0;

	for (uint32_t i = 0; i < topology->ram_count; i++) {
		uint64_t first = topology->ram[i].start_pfn / SECTION_PAGES;
		uint64_t end = (topology->ram[i].end_pfn - 1) / SECTION_PAGES + 1;

		for (next = first > next ? first : next; next < end; next++)
			fake_memmap_add(fake, next);
	}
}

static inline void fake_memmap_close(struct fake_memmap *fake)
{
	munmap(fake->memmap.base, fake->bytes);
	free(fake->memmap.sections);
}

static inline void fake_ram(struct topology *topology, uint64_t start_pfn, uint64_t end_pfn,
			    uint32_t node)
{
	topology->ram[topology->ram_count++] = (struct ram_range){ start_pfn, end_pfn, node };
	topology->ram_pages += end_pfn - start_pfn;
	topology->nodes[node].pages += end_pfn - start_pfn;
	if (node >= topology->node_count)
		topology->node_count = node + 1;
}
