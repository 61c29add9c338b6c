/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/memory.h"

#include "lab/run/timed_run.h"
#include "lib/assert.h"
#include "lib/page_units.h"

enum {
	CACHE_LINE = 64,
	SPARE_CHUNKS = 3,      /* of a job: one cut at either end, one claimed twice */
	LATENCIES_MAX = 1 << 20
};
/* Taken frame by frame: up to 64 GiB of RAM, within 512 GiB. */
#define EXERCISE_PAGES_MAX (64ull << 18)
#define EXERCISE_SPAN_MAX (512ull << 18)

void *arena_take(struct arena *arena, uint64_t count, uint64_t size)
{
	uint64_t start = arena->used;

	lab_assert((uintptr_t)arena->memory % CACHE_LINE == 0);
	arena->used += (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
	return arena_fits(arena) ? arena->memory + start : NULL;
}

bool arena_fits(const struct arena *arena)
{
	return arena->memory && arena->used <= arena->bytes;
}

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

		sum += (!chunk_pages && chunks > by_rule ? by_rule : chunks) + SPARE_CHUNKS;
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
	uint64_t unit = chunk_pages && chunk_pages < SECTION_PAGES ? chunk_pages : SECTION_PAGES;
	uint64_t ranges = (input->memmap->count + jobs) * (SECTION_PAGES / unit) +
			  SPARE_CHUNKS * (uint64_t)jobs;
	uint64_t zones = zone_claims(input->topology, chunk_pages, unit);

	return ranges > zones ? ranges : zones;
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

	return blocks < LATENCIES_MAX ? blocks : LATENCIES_MAX;
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

struct init_plan *lab_take_plan(struct arena *arena, const struct lab_capacity *c)
{
	struct init_plan *plan = arena_take(arena, 1, sizeof(*plan));
	struct init_span *spans = arena_take(arena, c->spans, sizeof(*spans));
	struct init_job *jobs = arena_take(arena, c->jobs, sizeof(*jobs));
	struct init_visit *visits = arena_take(arena, c->visits, sizeof(*visits));

	if (!arena_fits(arena))
		return NULL;
	plan->spans = spans;
	plan->span_capacity = c->spans;
	plan->jobs = jobs;
	plan->job_capacity = c->jobs;
	plan->visits = visits;
	plan->visit_capacity = c->visits;
	return plan;
}

static void take_run(struct arena *arena, const struct lab_capacity *c, struct lab *lab)
{
	lab->workers = arena_take(arena, c->cpus, sizeof(*lab->workers));
	lab->worker_cpus = arena_take(arena, c->cpus, sizeof(*lab->worker_cpus));
	lab->worker_records = arena_take(arena, c->cpus, sizeof(*lab->worker_records));
	lab->visit_records = arena_take(arena, c->visits, sizeof(*lab->visit_records));
	for (uint32_t i = 0; i < c->passes; i++) {
		struct lab_pass *pass = &lab->passes[i];

		pass->jobs = arena_take(arena, c->jobs, sizeof(*pass->jobs));
		pass->logs = arena_take(arena, c->jobs, sizeof(*pass->logs));
		pass->claims = arena_take(arena, c->claims, sizeof(*pass->claims));
	}
	lab->args = arena_take(arena, (uint64_t)c->kinds * c->nodes, sizeof(*lab->args));
	lab->freed = arena_take(arena, c->nodes, sizeof(*lab->freed));
	lab->borders = arena_take(arena, c->nodes, sizeof(*lab->borders));
	lab->node_pages = arena_take(arena, c->nodes, sizeof(*lab->node_pages));
	lab->barrier = arena_take(arena, 1, sizeof(*lab->barrier));
	lab->deferred = arena_take(arena, 1, sizeof(*lab->deferred));
	lab->fill = arena_take(arena, 1, sizeof(*lab->fill));
	lab->bitmap = arena_take(arena, c->bitmap_words, sizeof(*lab->bitmap));
	lab->latencies = arena_take(arena, c->latencies, sizeof(*lab->latencies));
}

struct lab *lab_take(struct arena *arena, const struct lab_input *input,
		     const struct lab_capacity *capacity)
{
	struct lab lab = { .input = input, .capacity = *capacity };
	struct lab *place = arena_take(arena, 1, sizeof(*place));

	lab.online = arena_take(arena, capacity->cpus, sizeof(*lab.online));
	lab.sections = arena_take(arena, 1, sizeof(*lab.sections));
	lab.checks = arena_take(arena, capacity->cpus, sizeof(*lab.checks));
	take_run(arena, capacity, &lab);
	if (!arena_fits(arena))
		return NULL;
	*place = lab;
	return place;
}
