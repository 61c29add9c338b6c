/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the files of the experiment `bandwidth` share. */
#include "lab/workers/bandwidth.h"
#include "lab/run/arena.h"
#include "smp/dispatch/barrier.h"

struct bandwidth_worker {
	_Alignas(64) uint32_t first, count; /* of its blocks, in the current list */
	uint64_t go_tsc, end_tsc;           /* go 0: the workers did not meet */
	uint64_t bytes;
};

struct bandwidth_state {
	const struct bandwidth_input *input;
	struct bandwidth_results *results;
	struct sibling_row *rows;
	struct node_pair *pairs;
	uint64_t slice_cycles;
	/* per node: its blocks' numbers in `blocks`, ascending and shuffled */
	uint8_t **blocks;            /* BANDWIDTH_BLOCKS_MAX of each node */
	uint32_t *lists[BANDWIDTH_ORDERS];
	/* the current measurement */
	uint32_t node;               /* whose memory */
	enum bandwidth_kind kind;
	const uint32_t *list;
	uint32_t *cpus;
	struct bandwidth_worker *workers;
	struct barrier *barrier;
	void *chain;                 /* where the chase begins */
	uint64_t chase_steps, chase_cycles;
};

static inline uint64_t bandwidth_now(const struct bandwidth_state *b)
{
	return b->input->machine->now(b->input->machine->context);
}

static inline void bandwidth_on(const struct bandwidth_state *b, uint32_t count,
				void (*function)(void *argument, uint32_t index), void *argument)
{
	b->input->machine->run(b->input->machine->context, b->cpus, count, function, argument);
}
