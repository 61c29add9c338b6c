/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/pages_check.h"

#include "lab/alloc/input.h"
#include "lab/run/memory.h"
#include "lab/run/arena.h"
#include "lib/string.h"
#include "mm/buddy/buddy_census.h"
#include "mm/buddy/buddy_take.h"

void pages_state_read(const struct alloc_input *input, struct pages_state *state)
{
	struct buddy *buddy = input->allocator->buddy;

	buddy_census(buddy, input->memmap, &state->census);
	state->double_frees = atomic_load(&buddy->double_frees);
	state->poison_reads = atomic_load(&buddy->poison_reads);
}

const char *pages_state_fault(const struct alloc_input *input, const struct pages_state *before)
{
	const struct buddy_census *then = &before->census, *now;
	struct pages_state state;

	pages_state_read(input, &state);
	now = &state.census;
	if (now->faults)
		return "the free lists are damaged";
	if (now->managed_pages != then->managed_pages)
		return "the count of managed pages changed";
	if (now->free_pages < then->free_pages)
		return "pages were lost";
	if (now->free_pages > then->free_pages)
		return "more pages are free than were before";
	if (now->digest != then->digest ||
	    memcmp(now->blocks, then->blocks, sizeof(now->blocks)))
		return "the free blocks are not those that serial frees leave";
	if (state.double_frees != before->double_frees)
		return "the zones were given a page that was free";
	if (state.poison_reads != before->poison_reads)
		return "a struct page was read that nobody initialised";
	return NULL;
}

uint64_t pages_bitmap_words(const struct topology *topology)
{
	return lab_bitmap_words(topology);
}

const char *pages_take_all_fault(const struct alloc_input *input, const struct pages_state *before,
				 uint64_t *bitmap, uint64_t words)
{
	const char *fault = pages_state_fault(input, before);
	uint64_t twice, frames;

	/* of lists that are sound: to take all of others would do more damage */
	if (fault || !words)
		return fault;
	memset(bitmap, 0, words * sizeof(*bitmap));
	frames = buddy_take_all(input->allocator->buddy, 0, bitmap,
				input->topology->ram[0].start_pfn, &twice);
	if (twice)
		return "a frame was handed out twice";
	if (frames != before->census.free_pages)
		return "not all free pages could be allocated";
	return pages_state_fault(input, before);
}
