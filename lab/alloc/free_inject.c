/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/free_inject.h"

#include "lab/alloc/alloc_inject.h"
#include "lab/alloc/free_state.h"

/* The page whose place it takes is then lost: the run ends anyway. */
static void map_instead(uint64_t *entry, uint64_t pfn)
{
	if (pfn != BUDDY_NONE)
		*entry = (*entry & ~ENTRY_ADDRESS) | pfn << PAGE_SHIFT;
}

void free_inject(struct free_state *s)
{
	uint32_t node = s->input->topology->cpus[s->cpus[0]].node;
	uint64_t *leaf = address_space_leaf(&s->space, 0);
	enum inject inject = s->input->options->inject;

	if (!leaf)
		return;
	if (inject == INJECT_DOUBLE_FREE && s->space.entries > 1)
		map_instead(&leaf[1], entry_pfn(leaf[0]));
	else if (inject == INJECT_FREE_RESERVED)
		map_instead(&leaf[0], alloc_reserved_pfn(s->input));
	else if (inject == INJECT_FREE_ORDER)
		map_instead(&leaf[0], page_alloc(s->allocator, s->cpus[0], node, 1));
}
