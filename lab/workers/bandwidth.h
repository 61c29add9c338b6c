/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Experiment `bandwidth`: what the memory gives, measured the way the published figures were, on
 * frames that nobody uses.
 *
 * The sibling table, per node with CPUs and RAM: 1 worker on 1 core, 2 on 1 core, 2 on 2 cores,
 * 4 on 2, 4 on 4 ... up to all cores and all CPUs; reads, plain writes, non-temporal writes and the
 * loop that initialises struct pages; blocks of 1 MiB in random order and in sequence, each worker
 * in its own.
 *
 * The node matrix: every node with CPUs against every node with RAM; reads and non-temporal writes
 * in random order with one core and with all cores, and the latency of dependent loads.
 *
 * Every measurement lasts one slice of time, plus the rest of the block that is being used when it
 * is over.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"
#include "mm/init/store.h"

enum bandwidth_kind {
	BANDWIDTH_READ,
	BANDWIDTH_WRITE,
	BANDWIDTH_WRITE_NT,
	BANDWIDTH_INIT,
	BANDWIDTH_KINDS
};
enum bandwidth_order { BANDWIDTH_RANDOM, BANDWIDTH_SEQUENTIAL, BANDWIDTH_ORDERS };
enum bandwidth_team_size { BANDWIDTH_ONE_CORE, BANDWIDTH_ALL_CORES, BANDWIDTH_TEAMS };

enum { BANDWIDTH_BLOCKS_MAX = 1024, BANDWIDTH_ROWS_MAX = 32, BANDWIDTH_CHAIN_BLOCKS = 64 };
#define BANDWIDTH_BLOCK_BYTES (1ull << 20)

struct bandwidth_input {
	const struct lab_machine *machine;
	const struct topology *topology;
	const struct range_list *reserved; /* frames; all other RAM from 1 MiB on is used */
	uint8_t *base;                     /* where frame 0 is mapped, by huge pages */
	enum store store;                  /* of the init loop */
	uint64_t tsc_hz;
	uint32_t share;                    /* one of this many free blocks is used */
	uint32_t slice_us;                 /* of one measurement, at most */
	uint32_t total_ms;                 /* of all of them, about */
};

/* All in 10^6 bytes a second. */
struct sibling_row {
	uint32_t node, workers, cores;
	uint32_t mbps[BANDWIDTH_KINDS][BANDWIDTH_ORDERS]; /* 0: not measured */
};

struct node_pair {
	uint32_t initiator, target; /* nodes */
	uint32_t read_mbps[BANDWIDTH_TEAMS], write_mbps[BANDWIDTH_TEAMS];
	uint32_t latency_ps;        /* of one load; 0: not measured */
};

struct bandwidth_results {
	struct sibling_row *rows;   /* by node, then in the order above */
	uint32_t row_count;
	struct node_pair *pairs;    /* by target, then initiator */
	uint32_t pair_count;
	uint32_t blocks[NODE_MAX];  /* of 1 MiB, worked on */
	uint32_t cores[NODE_MAX], cpus[NODE_MAX]; /* online */
	const char *reasons[NODE_MAX]; /* why a node has no row; NULL: it has */
	uint32_t slice_us;          /* that each measurement had */
	uint64_t cycles;            /* of the whole experiment */
	bool timed_out;             /* some workers did not meet: what is missing is 0 */
};

/* See lab/input.h. */
uint64_t bandwidth_bytes(const struct bandwidth_input *input);
bool bandwidth_run(const struct bandwidth_input *input, void *memory, uint64_t bytes,
		   struct bandwidth_results *results);
