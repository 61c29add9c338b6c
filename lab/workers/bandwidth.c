/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/begin.h"
#include "lab/run/memory.h"
#include "lab/workers/bandwidth_blocks.h"
#include "lab/workers/bandwidth_team.h"
#include "lab/workers/bandwidth_parts.h"
#include "lab/workers/bandwidth_work.h"
#include "lib/page_units.h"
#include "lib/stats.h"

enum { US_PER_S = 1000000, US_PER_MS = 1000, SLICE_MIN_US = 100 };

/* ---- memory --------------------------------------------------------------------------------- */

static struct bandwidth_state *lay_out(struct arena *arena, const struct bandwidth_input *input)
{
	const struct topology *topology = input->topology;
	uint64_t nodes = topology->node_count, blocks = nodes * BANDWIDTH_BLOCKS_MAX;
	struct bandwidth_state state = { .input = input }, *place;
	uint64_t serving = 0;

	for (uint32_t node = 0; node < nodes; node++)
		serving += topology->nodes[node].cpu_count > 0;
	place = arena_take(arena, 1, sizeof(*place));
	state.rows = arena_take(arena, serving * BANDWIDTH_ROWS_MAX, sizeof(*state.rows));
	state.pairs = arena_take(arena, serving * nodes, sizeof(*state.pairs));
	state.blocks = arena_take(arena, blocks, sizeof(*state.blocks));
	for (int order = 0; order < BANDWIDTH_ORDERS; order++)
		state.lists[order] = arena_take(arena, blocks, sizeof(*state.lists[order]));
	state.cpus = arena_take(arena, topology->cpu_count, sizeof(*state.cpus));
	state.workers = arena_take(arena, topology->cpu_count, sizeof(*state.workers));
	state.barrier = arena_take(arena, 1, sizeof(*state.barrier));
	if (!arena_fits(arena))
		return NULL;
	*place = state;
	return place;
}

uint64_t bandwidth_bytes(const struct bandwidth_input *input)
{
	struct arena arena = { 0 };

	lay_out(&arena, input);
	return arena.used;
}

/* ---- what there is to measure --------------------------------------------------------------- */

static void find_nodes(struct bandwidth_state *b)
{
	const struct topology *topology = b->input->topology;
	struct bandwidth_results *r = b->results;

	for (uint32_t node = 0; node < topology->node_count; node++) {
		struct sibling_row *rows = &r->rows[r->row_count];
		uint32_t count, paired;

		r->cores[node] = bandwidth_cores(topology, node, &r->cpus[node], &paired);
		if (!topology->nodes[node].pages)
			r->reasons[node] = "no RAM";
		else if (!r->blocks[node])
			r->reasons[node] = "no free MiB";
		else if (!r->cpus[node])
			r->reasons[node] = "no CPU online";
		if (r->reasons[node])
			continue;
		count = bandwidth_rows(r->cores[node], r->cpus[node], paired, rows);
		for (uint32_t i = 0; i < count; i++)
			rows[i].node = node;
		r->row_count += count;
	}
}

static void find_pairs(struct bandwidth_state *b)
{
	struct bandwidth_results *r = b->results;
	uint32_t nodes = b->input->topology->node_count;

	for (uint32_t target = 0; target < nodes; target++)
		for (uint32_t initiator = 0; initiator < nodes; initiator++)
			if (r->blocks[target] && r->cpus[initiator])
				r->pairs[r->pair_count++] = (struct node_pair){
					.initiator = initiator, .target = target };
}

/* All measurements share the time. */
static void size_slice(struct bandwidth_state *b)
{
	const struct bandwidth_input *input = b->input;
	uint64_t count = (uint64_t)b->results->row_count * BANDWIDTH_KINDS * BANDWIDTH_ORDERS +
			 (uint64_t)b->results->pair_count * (2 * BANDWIDTH_TEAMS + 1);
	uint64_t slice_us = (uint64_t)input->total_ms * US_PER_MS / (count ? count : 1);

	if (slice_us > input->slice_us)
		slice_us = input->slice_us;
	if (slice_us < SLICE_MIN_US)
		slice_us = SLICE_MIN_US;
	b->results->slice_us = (uint32_t)slice_us;
	b->slice_cycles = mul_div_u64(input->tsc_hz, slice_us, US_PER_S);
}

