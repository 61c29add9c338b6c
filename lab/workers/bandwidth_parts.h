#pragma once
/* What the files of the experiment `bandwidth` share. */
#include "lab/workers/bandwidth.h"
#include "lab/run/timed_run.h"
#include "smp/dispatch/barrier.h"

struct stream_worker {
	_Alignas(64) uint32_t first, count; /* of its blocks, in the list in hand */
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
	uint32_t *lists[STREAM_ORDERS];
	/* the measurement in hand */
	uint32_t node;               /* whose memory */
	enum stream_kind kind;
	const uint32_t *list;
	uint32_t *cpus;
	struct stream_worker *workers;
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

/* ---- lab/workers/bandwidth_crew.c ------------------------------------------------------------ */

/* How many cores the node has online; its CPUs, and the cores that have several of them. */
uint32_t bandwidth_cores(const struct topology *topology, uint32_t node, uint32_t *cpus,
			 uint32_t *paired);

/* The rows of a node's sibling table, workers and cores only; their number. */
uint32_t bandwidth_rows(uint32_t cores, uint32_t cpus, uint32_t paired,
			struct sibling_row rows[BANDWIDTH_ROWS_MAX]);

/* ---- lab/workers/bandwidth_blocks.c ---------------------------------------------------------- */

/* Finds every node's blocks and puts them into both orders. */
void bandwidth_find_blocks(struct bandwidth_state *b);

/* ---- lab/workers/bandwidth_work.c ------------------------------------------------------------ */

/* Writes to every page of the node's blocks on the first of b->cpus: the first touch of memory is
 * not measured. */
void bandwidth_touch(struct bandwidth_state *b, uint32_t node);

/* `count` of b->cpus stream over the node's blocks for a slice; MB/s, 0: they did not meet, or are
 * more than there are blocks. */
uint32_t bandwidth_stream(struct bandwidth_state *b, uint32_t node, enum stream_kind kind,
			  enum stream_order order, uint32_t count);

/* Makes the node's chain, and follows it, by the first of b->cpus. Picoseconds. */
void bandwidth_make_chain(struct bandwidth_state *b, uint32_t node);
uint32_t bandwidth_latency(struct bandwidth_state *b);
