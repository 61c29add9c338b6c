/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/alloc_inject.h"

#include "lab/alloc/input.h"
#include "lab/run/state.h"

uint64_t alloc_reserved_pfn(const struct alloc_input *input)
{
	const struct topology *topology = input->topology;
	const struct page *base = input->memmap->base;

	for (uint32_t i = 0; i < topology->ram_count; i++)
		for (uint64_t pfn = topology->ram[i].start_pfn; pfn < topology->ram[i].end_pfn;
		     pfn++)
			if (base[pfn].flags & PG_RESERVED)
				return pfn;
	return topology->ram[topology->ram_count - 1].end_pfn;
}

static uint64_t any_block(const struct alloc_input *input, uint32_t order)
{
	uint64_t pfn = BUDDY_NONE;

	for (uint32_t node = 0; node < input->topology->node_count && pfn == BUDDY_NONE; node++)
		if (input->topology->nodes[node].pages)
			pfn = page_alloc(input->allocator, BOOT_CPU, node, order);
	return pfn;
}

/* The page itself; a double free is the same free once more. */
static uint64_t page_to_free(const struct alloc_input *input)
{
	switch (input->options->inject) {
	case INJECT_DOUBLE_FREE:
		return any_block(input, 0);
	case INJECT_FREE_RESERVED:
		return alloc_reserved_pfn(input);
	case INJECT_FREE_ORDER:
		return any_block(input, 1);
	default:
		return BUDDY_NONE;
	}
}

bool alloc_inject(const struct alloc_input *input)
{
	uint64_t pfn = page_to_free(input);

	if (pfn == BUDDY_NONE)
		return false;
	page_free(input->allocator, BOOT_CPU, pfn, 0);
	if (input->options->inject == INJECT_DOUBLE_FREE)
		page_free(input->allocator, BOOT_CPU, pfn, 0);
	return true;
}
