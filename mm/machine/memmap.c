/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/memmap.h"

#include "lib/assert.h"
#include "lib/page_units.h"
#include "lib/search.h"
#include "lib/string.h"
#include "mm/machine/memmap_place.h"

static const struct word *place_word(uint32_t index)
{
	static const struct word words[PLACES] = {
		[PLACE_LOCAL] = { "local", "its own" },
		[PLACE_REMOTE] = { "remote", "the farthest node's" },
		[PLACE_INTERLEAVE] = { "interleave", "all nodes' in turn" },
	};

	return &words[index];
}

const struct word_list place_words = { PLACES, place_word, NULL, NULL };

static const struct word *vmemmap_word(uint32_t index)
{
	static const struct word words[VMEMMAP_SIZES] = {
		[VMEMMAP_4K] = { "4k", "pages of 4 KiB" },
		[VMEMMAP_2M] = { "2m", "pages of 2 MiB" },
		[VMEMMAP_1G] = { "1g", "pages of 1 GiB, where CPU and memory allow it" },
	};

	return &words[index];
}

const struct word_list vmemmap_words = { VMEMMAP_SIZES, vmemmap_word, NULL, NULL };

/* Populated sections in ascending order: each with its first frame of RAM.
 *
 *	sections  |     0     |     1     |     2     |     3     |
 *	RAM        [ a )  [ b     )                 [   c    )
 *	visits    0: a         1: b                 2: c  3: c
 */
struct section_walk {
	const struct topology *topology;
	uint32_t range;   /* the RAM range that holds the next section's first frame */
	uint64_t section; /* the next section; valid while range < ram_count */
};

/* Goes to the first section at or above `from` that has RAM. */
static bool seek(struct section_walk *walk, uint64_t from)
{
	const struct topology *topology = walk->topology;

	while (walk->range < topology->ram_count &&
	       topology->ram[walk->range].end_pfn <= from * SECTION_PAGES)
		walk->range++;
	if (walk->range == topology->ram_count)
		return false;
	walk->section = topology->ram[walk->range].start_pfn / SECTION_PAGES;
	if (walk->section < from)
		walk->section = from;
	return true;
}

uint64_t memmap_count_sections(const struct topology *topology)
{
	uint64_t count = 0, next = 0; /* first section not counted yet */

	for (uint32_t i = 0; i < topology->ram_count; i++) {
		uint64_t first = topology->ram[i].start_pfn / SECTION_PAGES;
		uint64_t end = (topology->ram[i].end_pfn - 1) / SECTION_PAGES + 1;

		if (first < next)
			first = next;
		if (first < end) {
			count += end - first;
			next = end;
		}
	}
	return count;
}

/* A page of 1 GiB is counted with the first section that it maps. */
static void count_pages(struct memmap *memmap, uint64_t i)
{
	const struct memmap_section *section = &memmap->sections[i];
	bool in_last_gib = i > 0 && section[-1].mapping == VMEMMAP_1G &&
			   section[-1].section / GIB_SECTIONS == section->section / GIB_SECTIONS;

	if (section->mapping == VMEMMAP_4K)
		memmap->mapped_pages[VMEMMAP_4K] += HUGE_PAGE_PAGES;
	else if (!in_last_gib)
		memmap->mapped_pages[section->mapping]++;
	memmap->remote_sections += section->backing_node != section->node;
}

bool memmap_plan(struct memmap *memmap, const struct topology *topology, struct early_alloc *early,
		 uint64_t *missing_pages)
{
	struct section_walk walk = { .topology = topology };
	struct memmap_placer placer;
	uint64_t next = 0;

	memmap_placer_init(&placer, memmap, topology, early);
	memmap->remote_sections = 0;
	memset(memmap->mapped_pages, 0, sizeof(memmap->mapped_pages));
	for (uint64_t i = 0; seek(&walk, next); i++, next = walk.section + 1) {
		struct memmap_section *section = &memmap->sections[i];

		lab_assert(i < memmap->count);
		section->section = walk.section;
		section->node = topology->ram[walk.range].node;
		if (!memmap_place(&placer, section)) {
			*missing_pages = (memmap->count - i) * HUGE_PAGE_PAGES;
			return false;
		}
		count_pages(memmap, i);
	}
	*missing_pages = 0;
	return true;
}

uint64_t memmap_find_section(const struct memmap *memmap, uint64_t pfn)
{
	uint64_t section = pfn / SECTION_PAGES;
	uint64_t at = search_first(i, memmap->count, memmap->sections[i].section >= section);

	if (at < memmap->count && memmap->sections[at].section == section)
		return at;
	return memmap->count;
}

void memmap_share_out(const struct memmap *memmap, struct memmap_share shares[NODE_MAX])
{
	memset(shares, 0, NODE_MAX * sizeof(*shares));
	for (uint64_t i = 0; i < memmap->count; i++) {
		const struct memmap_section *section = &memmap->sections[i];

		if (section->backing_node == section->node)
			shares[section->node].home++;
		else
			shares[section->node].remote++;
	}
}