/* ---- measuring ------------------------------------------------------------------------------ */

static uint32_t choose(struct bandwidth_state *b, uint32_t node, uint32_t workers, uint32_t cores)
{
	return bandwidth_team(b->input->topology, node, workers, cores, b->cpus);
}

/* Every node's memory by its own CPUs, else by those of any other. */
static void touch_all(struct bandwidth_state *b)
{
	uint32_t nodes = b->input->topology->node_count, any = NODE_NONE;

	for (uint32_t node = 0; node < nodes; node++)
		if (b->results->cpus[node])
			any = node;
	for (uint32_t node = 0; node < nodes; node++) {
		if (!b->results->blocks[node] || any == NODE_NONE)
			continue;
		choose(b, b->results->cpus[node] ? node : any, 1, 1);
		bandwidth_touch(b, node);
	}
}

static void measure_row(struct bandwidth_state *b, struct sibling_row *row)
{
	uint32_t count = choose(b, row->node, row->workers, row->cores);

	for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
		for (int order = 0; order < BANDWIDTH_ORDERS; order++)
			row->mbps[kind][order] =
				bandwidth_slice(b, row->node, (enum bandwidth_kind)kind,
						 (enum bandwidth_order)order, count);
}

static void measure_pair(struct bandwidth_state *b, struct node_pair *pair)
{
	uint32_t cores = b->results->cores[pair->initiator];

	for (int team = 0; team < BANDWIDTH_TEAMS; team++) {
		uint32_t wanted = team == BANDWIDTH_ONE_CORE ? 1 : cores;
		uint32_t count = choose(b, pair->initiator, wanted, wanted);

		pair->read_mbps[team] = bandwidth_slice(b, pair->target, BANDWIDTH_READ,
							 BANDWIDTH_RANDOM, count);
		pair->write_mbps[team] = bandwidth_slice(b, pair->target, BANDWIDTH_WRITE_NT,
							  BANDWIDTH_RANDOM, count);
	}
}

/* Writing spoils the chain: it is made when all of the target's writes are over. */
static void measure_target(struct bandwidth_state *b, struct node_pair *pairs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		measure_pair(b, &pairs[i]);
	choose(b, pairs[0].initiator, 1, 1);
	bandwidth_make_chain(b, pairs[0].target);
	for (uint32_t i = 0; i < count; i++) {
		choose(b, pairs[i].initiator, 1, 1);
		pairs[i].latency_ps = bandwidth_latency(b);
	}
}

static void measure_matrix(struct bandwidth_state *b)
{
	struct bandwidth_results *r = b->results;
	uint32_t end;

	for (uint32_t first = 0; first < r->pair_count; first = end) {
		for (end = first; end < r->pair_count &&
				  r->pairs[end].target == r->pairs[first].target;)
			end++;
		measure_target(b, &r->pairs[first], end - first);
	}
}

bool bandwidth_run(const struct bandwidth_input *input, void *memory, uint64_t bytes,
		   struct bandwidth_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct bandwidth_state *b = lay_out(&arena, input);
	uint64_t start;

	*results = (struct bandwidth_results){ 0 };
	if (!b || !lab_most_online(input->topology))
		return false;
	b->results = results;
	results->rows = b->rows;
	results->pairs = b->pairs;
	start = bandwidth_now(b);
	bandwidth_find_blocks(b);
	find_nodes(b);
	find_pairs(b);
	size_slice(b);
	touch_all(b);
	for (uint32_t i = 0; i < results->row_count; i++)
		measure_row(b, &results->rows[i]);
	measure_matrix(b);
	results->cycles = bandwidth_now(b) - start;
	return true;
}
