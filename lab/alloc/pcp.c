/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/alloc_inject.h"
#include "lab/alloc/crew.h"
#include "lab/alloc/pages_check.h"
#include "lab/alloc/pcp_bench_state.h"
#include "lab/alloc/pcp_cells.h"
#include "lab/alloc/pcp_measure.h"
#include "lab/run/memory.h"
#include "lib/minmax.h"
#include "lib/stats.h"
#include "lib/string.h"

enum { US_PER_S = 1000000, MS_PER_S = 1000, US_PER_MS = 1000, SLICE_MIN_US = 200, WARM_SHARE = 8 };

const char *pcp_bench_name(enum pcp_bench bench)
{
	static const char *const names[PCP_BENCHES] = { "page_bench01", "page_bench02",
							"page_bench03", "page_bench04_bulk",
							"page_bench05_cross_cpu" };

	return names[bench];
}

uint64_t pcp_millicycles(const struct pcp_sample *sample)
{
	return sample->operations ? mul_div_u64(sample->cycles, 1000, sample->operations) : 0;
}

/* ---- memory --------------------------------------------------------------------------------- */

static uint32_t choose_ways(const struct options *options, enum pcp ways[PCP_COUNT])
{
	uint32_t count = 0;

	for (int pcp = 0; pcp < PCP_COUNT; pcp++)
		if (options->pcp_chosen[pcp])
			ways[count++] = (enum pcp)pcp;
	return count;
}

static uint32_t repetitions(const struct options *options)
{
	return max_u32(options->repeat, PCP_REPEAT_MIN);
}

/* The most that any machine with that number of CPUs can have. */
static uint32_t most_cells(uint32_t cpus)
{
	const uint32_t crews[2] = { cpus, cpus + 1 }, pairs[2] = { cpus / 2, cpus / 2 };

	return pcp_cells(crews, pairs, NULL);
}

static void take_results(struct arena *arena, const struct alloc_input *input,
			 struct pcp_results *r)
{
	uint64_t cells = most_cells(input->topology->cpu_count), runs;

	r->way_count = choose_ways(input->options, r->ways);
	r->repeat = repetitions(input->options);
	runs = cells * r->way_count;
	r->cells = arena_take(arena, cells, sizeof(*r->cells));
	r->samples = arena_take(arena, runs * r->repeat, sizeof(*r->samples));
	r->counters = arena_take(arena, runs, sizeof(*r->counters));
}

static struct pcp_bench_state *lay_out(struct arena *arena, const struct alloc_input *input,
				 struct pcp_results *results)
{
	uint32_t cpus = input->topology->cpu_count;
	struct pcp_bench_state state = { .input = input, .results = results }, *place;

	*results = (struct pcp_results){ 0 };
	take_results(arena, input, results);
	place = arena_take(arena, 1, sizeof(*place));
	for (int i = 0; i < 2; i++)
		state.crews[i] = arena_take(arena, cpus, sizeof(*state.crews[i]));
	state.crew = arena_take(arena, 1, sizeof(*state.crew));
	state.workers = arena_take(arena, cpus, sizeof(*state.workers));
	state.rings = arena_take(arena, cpus / 2, sizeof(*state.rings));
	state.pfns = arena_take(arena,
				PCP_OUTSTANDING_MAX + (uint64_t)cpus * PCP_OUTSTANDING_EACH,
				sizeof(*state.pfns));
	state.bitmap_words = pages_bitmap_words(input->topology);
	state.bitmap = arena_take(arena, state.bitmap_words, sizeof(*state.bitmap));
	state.allocator_memory = arena_take(arena, 1, page_allocator_bytes(input->allocator));
	if (!arena_fits(arena))
		return NULL;
	*place = state;
	return place;
}

uint64_t pcp_bytes(const struct alloc_input *input)
{
	struct arena arena = { 0 };
	struct pcp_results results;

	lay_out(&arena, input, &results);
	return arena.used;
}

/* ---- what there is to measure --------------------------------------------------------------- */

static bool find_crews(struct pcp_bench_state *s)
{
	const struct topology *topology = s->input->topology;

	for (int place = CREW_NODE; place <= CREW_ACROSS; place++)
		s->crew_counts[place] = crew_choose(topology, (enum crew_place)place,
						    topology->cpu_count, s->crews[place]);
	return s->crew_counts[CREW_NODE] > 0;
}

static void find_cells(struct pcp_bench_state *s)
{
	struct pcp_results *r = s->results;
	uint32_t pairs[2];

	for (int place = CREW_NODE; place <= CREW_ACROSS; place++)
		pairs[place] = pcp_cross_pairs(s->input->topology, (enum crew_place)place,
					       s->crews[place], s->crew_counts[place]);
	r->cell_count = pcp_cells(s->crew_counts, pairs, r->cells);
	memset(r->samples, 0,
	       (uint64_t)r->cell_count * r->way_count * r->repeat * sizeof(*r->samples));
	memset(r->counters, 0, (uint64_t)r->cell_count * r->way_count * sizeof(*r->counters));
}

/* All measurements that are left share the time that is left: what else takes time, the checks or
 * other guests of a host, makes them shorter. */
