/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/bandwidth_blocks.h"

#include "lab/run/begin.h"
#include "lab/workers/bandwidth_parts.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/random.h"
#include "lib/round.h"

enum { BLOCK_FRAMES = BANDWIDTH_BLOCK_BYTES / PAGE_BYTES, LOWEST_PFN = 256 };
#define SHUFFLE_SEED 0x6d656d6d61702d31ull

/* Free blocks one after the other, by RAM range. */
struct block_walk {
	const struct bandwidth_input *input;
	uint32_t node, ram;
	uint64_t at_pfn;
};

/* From `pfn` on, which is in the range: the first block that no reservation touches. */
static bool next_in_range(struct block_walk *walk, const struct ram_range *ram, uint64_t *pfn)
{
	const struct range_list *reserved = walk->input->reserved;
	uint64_t first = max_u64(walk->at_pfn, ram->start_pfn);
	uint64_t at = max_u64(round_up_u64(first, BLOCK_FRAMES), LOWEST_PFN);

	while (at + BLOCK_FRAMES <= ram->end_pfn) {
		uint32_t i = range_list_find(reserved, at);

		if (i == reserved->count || reserved->ranges[i].start >= at + BLOCK_FRAMES) {
			*pfn = at;
			walk->at_pfn = at + BLOCK_FRAMES;
			return true;
		}
		at = round_up_u64(reserved->ranges[i].end, BLOCK_FRAMES);
	}
	return false;
}

static bool next_block(struct block_walk *walk, uint64_t *pfn)
{
	const struct topology *topology = walk->input->topology;

	for (; walk->ram < topology->ram_count; walk->ram++)
		if (topology->ram[walk->ram].node == walk->node &&
		    next_in_range(walk, &topology->ram[walk->ram], pfn))
			return true;
	return false;
}

static uint64_t count_blocks(const struct bandwidth_input *input, uint32_t node)
{
	struct block_walk walk = { input, node, 0, 0 };
	uint64_t count = 0, pfn;

	while (next_block(&walk, &pfn))
		count++;
	return count;
}

/* Spread over all that is free; a share of it, so that a small virtual machine does not make its
 * host find memory for all of it, but at least one for each worker. */
static void find_node(struct bandwidth_state *b, uint32_t node)
{
	struct block_walk walk = { b->input, node, 0, 0 };
	uint64_t free = count_blocks(b->input, node), seed = SHUFFLE_SEED + node, pfn;
	uint64_t wanted = div_round_up_u64(free, b->input->share);
	uint32_t base = node * BANDWIDTH_BLOCKS_MAX, count = 0;

	if (wanted < lab_most_online(b->input->topology))
		wanted = lab_most_online(b->input->topology);
	if (wanted > free)
		wanted = free;
	if (wanted > BANDWIDTH_BLOCKS_MAX)
		wanted = BANDWIDTH_BLOCKS_MAX;
	for (uint64_t i = 0; count < wanted && next_block(&walk, &pfn); i++) {
		if (i % (free / wanted))
			continue;
		b->blocks[base + count] = b->input->base + pfn * PAGE_BYTES;
		for (int order = 0; order < BANDWIDTH_ORDERS; order++)
			b->lists[order][base + count] = base + count;
		count++;
	}
	random_shuffle(b->lists[BANDWIDTH_RANDOM] + base, count, &seed);
	b->results->blocks[node] = count;
}

void bandwidth_find_blocks(struct bandwidth_state *b)
{
	for (uint32_t node = 0; node < b->input->topology->node_count; node++)
		find_node(b, node);
}
