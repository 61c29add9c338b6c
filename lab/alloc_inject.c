/* A free that must not be, on purpose. */
#include "lab/alloc_lab.h"
#include "lab/timed_run.h"

/* The first frame of RAM that never was free, else the one after the last. */
static uint64_t reserved_pfn(const struct alloc_input *input)
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

bool alloc_inject(const struct alloc_input *input)
{
	struct page_allocator *allocator = input->allocator;
	uint64_t pfn;

	switch (input->options->inject) {
	case INJECT_DOUBLE_FREE:
		pfn = any_block(input, 0);
		page_free(allocator, BOOT_CPU, pfn, 0);
		page_free(allocator, BOOT_CPU, pfn, 0);
		return true;
	case INJECT_FREE_RESERVED:
		page_free(allocator, BOOT_CPU, reserved_pfn(input), 0);
		return true;
	case INJECT_FREE_ORDER:
		pfn = any_block(input, 1);
		page_free(allocator, BOOT_CPU, pfn, 0);
		return true;
	default:
		return false;
	}
}
