/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/calibration_search.h"

#include "lab/run/memory.h"
#include "lab/workers/calibration.h"
#include "lab/workers/calibration_before.h"
#include "lab/workers/calibration_parts.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/round.h"
#include "lib/string.h"
#include "mm/init/chunk_sized.h"

enum { CHUNKS_PER_WORKER = 4 }; /* as by padata's rule, where there is as much */

void calibrate_take_search(struct arena *arena, const struct lab_capacity *capacity,
			   struct calibrate_state *c)
{
	c->nodes = arena_take(arena, capacity->nodes, sizeof(*c->nodes));
	c->workers = arena_take(arena, capacity->cpus, sizeof(*c->workers));
	c->cpus = arena_take(arena, capacity->cpus, sizeof(*c->cpus));
	c->barrier = arena_take(arena, 1, sizeof(*c->barrier));
}

/* ---- the nodes ------------------------------------------------------------------------------ */

static void find_piece(const struct calibrate_state *c, uint32_t node, struct search_node *s)
{
	for (uint64_t i = 0; i < c->plan->span_count; i++) {
		const struct init_span *span = &c->plan->spans[i];
		uint64_t start = round_up_u64(span->start_pfn, BLOCK_PAGES);
		uint64_t end = round_down_u64(span->end_pfn, BLOCK_PAGES);

		if (span->node == node && span->deferred && end > start &&
		    end - start > s->end_pfn - s->start_pfn) {
			s->start_pfn = start;
			s->end_pfn = end;
		}
	}
	s->at_pfn = s->start_pfn;
}

static bool has_cpus(const struct topology *topology, uint32_t node)
{
	for (uint32_t i = 0; i < topology->cpu_count; i++)
		if (topology->cpus[i].online && topology->cpus[i].node == node)
			return true;
	return false;
}

/* Never 0, however coarse the clock. */
static uint64_t curve_cycles(uint64_t cycles, uint64_t pages)
{
	uint64_t scaled = mul_div_u64(cycles, CALIBRATE_CURVE_PAGES, pages);

	return scaled ? scaled : 1;
}

static void open_node(struct calibrate_state *c, uint32_t node)
{
	const struct lab_input *input = c->input->init;
	const struct calibrated_node *figure = &c->result->nodes[node];
	struct search_node *s = &c->nodes[node];

	memset(s, 0, sizeof(*s));
	if (!figure->sample.median || !has_cpus(input->topology, node))
		return;
	find_piece(c, node, s);
	s->args = calibrate_args(c, node, input->stores.with_free);
	s->most = c->plan->nodes[node].worker_count;
	s->point_workers = 1;
	s->point_cycles = curve_cycles(figure->sample.median, figure->sample_pages);
}

/* ---- time ----------------------------------------------------------------------------------- */

/* A lower bound of what initialising the slowest node takes: all its CPUs work as fast as the last
 * step's. */
static uint64_t estimate_cycles(const struct calibrate_state *c)
{
	uint64_t slowest = 0;

	for (uint32_t node = 0; node < c->input->init->topology->node_count; node++) {
		const struct search_node *s = &c->nodes[node];
		uint64_t pages = c->plan->nodes[node].deferred_pages, cycles;

		if (!s->most)
			continue;
		cycles = mul_div_u64(s->point_cycles * s->point_workers, pages,
				     (uint64_t)CALIBRATE_CURVE_PAGES * s->most);
		if (cycles > slowest)
			slowest = cycles;
	}
	return slowest;
}

static void find_limit(struct calibrate_state *c)
{
	c->result->estimate_cycles = estimate_cycles(c);
	c->result->limit_cycles = mul_div_u64(c->result->estimate_cycles, CALIBRATE_PERCENT, 100);
}

static uint32_t next_workers(const struct search_node *s)
{
	uint32_t next = worker_count_next(s->workers);

	if (s->workers == s->most)
		return 0;
	return min_u32(next, s->most);
}

