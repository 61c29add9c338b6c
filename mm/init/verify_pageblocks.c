/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/verify_pageblocks.h"

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "mm/buddy/buddy.h"
#include "mm/init/verify.h"

static uint64_t first_pageblock(const struct ram_range *ram)
{
	return ram->start_pfn >> PAGEBLOCK_ORDER;
}

static uint64_t end_pageblock(const struct ram_range *ram)
{
	return ((ram->end_pfn - 1) >> PAGEBLOCK_ORDER) + 1;
}

/* Neighbours may share one. */
uint64_t verify_expected_pageblocks(const struct topology *topology)
{
	uint64_t next = 0, count = 0;

	for (uint32_t i = 0; i < topology->ram_count; i++) {
		uint64_t first = first_pageblock(&topology->ram[i]);
		uint64_t end = end_pageblock(&topology->ram[i]);

		count += end - max_u64(first, next);
		next = end;
	}
	return count;
}

uint64_t verify_pageblocks(const struct verify_job *job, const uint8_t *pageblocks,
			   uint64_t *bad_pfn)
{
	const uint64_t per_section = SECTION_PAGES >> PAGEBLOCK_ORDER;
	const struct topology *topology = job->topology;
	uint64_t typed = 0;
	uint32_t ram = 0;

	*bad_pfn = UINT64_MAX;
	for (uint64_t i = 0; i < job->memmap->count * per_section; i++) {
		uint64_t block = job->memmap->sections[i / per_section].section * per_section +
				 i % per_section;
		bool is_typed = pageblocks[block] != MIGRATE_UNTYPED, has_ram;

		while (ram < topology->ram_count && end_pageblock(&topology->ram[ram]) <= block)
			ram++;
		has_ram = ram < topology->ram_count &&
			  first_pageblock(&topology->ram[ram]) <= block;
		typed += is_typed;
		if (is_typed != has_ram && *bad_pfn == UINT64_MAX)
			*bad_pfn = block << PAGEBLOCK_ORDER;
	}
	return typed;
}
