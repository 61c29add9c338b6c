/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/map_memmap.h"

#include <stddef.h>

#include "kernel/paging.h"
#include "lib/format.h"
#include "lib/page_units.h"

/* Short enough for a line of the report, behind the word for the verdict. */
static const char *too_little_memory(const struct memmap *memmap, uint64_t missing_pages)
{
	static char text[100];
	uint64_t needed_mib = memmap->count * HUGE_PAGE_BYTES >> 20;
	uint64_t missing_mib = (missing_pages * PAGE_BYTES + (1 << 20) - 1) >> 20;

	format(text, sizeof(text),
	       "too little memory: the memmap needs %lu MiB in 2 MiB pages, %lu MiB are missing",
	       needed_mib, missing_mib);
	return text;
}

const char *map_memmap(struct memmap *memmap, struct machine *machine,
			 const struct options *options)
{
	uint64_t missing_pages;

	memmap->base = (struct page *)MEMMAP_BASE;
	memmap->place = options->place;
	memmap->largest = paging_largest(options->vmemmap);
	memmap->count = memmap_count_sections(machine->topology);
	missing_pages = memmap->count * HUGE_PAGE_PAGES;
	memmap->sections = early_alloc_bytes(&machine->early,
					     memmap->count * sizeof(*memmap->sections), direct(0));
	if (!memmap->sections ||
	    !memmap_plan(memmap, machine->topology, &machine->early, &missing_pages))
		return too_little_memory(memmap, missing_pages);
	if (!paging_map_memmap(memmap))
		return "not enough memory for the memmap's page tables";
	return NULL;
}
