/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/stream.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/pages_check.h"
#include "lab/alloc/stream_measure.h"
#include "lab/alloc/stream_settings.h"
#include "lab/alloc/stream_socket.h"
#include "lab/alloc/stream_state.h"
#include "lab/run/memory.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/stats.h"
#include "lib/string.h"
#include "mm/slab/slab_drain.h"

enum { FIGURES_MIN = 4 /* a setting goes on if one slice of that number has one */ };

/* The small queue of the published runs, and the large one of today's. */
static const struct stream_choice usual = {
	.queue_bytes = { 0, STREAM_QUEUE_TODAY },
	.queue_count = 2,
	.pairs_max = CPU_MAX,
	.slice_us = 10000,
	.total_ms = 12000,
	.impatient = true,
};

/* ---- memory --------------------------------------------------------------------------------- */

/* What the others are compared with comes first. */
static uint32_t choose_ways(const struct options *options, enum pcp ways[PCP_COUNT])
{
	uint32_t count = 0;

	ways[count++] = PCP_ORDER0;
	for (int pcp = 0; pcp < PCP_COUNT; pcp++)
		if (pcp != PCP_ORDER0 && options->pcp_chosen[pcp])
			ways[count++] = (enum pcp)pcp;
	return count;
}

static uint32_t most_pairs(const struct alloc_input *input)
{
	uint32_t cpus = input->topology->cpu_count;

	return cpus < 2 ? 1 : cpus / 2;
}

/* Of places, queues and numbers of pairs; no more than there may be. */
static uint32_t most_settings(const struct alloc_input *input)
{
	uint32_t places = input->topology->node_count > 1 ? 2 : 1, steps = 0;

	for (uint32_t pairs = crew_next(1, most_pairs(input)); pairs;
	     pairs = crew_next(pairs, most_pairs(input)))
		steps++;
	return places * (STREAM_QUEUES_MAX + steps) + 1;
}

static void take_results(struct arena *arena, const struct alloc_input *input,
			 struct stream_results *r)
{
	uint32_t repeat = input->options->repeat;

	r->way_count = choose_ways(input->options, r->ways);
	r->repeat = max_u32(repeat, STREAM_REPEAT_MIN);
	r->samples = arena_take(arena,
				(uint64_t)most_settings(input) * r->way_count * STREAM_SIZES *
					r->repeat,
				sizeof(*r->samples));
}

static void take_pairs(struct arena *arena, struct stream_state *s, uint32_t count)
{
	s->pairs = arena_take(arena, count, sizeof(*s->pairs));
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *sender = arena_take(arena, 1, STREAM_MESSAGE_MAX);
		uint8_t *receiver = arena_take(arena, 1, STREAM_MESSAGE_MAX);

		if (!receiver)
			continue;
		s->pairs[i].sender_user = sender;
		s->pairs[i].receiver_user = receiver;
	}
}

static struct stream_state *lay_out(struct arena *arena, const struct alloc_input *input,
				    struct stream_results *results)
{
	uint32_t cpus = input->topology->cpu_count;
	struct stream_state state = { .input = input, .results = results }, *place;

	*results = (struct stream_results){ 0 };
	take_results(arena, input, results);
	place = arena_take(arena, 1, sizeof(*place));
	for (int i = 0; i < 2; i++)
		state.crews[i] = arena_take(arena, cpus, sizeof(*state.crews[i]));
	state.crew = arena_take(arena, 1, sizeof(*state.crew));
	take_pairs(arena, &state, most_pairs(input));
	state.slab_memory = arena_take(
		arena, 1, slab_layer_bytes(input->allocator, input->topology->node_count));
	state.allocator_memory = arena_take(arena, 1, page_allocator_bytes(input->allocator));
	if (!arena_fits(arena))
		return NULL;
	*place = state;
	return place;
}

