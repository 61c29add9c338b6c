/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/free_measure.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/free_inject.h"
#include "lab/alloc/free_mapping.h"
#include "lab/alloc/pages_check.h"
#include "lib/minmax.h"

/* ---- the locks ------------------------------------------------------------------------------ */

/* What all zones have counted so far; from here on holds are timed, or not. */
static struct free_locks read_locks(struct free_state *s, bool timed)
{
	struct buddy *buddy = s->allocator->buddy;
	struct free_locks sum = { 0 };

	for (uint32_t node = 0; node < s->input->topology->node_count; node++)
		for (int type = 0; type < ZONE_COUNT; type++) {
			struct zone_lock *lock = &buddy->zones[node][type].lock;

			sum.acquisitions += lock->acquisitions;
			sum.contended += lock->contended;
			sum.wait_cycles += lock->wait_cycles;
			sum.longest_hold_cycles =
				max_u64(sum.longest_hold_cycles, lock->longest_hold_cycles);
			lock->timed = timed;
			lock->longest_hold_cycles = 0;
		}
	return sum;
}

static void add_locks(struct free_row *row, const struct free_locks *before,
		      const struct free_locks *after)
{
	row->locks.acquisitions += after->acquisitions - before->acquisitions;
	row->locks.contended += after->contended - before->contended;
	row->locks.wait_cycles += after->wait_cycles - before->wait_cycles;
	row->locks.longest_hold_cycles =
		max_u64(row->locks.longest_hold_cycles, after->longest_hold_cycles);
}

/* ---- one run -------------------------------------------------------------------------------- */

static void work(void *argument, uint32_t index)
{
	struct free_state *s = argument;

	s->way->work(s->job, index);
	s->ends[index].tsc = alloc_now(s->input);
}

static void prepare(struct free_state *s, const struct free_row *row)
{
	const struct topology *topology = s->input->topology;

	page_allocator_init(s->allocator, s->way->pcp, s->allocator_memory);
	*s->job = (struct unmap_job){
		.space = &s->space,
		.ranks = s->ranks,
		.rank_count = row->cpus,
		.gather = s->results->settings[row->setting].gather,
		.pieces = !row->whole,
		.patience_cycles = s->input->machine->timeout_cycles,
		.state = s->way_state,
	};
	for (uint32_t i = 0; i < row->cpus; i++) {
		s->ranks[i] = (struct unmap_rank){ .cpu = s->cpus[i],
						   .node = topology->cpus[s->cpus[i]].node };
		s->ends[i].tsc = 0;
	}
	s->way->prepare(s->job);
}

static void add_sample(struct free_state *s, struct free_row *row)
{
	uint64_t go = atomic_load(&s->crew->go_tsc), cycles = 0;

	for (uint32_t i = 0; i < row->cpus; i++) {
		cycles = max_u64(cycles, cycles_between(go, s->ends[i].tsc));
		row->flushes += s->ranks[i].flushes;
		row->failures += s->ranks[i].failures;
		row->queued += s->ranks[i].queued;
	}
	row->cycles[row->count++] = cycles;
}

static const char *check(struct free_state *s)
{
	struct page_allocator *allocator = s->allocator;

	page_allocator_drain(allocator);
	if (atomic_load(&allocator->fault_count)) {
		s->results->free_fault = allocator->fault;
		return "a free was refused";
	}
	if (s->space.root_pfn != BUDDY_NONE)
		return "the mapping was not taken apart";
	return pages_state_fault(s->input, &s->before);
}

const char *free_measure(struct free_state *s, struct free_row *row)
{
	const char *fault = free_build(s, row->mapping, row->fragment);
	struct free_locks before, after;
	bool came;

	if (fault)
		return fault;
	if (s->input->options->free_chosen[row->way])
		free_inject(s);
	s->way = unmap_way(row->way);
	prepare(s, row);
	before = read_locks(s, true);
	came = crew_run(s->crew, s->input->machine, s->cpus, row->cpus, work, s);
	after = read_locks(s, false);
	if (!came)
		return "not all CPUs came to free the mapping";
	add_sample(s, row);
	add_locks(row, &before, &after);
	return check(s);
}
