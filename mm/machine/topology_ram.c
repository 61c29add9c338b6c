/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/topology_ram.h"

#include "lib/assert.h"
#include "lib/page_units.h"
#include "lib/search.h"
#include "lib/string.h"
#include "mm/machine/topology.h"
#include "mm/machine/topology_parts.h"

enum { RAM_MAX = MEMORY_RANGE_MAX + SRAT_MEMORY_MAX, CLAIM_MAX = 2 * SRAT_MEMORY_MAX };

/*
 * A frame belongs to the SRAT range that holds its first byte. Both borders are thus rounded up,
 * ranges that meet inside a frame neither overlap nor leave a gap, and one smaller than a page may
 * get nothing.
 *
 *	frames  |   0   |   1   |   2   |   3   |
 *	SRAT      [ node 0 )[ node 1      )
 *	frames            |   0   |   1   |           frame 0 begins before node 0: in no range
 */
static uint64_t border_pfn(uint64_t bytes)
{
	return (bytes >> PAGE_SHIFT) + (bytes % PAGE_BYTES != 0);
}

static void insert_claim(struct topology *topology, uint32_t at, struct ram_range claim)
{
	struct ram_range *claims = topology->claims;

	/* All borders are borders of SRAT ranges: n ranges never make more than 2n - 1 pieces. */
	lab_assert(topology->claim_count < CLAIM_MAX);
	memmove(&claims[at + 1], &claims[at], (topology->claim_count - at) * sizeof(claims[0]));
	claims[at] = claim;
	topology->claim_count++;
}

static uint32_t find_claim(const struct topology *topology, uint64_t pfn)
{
	return search_first(i, topology->claim_count, topology->claims[i].end_pfn > pfn);
}

/*
 * Claims what earlier entries left of `wanted`; true when they left less than all.
 *
 *	claims        [ a )      [ b  )
 *	wanted     [              )
 *	added      [  )   [      )
 */
static bool claim_rest(struct topology *topology, struct ram_range wanted)
{
	const struct ram_range *claims = topology->claims;
	uint64_t at = wanted.start_pfn;
	bool overlap = false;

	for (uint32_t i = find_claim(topology, at); at < wanted.end_pfn; i++) {
		bool blocked = i < topology->claim_count && claims[i].start_pfn < wanted.end_pfn;
		uint64_t gap_end = blocked ? claims[i].start_pfn : wanted.end_pfn;

		if (at < gap_end)
			insert_claim(topology, i++, (struct ram_range){ at, gap_end, wanted.node });
		if (!blocked)
			break;
		overlap = true;
		at = claims[i].end_pfn;
	}
	return overlap;
}

static void claim_all(struct topology *topology, const struct srat_facts *srat,
		      struct anomaly_log *log)
{
	uint32_t notes = 0;

	for (uint32_t i = 0; i < srat->memory_count; i++) {
		const struct srat_memory *entry = &srat->memory[i];
		struct ram_range wanted = { border_pfn(entry->start), border_pfn(entry->end),
					    topology_node_by_pxm(topology, entry->pxm) };

		if (wanted.node == NODE_NONE || wanted.start_pfn >= wanted.end_pfn)
			continue;
		if (claim_rest(topology, wanted) && notes++ < NOTES_PER_KIND)
			anomaly_add(log, "SRAT", i, "range overlaps an earlier one, which keeps it",
				    entry->start);
	}
}

static void append_ram(struct topology *topology, uint64_t start_pfn, uint64_t end_pfn,
		       uint32_t node)
{
	/* At most one range of the map per raw entry, and one piece more per border of a claim. */
	lab_assert(topology->ram_count < RAM_MAX);
	topology->ram[topology->ram_count++] = (struct ram_range){ start_pfn, end_pfn, node };
}

/* Cuts [start, end) at the borders of claims; `next` is the first claim that may still reach it. */
static void cut_at_claims(struct topology *topology, uint64_t start_pfn, uint64_t end_pfn,
			  uint32_t *next)
{
	for (uint64_t at = start_pfn; at < end_pfn;) {
		const struct ram_range *claim = &topology->claims[*next];
		uint32_t node = NODE_NONE;
		uint64_t to = end_pfn;

		if (*next < topology->claim_count && claim->end_pfn <= at) {
			++*next;
			continue;
		}
		if (*next < topology->claim_count && claim->start_pfn <= at) {
			node = claim->node;
			to = claim->end_pfn;
		} else if (*next < topology->claim_count) {
			to = claim->start_pfn;
		}
		if (to > end_pfn)
			to = end_pfn;
		append_ram(topology, at, to, node);
		at = to;
	}
}

static uint32_t nearest_node(const struct ram_range *piece, const struct ram_range *lower,
			     const struct ram_range *upper, uint32_t otherwise)
{
	if (!lower)
		return upper ? upper->node : otherwise;
	if (upper && upper->start_pfn - piece->end_pfn < piece->start_pfn - lower->end_pfn)
		return upper->node;
	return lower->node;
}

/*
 * A piece of RAM in no SRAT range goes as a whole to the node of the nearest RAM that is in one, so
 * that no border appears which nobody named; the lower one on a tie.
 *
 *	[ node 0 )   [ orphan )      [ node 1 )
 *	          <3>          < 6  >                 node 0
 */
static void place_orphans(struct topology *topology, struct anomaly_log *log)
{
	struct ram_range *ram = topology->ram;
	const struct ram_range *lower = NULL, *upper = ram, *end = ram + topology->ram_count;

	for (struct ram_range *piece = ram; piece < end; piece++) {
		if (piece->node != NODE_NONE) {
			lower = piece;
			continue;
		}
		if (upper < piece)
			upper = piece;
		while (upper < end && upper->node == NODE_NONE)
			upper++;
		topology->orphan_pages += piece->end_pfn - piece->start_pfn;
		piece->node = nearest_node(piece, lower, upper < end ? upper : NULL,
					   topology->cpus[0].node);
	}
	if (topology->ram_count && topology->orphan_pages == topology->ram_pages)
		anomaly_add(log, "SRAT", 0, "no range holds any RAM, boot CPU's node has it",
			    topology->orphan_pages);
}

/* Adjacent pieces of one node become one range. */
static void merge_ram(struct topology *topology)
{
	struct ram_range *ram = topology->ram;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < topology->ram_count; i++) {
		if (kept && ram[kept - 1].end_pfn == ram[i].start_pfn &&
		    ram[kept - 1].node == ram[i].node)
			ram[kept - 1].end_pfn = ram[i].end_pfn;
		else
			ram[kept++] = ram[i];
	}
	topology->ram_count = kept;
}

void topology_join_ram(struct topology *topology, const struct topology_input *input,
		       struct anomaly_log *log)
{
	uint32_t next = 0;

	if (topology->numa)
		claim_all(topology, input->srat, log);
	for (uint32_t i = 0; i < input->map->count; i++) {
		const struct memory_range *range = &input->map->ranges[i];

		if (range->type != MEMORY_USABLE)
			continue;
		topology->ram_pages += range->end_pfn - range->start_pfn;
		if (topology->numa)
			cut_at_claims(topology, range->start_pfn, range->end_pfn, &next);
		else
			append_ram(topology, range->start_pfn, range->end_pfn, 0);
	}
	if (topology->numa)
		place_orphans(topology, log);
	merge_ram(topology);
	for (uint32_t i = 0; i < topology->ram_count; i++)
		topology->nodes[topology->ram[i].node].pages +=
			topology->ram[i].end_pfn - topology->ram[i].start_pfn;
}