/* The most steps that any node has left, the current one included. */
static uint32_t steps_left(const struct calibrate_state *c)
{
	uint32_t most = 0;

	for (uint32_t node = 0; node < c->input->init->topology->node_count; node++) {
		struct search_node s = c->nodes[node];
		uint32_t steps = 0;

		for (; s.workers; s.workers = next_workers(&s))
			steps++;
		if (steps > most)
			most = steps;
	}
	return most;
}

/* What it takes to wake `cpus` CPUs and have them meet: in proportion to the last step, which has
 * half as many at least, but the meeting says more of the boot CPU's first company. */
static uint64_t predict_overhead(const struct calibrate_state *c, uint32_t cpus)
{
	uint64_t met = c->meeting_cycles, last = 0;

	if (cpus < c->meeting_cpus)
		met = mul_div_u64(met, cpus, c->meeting_cpus);
	if (c->overhead_cpus)
		last = mul_div_u64(c->overhead_cycles, cpus, c->overhead_cpus);
	return max_u64(met, last);
}

static uint64_t predict_work(const struct search_node *s)
{
	return mul_div_u64(s->pages, s->point_cycles, CALIBRATE_CURVE_PAGES);
}

/* ---- a step --------------------------------------------------------------------------------- */

/* Frames for `slice` cycles if the workers together are no faster than those of the last step, the
 * same number of blocks for each; false: there is no time for a block each, or not as much
 * memory. */
static bool size_step(struct search_node *s, uint64_t slice_cycles)
{
	uint64_t each = mul_div_u64(slice_cycles,
				    CALIBRATE_CURVE_PAGES / BLOCK_PAGES,
				    s->point_cycles * s->workers);
	uint64_t most = (s->end_pfn - s->start_pfn) / BLOCK_PAGES / s->workers;

	if (each > most)
		each = most;
	s->pages = each * s->workers * BLOCK_PAGES;
	return each > 0;
}

static void prepare_step(struct calibrate_state *c, struct search_node *s)
{
	bool sized = s->args.descriptor_bytes != sizeof(struct page);
	uint64_t blocks = s->pages / BLOCK_PAGES / s->workers / CHUNKS_PER_WORKER;

	if (s->end_pfn - s->at_pfn < s->pages)
		s->at_pfn = s->start_pfn;
	if (!sized)
		memset(c->input->init->buddy->pageblocks + s->at_pfn / PAGEBLOCK_PAGES,
		       MIGRATE_UNTYPED, s->pages / PAGEBLOCK_PAGES);
	dispatch_prepare(&s->job, &(struct job){
		.function = sized ? chunk_init_sized : chunk_init_and_free,
		.argument = &s->args,
		.start = s->at_pfn,
		.size = s->pages,
		.align = 1,
		.min_chunk = BLOCK_PAGES,
		.max_workers = s->workers,
		.exact_chunk = (blocks ? blocks : 1) * BLOCK_PAGES,
	});
	s->at_pfn += s->pages;
}

static void work(void *argument, uint32_t index)
{
	struct calibrate_state *c = argument;
	struct search_worker *w = &c->workers[index];
	uint64_t timeout = c->input->init->machine->timeout_cycles;

	w->go_tsc = barrier_wait(c->barrier, timeout);
	if (w->go_tsc && dispatch_work(&c->nodes[w->node].job, w->rank, NULL, 0))
		w->end_tsc = calibrate_now(c);
}

/* The last chunk's end on each node becomes the curve's next point. The longest, or 0 when the
 * workers did not all meet. */
static uint64_t add_points(struct calibrate_state *c, uint32_t worker_count)
{
	uint64_t cycles[NODE_MAX] = { 0 }, longest = 0;

	for (uint32_t i = 0; i < worker_count; i++) {
		const struct search_worker *w = &c->workers[i];
		uint64_t taken = cycles_between(w->go_tsc, w->end_tsc);

		if (!w->go_tsc)
			return 0;
		if (taken > cycles[w->node])
			cycles[w->node] = taken;
	}
	for (uint32_t node = 0; node < c->input->init->topology->node_count; node++) {
		struct worker_curve *curve = &c->result->curves[node];
		struct search_node *s = &c->nodes[node];

		if (!cycles[node] || curve->count == WORKER_POINTS_MAX)
			continue;
		s->point_workers = s->workers;
		s->point_cycles = curve_cycles(cycles[node], s->pages);
		curve->points[curve->count++] =
			(struct worker_point){ s->workers, s->point_cycles };
		curve->complete = s->workers == s->most;
		c->result->nodes[node].probes++;
		if (cycles[node] > longest)
			longest = cycles[node];
	}
	return longest;
}