uint64_t stream_bytes(const struct alloc_input *input)
{
	struct arena arena = { 0 };
	struct stream_results results;

	lay_out(&arena, input, &results);
	return arena.used;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static const char *check_run(const struct stream_state *s)
{
	struct page_allocator *allocator = s->input->allocator;

	page_allocator_drain(allocator);
	if (atomic_load_explicit(&allocator->fault_count, memory_order_relaxed)) {
		s->results->free_fault = true;
		return "a free was refused";
	}
	return pages_state_fault(s->input, &s->before);
}

static void show_progress(struct stream_state *s)
{
	struct lab_progress progress = {
		.experiment = EXPERIMENT_PCP,
		.way = "messages",
		.index = s->index++,
		.count = s->count,
	};

	if (s->input->progress)
		s->input->progress(s->input->progress_context, &progress);
}

/* All sizes under one way. Repetition `repeat` is the one that is not counted. */
static const char *run_way(struct stream_state *s, uint32_t setting, uint32_t way,
			   uint32_t repetition)
{
	const struct alloc_input *input = s->input;
	struct stream_results *r = s->results;
	const char *fault = NULL;

	show_progress(s);
	page_allocator_init(input->allocator, r->ways[way], s->allocator_memory);
	slab_layer_init(&s->layer, input->allocator, input->base, input->topology->node_count,
			s->slab_memory);
	for (uint32_t size = 0; size < STREAM_SIZES && !fault; size++) {
		struct stream_sample sample;

		s->longest_cycles = stream_longest_slice(s, repetition < r->repeat);
		fault = stream_measure(s, &r->settings[setting], size, &sample);
		if (repetition < r->repeat)
			*stream_sample(r, setting, way, size, repetition) = sample;
	}
	r->runs++;
	return fault ? fault : check_run(s);
}

/* All ways; each turn begins with another one. False: a fault. */
static bool run_turn(struct stream_state *s, uint32_t setting, uint32_t turn)
{
	struct stream_results *r = s->results;

	for (uint32_t i = 0; i < r->way_count; i++) {
		uint32_t way = (turn + i) % r->way_count;

		r->fault = run_way(s, setting, way, turn ? turn - 1 : r->repeat);
		if (!r->fault)
			continue;
		r->fault_way = r->ways[way];
		r->fault_setting = setting;
		return false;
	}
	return true;
}

/* Whether the first turn that counts says that the others are worth their time. */
static bool has_figures(const struct stream_state *s, uint32_t setting)
{
	const struct stream_results *r = s->results;
	uint32_t figures = 0, missing = 0;

	for (uint32_t way = 0; way < r->way_count; way++)
		for (uint32_t size = 0; size < STREAM_SIZES; size++) {
			const struct stream_sample *one = stream_sample(r, setting, way, size, 0);

			figures += one->burst_millicycles > 0;
			missing += !one->burst_millicycles && !one->starved;
		}
	return (FIGURES_MIN - 1) * figures >= missing;
}

/* The first turn is not counted. False: a fault. */
static bool run_setting(struct stream_state *s, uint32_t setting)
{
	struct stream_setting *what = &s->results->settings[setting];

	stream_begin_setting(s);
	for (uint32_t turn = 0; turn <= s->results->repeat; turn++) {
		if (!run_turn(s, setting, turn))
			return false;
		what->repetitions = turn;
		if (turn == 1 && s->choice->impatient && !has_figures(s, setting))
			break;
	}
	s->index = (setting + 1) * s->results->way_count * (s->results->repeat + 1);
	return true;
}

bool stream_run_chosen(const struct alloc_input *input, const struct stream_choice *choice,
		       void *memory, uint64_t bytes, struct stream_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct stream_state *s = lay_out(&arena, input, results);
	uint32_t done = 0;

	if (!s)
		return false;
	s->choice = choice;
	if (!stream_find_settings(s))
		return false;
	memset(results->samples, 0,
	       (uint64_t)results->setting_count * results->way_count * STREAM_SIZES *
		       results->repeat * sizeof(*results->samples));
	s->start_tsc = alloc_now(input);
	stream_share_time(s);
	pages_state_read(input, &s->before);
	while (done < results->setting_count && (!done || stream_has_time(s)) &&
	       run_setting(s, done))
		done++;
	if (!results->fault) {
		results->left_out = results->setting_count - done;
		results->setting_count = done;
	}
	results->cycles = alloc_now(input) - s->start_tsc;
	return true;
}

bool stream_run(const struct alloc_input *input, void *memory, uint64_t bytes,
		struct stream_results *results)
{
	return stream_run_chosen(input, &usual, memory, bytes, results);
}
