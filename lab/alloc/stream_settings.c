/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/stream_settings.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/pcp_bench_state.h"
#include "lab/alloc/pcp_cells.h"
#include "lab/alloc/stream_state.h"
#include "lib/minmax.h"
#include "lib/stats.h"

enum {
	US_PER_S = 1000000,
	US_PER_MS = 1000,
	MS_PER_S = 1000,
	SLICE_MIN_US = 200,
	EXTENSION = 20, /* of a slice with few messages */
	LATEST = 3      /* times the time that all are to take: nothing more is begun */
};

/* ---- settings ------------------------------------------------------------------------------- */

/* One CPU alone is a place only where there is no pair of one node. */
static bool find_pairs(struct stream_state *s)
{
	const struct topology *topology = s->input->topology;

	for (int place = CREW_NODE; place <= CREW_ACROSS; place++) {
		uint32_t count = crew_choose(topology, (enum crew_place)place,
					     topology->cpu_count, s->crews[place]);

		s->pair_counts[place] = pcp_cross_pairs(topology, (enum crew_place)place,
							s->crews[place], count);
		if (s->pair_counts[place] > s->choice->pairs_max)
			s->pair_counts[place] = s->choice->pairs_max;
		s->place_exists[place] = s->pair_counts[place] ||
					 (place == CREW_NODE && count);
	}
	return s->place_exists[CREW_NODE];
}

static void add(struct stream_state *s, enum crew_place place, uint32_t pairs,
		uint64_t queue_bytes)
{
	struct stream_results *r = s->results;

	if (r->setting_count < STREAM_SETTINGS_MAX)
		r->settings[r->setting_count++] = (struct stream_setting){
			.place = place, .pairs = pairs, .queue_bytes = queue_bytes
		};
}

/* Every queue with one pair. Of one node also one CPU that does both: the published runs were not
 * bound to CPUs, and this needs no two at the same time. */
static void add_one_pair(struct stream_state *s, enum crew_place place)
{
	uint32_t all = s->pair_counts[place];

	for (uint32_t i = 0; i < s->choice->queue_count; i++)
		add(s, place, all ? 1 : 0, s->choice->queue_bytes[i]);
	if (all && place == CREW_NODE)
		add(s, place, 0, s->choice->queue_bytes[0]);
}

/* The first queue with 2, 4 ... pairs. */
static void add_more_pairs(struct stream_state *s, enum crew_place place)
{
	uint32_t all = s->pair_counts[place];

	for (uint32_t pairs = crew_next(1, all); pairs; pairs = crew_next(pairs, all))
		add(s, place, pairs, s->choice->queue_bytes[0]);
}

bool stream_find_settings(struct stream_state *s)
{
	if (!find_pairs(s))
		return false;
	for (int place = CREW_NODE; place <= CREW_ACROSS; place++)
		if (s->place_exists[place])
			add_one_pair(s, (enum crew_place)place);
	for (int place = CREW_NODE; place <= CREW_ACROSS; place++)
		if (s->place_exists[place])
			add_more_pairs(s, (enum crew_place)place);
	return true;
}

/* ---- time ----------------------------------------------------------------------------------- */

static uint32_t slices_of_setting(const struct stream_results *r)
{
	return r->way_count * (r->repeat + 1) * STREAM_SIZES;
}

void stream_share_time(struct stream_state *s)
{
	struct stream_results *r = s->results;
	uint64_t slices = (uint64_t)r->setting_count * slices_of_setting(r), slice_us;

	s->count = r->setting_count * r->way_count * (r->repeat + 1);
	slice_us = (uint64_t)s->choice->total_ms * US_PER_MS / slices;
	if (slice_us > s->choice->slice_us)
		slice_us = s->choice->slice_us;
	if (slice_us < SLICE_MIN_US)
		slice_us = SLICE_MIN_US;
	r->slice_us = (uint32_t)slice_us;
	s->slice_cycles = mul_div_u64(s->input->tsc_hz, slice_us, US_PER_S);
	s->end_tsc = s->start_tsc + mul_div_u64(s->input->tsc_hz,
						(uint64_t)LATEST * s->choice->total_ms, MS_PER_S);
}

static uint64_t left_until(const struct stream_state *s, uint64_t end_tsc)
{
	uint64_t now = alloc_now(s->input);

	return saturating_sub_u64(end_tsc, now);
}

static uint64_t shortest_setting(const struct stream_state *s)
{
	return slices_of_setting(s->results) * s->slice_cycles;
}

bool stream_has_time(const struct stream_state *s)
{
	uint64_t left = left_until(s, s->end_tsc);

	return left && left >= shortest_setting(s);
}

/* Half of what is left: the first ones, which are the published runs, may take most of it. */
void stream_begin_setting(struct stream_state *s)
{
	s->slices_left = slices_of_setting(s->results);
	s->setting_end_tsc = alloc_now(s->input) + left_until(s, s->end_tsc) / 2;
}

uint64_t stream_longest_slice(struct stream_state *s, bool counts)
{
	uint64_t share = left_until(s, s->setting_end_tsc) / s->slices_left--;

	if (!counts || share < s->slice_cycles)
		return s->slice_cycles;
	return min_u64(share, EXTENSION * s->slice_cycles);
}
