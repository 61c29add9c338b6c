/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/pcp_pace.h"

#include "lab/alloc/pcp_bench_state.h"
#include "lib/stats.h"
#include "lib/string.h"

enum { MS_PER_S = 1000, HEAD_START = 4, SHARES = 2, CREW_MIN = 3 /* pairs always have a figure */ };

bool pcp_given_up(const struct pcp_results *results, const struct pcp_cell *cell)
{
	return results->crew_limit && cell->workers >= results->crew_limit;
}

static uint64_t in_cycles(const struct pcp_bench_state *s, uint64_t ms)
{
	return mul_div_u64(s->input->tsc_hz, ms, MS_PER_S);
}

static uint64_t all_measurements(const struct pcp_results *r)
{
	return (uint64_t)r->cell_count * r->way_count * r->repeat;
}

/* Behind a pace at which all would end in time, and a part of that time to begin with. */
static bool is_late(const struct pcp_bench_state *s)
{
	uint64_t all = all_measurements(s->results), done = all - s->cells_left;
	uint64_t ms = mul_div_u64(s->limits->latest_ms, done, all);

	return done <= all / s->results->repeat &&
	       alloc_now(s->input) - s->start_tsc >
		       in_cycles(s, s->limits->total_ms / HEAD_START + ms);
}

/* Figures of some ways only could not be compared. */
static void forget(const struct pcp_results *r, uint32_t cell)
{
	memset(pcp_sample(r, cell, 0, 0), 0,
	       (uint64_t)r->way_count * r->repeat * sizeof(*r->samples));
	memset(pcp_counters(r, cell, 0), 0, r->way_count * sizeof(*r->counters));
}

void pcp_keep_pace(struct pcp_bench_state *s, uint64_t cycles)
{
	struct pcp_results *r = s->results;
	uint64_t share = in_cycles(s, s->limits->latest_ms) / all_measurements(r);

	if (s->cell->workers < CREW_MIN || cycles <= SHARES * share || !is_late(s))
		return;
	r->crew_limit = s->cell->workers;
	for (uint32_t i = 0; i < r->cell_count; i++)
		if (r->cells[i].bench == s->cell->bench && pcp_given_up(r, &r->cells[i]))
			forget(r, i);
}
