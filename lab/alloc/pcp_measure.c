/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/pcp_measure.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/pcp_cross.h"
#include "lab/alloc/pcp_pace.h"
#include "lab/alloc/pcp_work.h"

static struct pcp_counters read_counters(const struct alloc_input *input)
{
	struct alloc_locks locks = alloc_locks(input);

	return (struct pcp_counters){
		.pages = page_allocator_stats(input->allocator),
		.zone_acquisitions = locks.acquisitions,
		.zone_contended = locks.contended,
		.zone_wait_cycles = locks.wait_cycles,
	};
}

/* The statistics and the locks count on from one measurement to the next. */
static void add_counters(struct pcp_counters *sum, const struct pcp_counters *before,
			 const struct pcp_counters *after)
{
	sum->pages.allocations += after->pages.allocations - before->pages.allocations;
	sum->pages.frees += after->pages.frees - before->pages.frees;
	sum->pages.hits += after->pages.hits - before->pages.hits;
	sum->pages.refills += after->pages.refills - before->pages.refills;
	sum->pages.refilled_pages += after->pages.refilled_pages - before->pages.refilled_pages;
	sum->pages.drains += after->pages.drains - before->pages.drains;
	sum->pages.drained_pages += after->pages.drained_pages - before->pages.drained_pages;
	sum->pages.lock_failures += after->pages.lock_failures - before->pages.lock_failures;
	sum->pages.remote_frees += after->pages.remote_frees - before->pages.remote_frees;
	sum->pages.failures += after->pages.failures - before->pages.failures;
	sum->zone_acquisitions += after->zone_acquisitions - before->zone_acquisitions;
	sum->zone_contended += after->zone_contended - before->zone_contended;
	sum->zone_wait_cycles += after->zone_wait_cycles - before->zone_wait_cycles;
}

/* Where one of them found no memory there is no figure. */
static bool sum_up(const struct pcp_bench_state *s, struct pcp_sample *sample)
{
	*sample = (struct pcp_sample){ .fastest_millicycles = UINT64_MAX };
	for (uint32_t i = 0; i < s->cell->workers; i++) {
		const struct pcp_worker *w = &s->workers[i];
		struct pcp_sample one = { w->operations, w->cycles, 0, 0 };
		uint64_t each = pcp_millicycles(&one);

		if (w->failed)
			return false;
		if (!w->operations) {
			*sample = (struct pcp_sample){ 0 };
			return true;
		}
		sample->operations += w->operations;
		sample->cycles += w->cycles;
		if (each < sample->fastest_millicycles)
			sample->fastest_millicycles = each;
		if (each > sample->slowest_millicycles)
			sample->slowest_millicycles = each;
	}
	return true;
}

static uint64_t *pfns_of(const struct pcp_bench_state *s, uint32_t worker)
{
	return worker ? s->pfns + PCP_OUTSTANDING_MAX + (worker - 1ull) * PCP_OUTSTANDING_EACH :
			s->pfns;
}

/* Blocks that the cell before has left on a CPU's lists would count there. */
static void prepare(struct pcp_bench_state *s)
{
	const struct topology *topology = s->input->topology;
	const uint32_t *crew = s->crews[s->cell->place];

	page_allocator_drain(s->input->allocator);
	for (uint32_t i = 0; i < s->cell->workers; i++)
		s->workers[i] = (struct pcp_worker){
			.cpu = crew[i],
			.node = crew_memory_node(topology, crew[i]),
			.pfns = pfns_of(s, i),
		};
	if (s->cell->bench == PCP_CROSS)
		for (uint32_t i = 0; i < s->cell->workers / 2; i++)
			s->rings[i] = (struct pcp_ring){ 0 };
}

bool pcp_measure(struct pcp_bench_state *s, uint32_t cell, uint32_t way, uint32_t repetition)
{
	struct pcp_counters before, after;
	uint64_t start = alloc_now(s->input);
	bool met;

	s->cell = &s->results->cells[cell];
	s->cells_left--;
	if (pcp_given_up(s->results, s->cell))
		return true;
	prepare(s);
	before = read_counters(s->input);
	met = crew_run(s->crew, s->input->machine, s->crews[s->cell->place], s->cell->workers,
		       s->cell->bench == PCP_CROSS ? pcp_cross : pcp_work, s);
	after = read_counters(s->input);
	add_counters(pcp_counters(s->results, cell, way), &before, &after);
	if (!met || !sum_up(s, pcp_sample(s->results, cell, way, repetition)))
		return false;
	pcp_keep_pace(s, alloc_now(s->input) - start);
	return true;
}