/* False: the workers did not meet. */
static bool run_step(struct calibrate_state *c, struct calibrate_step *step)
{
	const struct lab_input *input = c->input->init;
	uint64_t start = calibrate_now(c), longest, all;
	uint32_t count;

	buddy_reset(input->buddy);
	for (uint32_t node = 0; node < input->topology->node_count; node++)
		if (c->nodes[node].workers)
			prepare_step(c, &c->nodes[node]);
	count = calibrate_gather(c);
	barrier_init(c->barrier, count);
	input->machine->run(input->machine->context, c->cpus, count, work, c);
	longest = add_points(c, count);
	all = calibrate_now(c) - start;
	step->cycles = longest ? all : 0;
	c->overhead_cycles = saturating_sub_u64(all, longest);
	c->overhead_cpus = count;
	return longest > 0;
}

/* Sizes the current step on every node, and says what it will cost. False when none has time for
 * it, or memory. */
static bool size_steps(struct calibrate_state *c, uint64_t left_cycles, struct calibrate_step *step)
{
	uint32_t nodes = c->input->init->topology->node_count;
	uint64_t share = left_cycles / steps_left(c), overhead, work = 0;

	*step = (struct calibrate_step){ .left_cycles = left_cycles };
	for (uint32_t node = 0; node < nodes; node++)
		step->cpus += c->nodes[node].workers;
	overhead = predict_overhead(c, step->cpus);
	step->cpus = 0;
	for (uint32_t node = 0; node < nodes; node++) {
		struct search_node *s = &c->nodes[node];

		if (s->workers && !size_step(s, saturating_sub_u64(share, overhead)))
			s->workers = 0;
		if (s->workers && predict_work(s) > work)
			work = predict_work(s);
		step->cpus += s->workers;
	}
	step->predicted_cycles = overhead + work;
	return step->cpus > 0;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Waking alone would take all the time. */
static bool is_hopeless(struct calibrate_state *c)
{
	find_limit(c);
	calibrate_set_workers(c, 1);
	return mul_div_u64(c->wake_cycles, steps_left(c), 1) >= c->result->limit_cycles;
}

static void search(struct calibrate_state *c)
{
	struct calibration *result = c->result;
	uint64_t start = calibrate_now(c);
	bool going = calibrate_meet(c);

	while (going && steps_left(c)) {
		struct calibrate_step *step = &result->steps[result->step_count];
		uint64_t spent = calibrate_now(c) - start;

		find_limit(c);
		if (spent >= result->limit_cycles || result->step_count == WORKER_POINTS_MAX ||
		    !size_steps(c, result->limit_cycles - spent, step))
			break;
		result->step_count++;
		going = run_step(c, step);
		for (uint32_t node = 0; node < c->input->init->topology->node_count; node++)
			c->nodes[node].workers = c->nodes[node].workers ?
				next_workers(&c->nodes[node]) : 0;
	}
	find_limit(c);
	result->search_cycles = calibrate_now(c) - start;
}

void calibrate_search(struct calibrate_state *c)
{
	uint32_t nodes = c->input->init->topology->node_count;

	for (uint32_t node = 0; node < nodes; node++)
		open_node(c, node);
	if (!is_hopeless(c)) {
		calibrate_touch(c);
		search(c);
	}
	for (uint32_t node = 0; node < nodes; node++)
		if (c->nodes[node].most && !c->result->curves[node].count)
			c->result->nodes[node].reason =
				"5 % of its time is too little for a search";
}