static void size_slice(struct pcp_bench_state *s)
{
	struct pcp_results *r = s->results;
	uint64_t left_ms = s->limits->total_ms, gone_ms, slice_us;

	gone_ms = mul_div_u64(alloc_now(s->input) - s->start_tsc, MS_PER_S, s->input->tsc_hz);
	left_ms = saturating_sub_u64(left_ms, gone_ms);
	slice_us = left_ms * US_PER_MS / s->cells_left;
	if (slice_us > s->limits->slice_us)
		slice_us = s->limits->slice_us;
	if (slice_us < SLICE_MIN_US)
		slice_us = SLICE_MIN_US;
	if (slice_us > r->longest_slice_us)
		r->longest_slice_us = (uint32_t)slice_us;
	if (slice_us < r->shortest_slice_us || !r->shortest_slice_us)
		r->shortest_slice_us = (uint32_t)slice_us;
	s->slice_cycles = mul_div_u64(s->input->tsc_hz, slice_us, US_PER_S);
	s->warm_cycles = s->slice_cycles / WARM_SHARE;
}

/* ---- a run: all cells of a workload under one way -------------------------------------------- */

/* With nothing allocated and nothing kept. What came from a zone past the lists may have gone to a
 * list, and the other way round. */
static const char *stats_fault(const struct page_alloc_stats *stats)
{
	if (stats->allocations != stats->frees)
		return "allocations and frees do not add up";
	if (stats->refilled_pages + stats->passed_out_pages !=
	    stats->drained_pages + stats->passed_in_pages)
		return "what came from the zones and what went back do not add up";
	return NULL;
}

static const char *check(struct pcp_bench_state *s, bool last)
{
	const struct alloc_input *input = s->input;
	struct page_alloc_stats stats;
	const char *fault;

	page_allocator_drain(input->allocator);
	s->results->runs++;
	if (atomic_load(&input->allocator->fault_count)) {
		s->results->free_fault = true;
		return "a page was freed that must not be";
	}
	stats = page_allocator_stats(input->allocator);
	fault = stats_fault(&stats);
	if (fault)
		return fault;
	if (last)
		return pages_take_all_fault(input, &s->before, s->bitmap, s->bitmap_words);
	return pages_state_fault(input, &s->before);
}

/* The cells of one workload are neighbours. */
static uint32_t end_of_bench(const struct pcp_results *r, uint32_t first)
{
	uint32_t end = first;

	while (end < r->cell_count && r->cells[end].bench == r->cells[first].bench)
		end++;
	return end;
}

static void show_progress(struct pcp_bench_state *s, enum pcp pcp)
{
	struct lab_progress progress = {
		.experiment = EXPERIMENT_PCP,
		.way = pcp_name(pcp),
		.index = s->index++,
		.count = s->count,
	};

	if (s->input->progress)
		s->input->progress(s->input->progress_context, &progress);
}

/* `last`: of this way. */
static const char *run_cells(struct pcp_bench_state *s, uint32_t first, uint32_t way,
			     uint32_t repetition, bool last)
{
	struct pcp_results *r = s->results;
	uint32_t end = end_of_bench(r, first);

	show_progress(s, r->ways[way]);
	size_slice(s);
	r->fault_way = r->ways[way];
	r->fault_bench = r->cells[first].bench;
	page_allocator_init(s->input->allocator, r->ways[way], s->allocator_memory);
	if (alloc_inject(s->input))
		return check(s, false);
	for (uint32_t cell = first; cell < end; cell++)
		if (!pcp_measure(s, cell, way, repetition))
			return "some CPUs were waited for in vain";
	return check(s, last && end == r->cell_count);
}

/* All workloads; of each the ways in turn, each repetition beginning with another one. */
static const char *run_repetition(struct pcp_bench_state *s, uint32_t repetition, bool last)
{
	struct pcp_results *r = s->results;
	const char *fault = NULL;

	for (uint32_t cell = 0; cell < r->cell_count && !fault; cell = end_of_bench(r, cell))
		for (uint32_t i = 0; i < r->way_count && !fault; i++)
			fault = run_cells(s, cell, (repetition + i) % r->way_count, repetition,
					  last);
	return fault;
}

/* Whether `more` repetitions, as long as the `done` ones, would end in time. */
static bool time_left(const struct pcp_bench_state *s, uint32_t done, uint32_t more)
{
	uint64_t passed = alloc_now(s->input) - s->start_tsc;
	uint64_t latest = mul_div_u64(s->input->tsc_hz, s->limits->latest_ms, MS_PER_S);

	return passed <= latest && passed / done * more <= latest - passed;
}

/* How many there will be is known before the last one but where the first was far too long. */
static const char *run_all(struct pcp_bench_state *s)
{
	struct pcp_results *r = s->results;
	const char *fault = NULL;
	bool last = false;

	for (uint32_t cell = 0; cell < r->cell_count; cell = end_of_bench(r, cell))
		s->count += r->way_count * r->repeat;
	while (r->repetitions < r->repeat && !last && !fault) {
		uint32_t done = r->repetitions;

		if (done && !time_left(s, done, 1))
			return pages_take_all_fault(s->input, &s->before, s->bitmap,
						    s->bitmap_words);
		last = done == r->repeat - 1 || (done && !time_left(s, done, 2));
		fault = run_repetition(s, done, last);
		r->repetitions++;
	}
	return fault;
}

bool pcp_run(const struct alloc_input *input, const struct pcp_limits *limits, void *memory,
	     uint64_t bytes, struct pcp_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct pcp_bench_state *s = lay_out(&arena, input, results);
	uint64_t start;

	if (!s || !find_crews(s) || !results->way_count)
		return false;
	start = alloc_now(input);
	find_cells(s);
	s->limits = limits;
	s->start_tsc = start;
	s->cells_left = (uint64_t)results->cell_count * results->way_count * results->repeat;
	pages_state_read(input, &s->before);
	results->fault = run_all(s);
	results->cycles = alloc_now(input) - start;
	return true;
}
