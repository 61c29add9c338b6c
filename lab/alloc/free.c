/* SPDX-License-Identifier: GPL-2.0-only */
/* Experiment `free`: its memory, its runs and their checks. */
#include "lab/alloc/free.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/free_mapping.h"
#include "lab/alloc/free_measure.h"
#include "lab/alloc/free_rows.h"
#include "lab/alloc/free_state.h"
#include "lab/alloc/pages_check.h"
#include "lab/run/memory.h"
#include "lib/minmax.h"

/* ---- memory --------------------------------------------------------------------------------- */

/* The most that any way may want of all the RAM and all CPUs. */
static uint64_t way_bytes(const struct alloc_input *input)
{
	struct address_space space = {
		.allocator = input->allocator,
		.node_count = input->topology->node_count,
	};
	struct unmap_job job = { .space = &space, .rank_count = input->topology->cpu_count };
	struct free_setting settings[FREE_SETTINGS_MAX];
	uint32_t setting_count = free_settings(input->options, settings);
	uint64_t bytes = 0;

	for (int mapping = 0; mapping < MAPPING_COUNT; mapping++) {
		space.mapping = (enum mapping)mapping;
		space.entries = input->topology->ram_pages >> address_space_order(&space);
		for (int way = 0; way < FREE_COUNT; way++)
			for (uint32_t i = 0; i < setting_count; i++) {
				job.gather = settings[i].gather;
				bytes = max_u64(bytes, unmap_way((enum free_way)way)->bytes(&job));
			}
	}
	return bytes;
}

static struct free_state *lay_out(struct arena *arena, const struct alloc_input *input,
				  uint64_t **samples)
{
	const struct topology *topology = input->topology;
	struct free_state state = { .input = input, .allocator = input->allocator }, *place;

	place = arena_take(arena, 1, sizeof(*place));
	*samples = arena_take(arena, (uint64_t)FREE_ROWS_MAX * input->options->repeat,
			      sizeof(**samples));
	state.cpus = arena_take(arena, topology->cpu_count, sizeof(*state.cpus));
	state.crew = arena_take(arena, 1, sizeof(*state.crew));
	state.supply = arena_take(arena, MAPPING_COUNT, sizeof(*state.supply));
	state.fill = arena_take(arena, 1, sizeof(*state.fill));
	state.job = arena_take(arena, 1, sizeof(*state.job));
	state.ranks = arena_take(arena, topology->cpu_count, sizeof(*state.ranks));
	state.ends = arena_take(arena, topology->cpu_count, sizeof(*state.ends));
	state.allocator_memory = arena_take(arena, 1, page_allocator_bytes(input->allocator));
	state.way_state = arena_take(arena, 1, way_bytes(input));
	state.bitmap_words = pages_bitmap_words(topology);
	state.bitmap = arena_take(arena, state.bitmap_words, sizeof(*state.bitmap));
	if (!arena_fits(arena))
		return NULL;
	*place = state;
	return place;
}

uint64_t free_bytes(const struct alloc_input *input)
{
	struct arena arena = { 0 };
	uint64_t *samples;

	lay_out(&arena, input, &samples);
	return arena.used;
}

/* The walker is of the node with the most CPUs; the others are of the nodes in turn. */
static void choose_cpus(struct free_state *s)
{
	uint32_t walker;

	s->cpu_count = crew_choose(s->input->topology, CREW_ACROSS, s->input->topology->cpu_count,
				   s->cpus);
	if (!crew_choose(s->input->topology, CREW_NODE, 1, &walker))
		return;
	for (uint32_t i = 1; i < s->cpu_count; i++)
		if (s->cpus[i] == walker) {
			s->cpus[i] = s->cpus[0];
			s->cpus[0] = walker;
		}
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void show_progress(struct free_state *s, const struct free_row *row)
{
	const struct alloc_input *input = s->input;
	struct lab_progress progress = {
		.experiment = EXPERIMENT_FREE,
		.way = free_way_name(row->way),
		.index = s->runs++,
		.count = s->results->row_count * input->options->repeat,
	};

	if (input->progress)
		input->progress(input->progress_context, &progress);
}

/* Whether so long a run as the next is likely to be would end in time. The first repetition of the
 * rows asked for always has time; of the comparison what still fits. */
static bool time_left(const struct free_state *s, enum free_group group, uint64_t next_cycles)
{
	static const uint32_t end_s[FREE_GROUPS] = { 30, 45 };

	return alloc_now(s->input) - s->began_tsc + next_cycles <= end_s[group] * s->input->tsc_hz;
}

/* Each round begins with another row. The comparison goes from vanilla to the last row and back:
 * the ways between them take longest. */
static uint32_t row_in_turn(const struct free_state *s, enum free_group group, uint32_t first,
			    uint32_t turn)
{
	uint32_t count = s->results->group_end[group] - first, at = turn % count;

	return first + (group == FREE_COMPARISON && at ? count - at : at);
}

/* Rows from `first` on; false: no more rounds. */
static bool run_round(struct free_state *s, enum free_group group, uint32_t first, uint32_t round)
{
	struct free_results *r = s->results;
	uint32_t count = r->group_end[group] - first;
	uint64_t longest_cycles = 0, began_tsc;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = row_in_turn(s, group, first, i + round);

		if (group == FREE_COMPARISON && !time_left(s, group, longest_cycles)) {
			r->time_over[group] = true;
			return false;
		}
		show_progress(s, &r->rows[at]);
		began_tsc = alloc_now(s->input);
		r->fault = free_measure(s, &r->rows[at]);
		if (r->fault) {
			r->fault_row = at;
			return false;
		}
		longest_cycles = max_u64(longest_cycles, alloc_now(s->input) - began_tsc);
	}
	return true;
}

static void run_group(struct free_state *s, enum free_group group, uint32_t first)
{
	uint64_t began_tsc = alloc_now(s->input);
	bool *time_over = &s->results->time_over[group];

	for (uint32_t round = 0; round < s->input->options->repeat; round++) {
		uint64_t passed = alloc_now(s->input) - began_tsc;

		*time_over = round && !time_left(s, group, passed / round);
		if (*time_over || !run_round(s, group, first, round))
			return;
	}
}

static void run_groups(struct free_state *s)
{
	uint32_t first = 0;

	for (int group = 0; group < FREE_GROUPS && !s->results->fault; group++) {
		run_group(s, (enum free_group)group, first);
		first = s->results->group_end[group];
	}
}

bool free_run(const struct alloc_input *input, void *memory, uint64_t bytes,
	      struct free_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	uint64_t *samples;
	struct free_state *s = lay_out(&arena, input, &samples);

	*results = (struct free_results){ 0 };
	if (!s)
		return false;
	s->results = results;
	choose_cpus(s);
	if (!s->cpu_count)
		return false;
	for (uint32_t i = 0; i < FREE_ROWS_MAX; i++)
		results->rows[i].cycles = samples + (uint64_t)i * input->options->repeat;
	s->began_tsc = alloc_now(input);
	results->setting_count = free_settings(input->options, results->settings);
	results->batch = input->options->free_chosen[FREE_BATCH];
	page_allocator_init(s->allocator, PCP_NONE, s->allocator_memory);
	pages_state_read(input, &s->before);
	results->free_pages = s->before.census.free_pages;
	free_sizes(s);
	free_rows(s);
	run_groups(s);
	if (!results->fault) {
		results->fault_row = results->row_count;
		results->fault = pages_take_all_fault(input, &s->before, s->bitmap,
						      s->bitmap_words);
	}
	results->cycles = alloc_now(input) - s->began_tsc;
	return true;
}
