/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/capacity.h"

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "mm/init/plan.h"
#include "smp/dispatch/dispatch.h"

enum {
	SPARE_CHUNKS = 3,      /* of a job: one cut at either end, one claimed twice */
	LATENCIES_MAX = 1 << 20
};
/* Taken frame by frame: up to 64 GiB of RAM, within 512 GiB. */
#define EXERCISE_PAGES_MAX (64ull << 18)
#define EXERCISE_SPAN_MAX (512ull << 18)

/* From the node's first frame of RAM to its last: what a job for its whole zone may reach over. */
static uint64_t reach_pages(const struct topology *topology, uint32_t node)
{
	uint64_t start = UINT64_MAX, end = 0;

	for (uint32_t i = 0; i < topology->ram_count; i++) {
		const struct ram_range *ram = &topology->ram[i];

		if (ram->node != node)
			continue;
		if (start == UINT64_MAX)
			start = ram->start_pfn;
		end = ram->end_pfn;
	}
	return end ? end - start : 0;
}

static uint32_t most_cpus(const struct topology *topology)
{
	uint32_t most = 1;

	for (uint32_t node = 0; node < topology->node_count; node++)
		if (topology->nodes[node].cpu_count > most)
			most = topology->nodes[node].cpu_count;
	return most;
}

/* One job per node. By the rules it has four chunks per worker at most, however far it reaches. */
static uint64_t zone_claims(const struct topology *topology, uint64_t chunk_pages, uint64_t unit)
{
	uint64_t by_rule = (uint64_t)most_cpus(topology) * DISPATCH_LOAD_BALANCE, sum = 0;

	for (uint32_t node = 0; node < topology->node_count; node++) {
		uint64_t chunks = reach_pages(topology, node) / unit;

		sum += (chunk_pages ? chunks : min_u64(chunks, by_rule)) + SPARE_CHUNKS;
	}
	return sum;
}

/*
 * The windows of one node's jobs share no section: all together touch each section once, and once
 * more for each job of a further node that begins in it. By the rules a chunk is no smaller than a
 * section.
 */
static uint64_t claim_bound(const struct lab_input *input, uint32_t jobs, uint64_t chunk_pages)
{
	uint64_t unit = chunk_pages ? min_u64(chunk_pages, SECTION_PAGES) : SECTION_PAGES;
	uint64_t ranges = (input->memmap->count + jobs) * (SECTION_PAGES / unit) +
			  SPARE_CHUNKS * (uint64_t)jobs;
	uint64_t zones = zone_claims(input->topology, chunk_pages, unit);

	return max_u64(ranges, zones);
}

uint64_t lab_bitmap_words(const struct topology *topology)
{
	uint64_t span;

	if (!topology->ram_count || topology->ram_pages > EXERCISE_PAGES_MAX)
		return 0;
	span = topology->ram[topology->ram_count - 1].end_pfn - topology->ram[0].start_pfn;
	return span > EXERCISE_SPAN_MAX ? 0 : span / 64 + 1;
}

static uint64_t latency_bound(const struct topology *topology)
{
	uint64_t blocks = topology->ram_pages / BLOCK_PAGES + 1;

	return min_u64(blocks, LATENCIES_MAX);
}

/* init_plan_bounds looks at no more than the number of reservations. */
void lab_capacity(const struct lab_input *input, uint32_t extra_reserved,
		  const struct lab_needs *needs, struct lab_capacity *capacity)
{
	struct range_list reserved = *input->reserved;

	reserved.count += extra_reserved;
	*capacity = (struct lab_capacity){
		.passes = needs->passes,
		.cpus = input->topology->cpu_count,
		.nodes = input->topology->node_count,
		.kinds = input->topology->kind_count ? input->topology->kind_count : 1,
		.bitmap_words = lab_bitmap_words(input->topology),
		.latencies = needs->background ? latency_bound(input->topology) : 0,
	};
	init_plan_bounds(input->topology, input->memmap, &reserved, &capacity->spans,
			 &capacity->jobs, &capacity->visits);
	capacity->claims = claim_bound(input, capacity->jobs, needs->chunk_pages);
}
