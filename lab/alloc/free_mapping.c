/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/free_mapping.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/free_state.h"
#include "lib/minmax.h"
#include "lib/stats.h"
#include "mm/unmap/address_space_fill.h"
#include "mm/unmap/address_space_mix.h"
#include "mm/unmap/unmap_batch.h"

enum { MIB_PAGES = (1 << 20) / PAGE_BYTES };
/* The most of what is free that is mapped: the rest is for tables and batches. A mapping of single
 * pages needs a table of each level at least, and one more for what crosses a border. */
enum { SHARE_MAX = 15, SHARE_OF = 16, SHARE_DEFAULT = 12, TABLES_MIN = TABLE_LEVELS + 1 };
#define MIX_SEED 0x6d656d6d61702d33ull

/* ---- size ----------------------------------------------------------------------------------- */

/* Pages of 2^order that a node has free, in blocks no smaller. */
static uint64_t free_of(const struct buddy *buddy, uint32_t node, uint32_t order)
{
	uint64_t count = 0;

	for (int type = 0; type < ZONE_COUNT; type++)
		for (uint32_t at = order; at < ORDER_COUNT; at++)
			count += buddy->zones[node][type].area[at].blocks << (at - order);
	return count;
}

static uint64_t most_entries(uint64_t all, uint32_t order)
{
	uint64_t most = mul_div_u64(all, SHARE_MAX, SHARE_OF);

	if (order || most + TABLES_MIN <= all)
		return most;
	return saturating_sub_u64(all, TABLES_MIN);
}

static void size_mapping(struct free_state *s, enum mapping mapping)
{
	const struct alloc_input *input = s->input;
	uint32_t order = mapping == MAPPING_2M ? PAGEBLOCK_ORDER : 0;
	struct free_mapping *facts = &s->results->mappings[mapping];
	uint64_t all = 0, most, wanted, before = 0;

	for (uint32_t node = 0; node < input->topology->node_count; node++)
		all += free_of(s->allocator->buddy, node, order);
	most = most_entries(all, order);
	wanted = (uint64_t)input->options->size_mib * MIB_PAGES >> order;
	if (!input->options->size_mib)
		wanted = mul_div_u64(all, SHARE_DEFAULT, SHARE_OF);
	if (wanted > most) {
		wanted = most;
		s->results->size_cut = input->options->size_mib > 0;
	}
	facts->asked = true;
	facts->entries = wanted;
	facts->pages = wanted << order;
	for (uint32_t node = 0; node < input->topology->node_count; node++) {
		before += free_of(s->allocator->buddy, node, order);
		s->supply[mapping].end_entry[node] = all ? mul_div_u64(wanted, before, all) : 0;
	}
}

void free_sizes(struct free_state *s)
{
	for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
		if (s->input->options->mapping_chosen[mapping])
			size_mapping(s, (enum mapping)mapping);
	for (uint32_t i = 0; i < s->results->setting_count; i++) {
		struct free_setting *setting = &s->results->settings[i];

		for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
			setting->chains[mapping] = unmap_batch_chains(
				s->results->mappings[mapping].entries, setting->gather);
	}
}

/* ---- building ------------------------------------------------------------------------------- */

static void fill_some(void *argument, uint32_t index)
{
	struct free_state *s = argument;
	uint64_t first, end;

	while (dispatch_claim(s->fill, index, &first, &end))
		if (!address_space_fill(&s->space, &s->supply[s->space.mapping], s->cpus[index],
					first, end))
			atomic_fetch_add(&s->fill_failures, 1);
}

static void mix_some(void *argument, uint32_t index)
{
	struct free_state *s = argument;
	uint64_t entries = s->space.entries;

	address_space_mix(&s->space, s->fragment, MIX_SEED,
			  mul_div_u64(entries, index, s->cpu_count),
			  mul_div_u64(entries, index + 1, s->cpu_count));
}

/* Two leaf tables of 4 KiB pages hold the pages of one block of ORDER_MAX. */
static bool fill(struct free_state *s)
{
	struct job job = {
		.size = address_space_leaf_tables(&s->space),
		.align = 2,
		.min_chunk = 2,
		.max_workers = s->cpu_count,
	};

	dispatch_prepare(s->fill, &job);
	atomic_store(&s->fill_failures, 0);
	return crew_run(s->crew, s->input->machine, s->cpus, s->cpu_count, fill_some, s);
}

static const char *build(struct free_state *s)
{
	if (!address_space_open(&s->space, s->cpus[0],
				s->input->topology->cpus[s->cpus[0]].node))
		return "there was no memory for page tables";
	if (!fill(s))
		return "not all CPUs came to build the mapping";
	if (atomic_load(&s->fill_failures))
		return "there was no memory for the mapping";
	if (s->fragment &&
	    !crew_run(s->crew, s->input->machine, s->cpus, s->cpu_count, mix_some, s))
		return "not all CPUs came to mix the mapping";
	return NULL;
}

/* Takes apart what there is of the mapping, on the boot CPU. */
static void discard(struct free_state *s)
{
	struct unmap_job *job = s->job;

	if (s->space.root_pfn == BUDDY_NONE)
		return;
	*job = (struct unmap_job){ .space = &s->space, .ranks = s->ranks, .rank_count = 1 };
	s->ranks[0] = (struct unmap_rank){ .cpu = s->cpus[0] };
	unmap_vanilla.work(job, 0);
	page_allocator_drain(s->allocator);
}

const char *free_build(struct free_state *s, enum mapping mapping, uint32_t fragment)
{
	uint64_t start = alloc_now(s->input);
	const char *fault;

	page_allocator_init(s->allocator, PCP_NONE, s->allocator_memory);
	s->fragment = fragment;
	s->space = (struct address_space){
		.allocator = s->allocator,
		.base = s->input->base,
		.mapping = mapping,
		.entries = s->results->mappings[mapping].entries,
		.node_count = s->input->topology->node_count,
		.root_pfn = BUDDY_NONE,
	};
	fault = build(s);
	if (fault)
		discard(s);
	s->results->mappings[mapping].build_cycles = alloc_now(s->input) - start;
	return fault;
}
