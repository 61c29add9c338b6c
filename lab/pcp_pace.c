/*
 * Crews that are given up. Where there are more virtual CPUs than CPUs to run them, a large crew
 * meets, waits for locks and ends only when each of its CPUs has had its turn: its measurements take
 * a hundred times as long as they should, and say nothing. They are found in the first repetition,
 * by the time that there is for it, and with them go all larger crews.
 */
#include "lab/pcp_parts.h"
#include "lib/stats.h"
#include "lib/string.h"

enum { MS_PER_S = 1000, HEAD_START = 4, CREW_MIN = 3 /* pairs are always measured */ };

bool pcp_given_up(const struct pcp_results *results, const struct pcp_cell *cell)
{
	return results->crew_limit && cell->workers >= results->crew_limit;
}

/* Behind a pace at which all would end in time, and a part of that time to begin with. */
static bool is_late(const struct pcp_state *s)
{
	const struct pcp_results *r = s->results;
	uint64_t all = (uint64_t)r->cell_count * r->way_count * r->repeat;
	uint64_t done = all - s->cells_left, ms;

	if (done > all / r->repeat)
		return false;
	ms = s->limits->total_ms / HEAD_START + mul_div_u64(s->limits->latest_ms, done, all);
	return alloc_now(s->input) - s->start_tsc > mul_div_u64(s->input->tsc_hz, ms, MS_PER_S);
}

/* Figures of some ways only could not be compared. */
static void forget(const struct pcp_results *r, uint32_t cell)
{
	memset(pcp_sample(r, cell, 0, 0), 0,
	       (uint64_t)r->way_count * r->repeat * sizeof(*r->samples));
	memset(pcp_counters(r, cell, 0), 0, r->way_count * sizeof(*r->counters));
}

void pcp_keep_pace(struct pcp_state *s)
{
	struct pcp_results *r = s->results;

	if (s->cell->workers < CREW_MIN || !is_late(s))
		return;
	r->crew_limit = s->cell->workers;
	for (uint32_t i = 0; i < r->cell_count; i++)
		if (r->cells[i].bench == s->cell->bench && pcp_given_up(r, &r->cells[i]))
			forget(r, i);
}
