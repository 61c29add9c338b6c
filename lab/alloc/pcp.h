/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Experiment `pcp`: what an allocation and a free of pages cost under each way of keeping pages per
 * CPU, by the workloads with which the published figures were measured [prototype-kernel
 * kernel/mm/bench]:
 *
 *   PCP_ORDERS       page_bench01: one CPU, one block at a time, orders 0 to 10
 *   PCP_OUTSTANDING  page_bench02: one CPU allocates N single pages, then frees them in the same
 *                    order; N = 1, 2, 4 ... 8192; 1024 also on 2, 4 ... all CPUs
 *   PCP_PARALLEL     page_bench03: as the first, on 2, 4 ... all CPUs at the same time
 *   PCP_BULK         page_bench04: one CPU, 1, 2, 4 ... 128 single pages with one call, and back;
 *                    128 also on 2, 4 ... all CPUs
 *   PCP_CROSS        page_bench05: one CPU allocates, another one frees, a ring of 64 blocks
 *                    between them; 1, 2, 4 ... pairs of CPUs
 *
 * Every CPU allocates from its own node, or where that has no RAM from the nearest one that has.
 * What needs several CPUs runs on those of one node and across nodes.
 *
 * One measurement (a cell, under one way, once) begins with nothing kept and lasts a slice of time,
 * after a shorter one that is not counted, and ends with the round that has begun by then. All
 * together take about the time that is given: more CPUs make more and therefore shorter slices.
 *
 * A run is all cells of one workload under one way; the ways take turns, each time beginning with
 * another one, and all workloads have had a repetition before the next one begins. After each run
 * what is kept per CPU goes back, and everything is checked; after a way's last run all memory is
 * also allocated once, page by page. The experiment ends with the first fault.
 *
 * Crews of which the first repetition takes too long are given up, and it is told (pcp_pace.c).
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/alloc/crew.h"
#include "lab/alloc/input.h"

enum pcp_bench {
	PCP_ORDERS,
	PCP_OUTSTANDING,
	PCP_PARALLEL,
	PCP_BULK,
	PCP_CROSS,
	PCP_BENCHES
};

enum {
	PCP_REPEAT_MIN = 5,
	PCP_OUTSTANDING_MAX = 8192,
	PCP_OUTSTANDING_EACH = 1024, /* on several CPUs */
	PCP_BULK_MAX = 128,
	PCP_RING_BLOCKS = 64
};

struct pcp_cell {
	enum pcp_bench bench;
	enum crew_place place;
	uint32_t workers; /* CPUs; PCP_CROSS: two per pair */
	uint32_t order;
	uint32_t batch;   /* PCP_OUTSTANDING, PCP_BULK: single pages; else 1 */
};

/* An operation is an allocation and a free; in PCP_CROSS one of them, which is half of it. */
struct pcp_sample {
	uint64_t operations; /* of all workers; 0: there was not enough memory */
	uint64_t cycles;     /* of each worker's clock, summed */
	uint64_t fastest_millicycles, slowest_millicycles; /* worker, per operation */
};

/* Summed over all repetitions, warming up included. */
struct pcp_counters {
	struct page_alloc_stats pages;
	uint64_t zone_acquisitions, zone_contended, zone_wait_cycles;
};

struct pcp_results {
	enum pcp ways[PCP_COUNT];
	uint32_t way_count;
	uint32_t repeat;                /* asked for, five at least */
	uint32_t repetitions;           /* done: for the others there was no time, and their
					 * samples are empty */
	struct pcp_cell *cells;         /* by bench, place, workers, then order or batch */
	uint32_t cell_count;
	struct pcp_sample *samples;     /* by cell, way, repetition */
	struct pcp_counters *counters;  /* by cell, way */
	uint32_t crew_limit;            /* crews of that many CPUs and more took too long to come
					 * together and were given up: their samples are empty. 0:
					 * none were */
	uint32_t shortest_slice_us, longest_slice_us;
	uint64_t cycles;                /* of the whole experiment */
	uint32_t runs;                  /* that were checked */
	const char *fault;              /* in one clause; NULL: none */
	bool free_fault;                /* and it is in allocator->fault */
	enum pcp fault_way;
	enum pcp_bench fault_bench;
};

struct pcp_limits {
	uint32_t slice_us; /* of one measurement, at most */
	uint32_t total_ms; /* of all of them, about */
	uint32_t latest_ms; /* no repetition but the first is begun that would probably end
			     * later */
};

/* The published benchmark. */
const char *pcp_bench_name(enum pcp_bench bench);

/* See lab/input.h. The experiment's own fault, options->inject, is the first thing that it does. */
uint64_t pcp_bytes(const struct alloc_input *input);
bool pcp_run(const struct alloc_input *input, const struct pcp_limits *limits, void *memory,
	     uint64_t bytes, struct pcp_results *results);

static inline struct pcp_sample *pcp_sample(const struct pcp_results *results, uint32_t cell,
					    uint32_t way, uint32_t repetition)
{
	return &results->samples[((uint64_t)cell * results->way_count + way) * results->repeat +
				 repetition];
}

static inline struct pcp_counters *pcp_counters(const struct pcp_results *results, uint32_t cell,
						uint32_t way)
{
	return &results->counters[cell * results->way_count + way];
}

/* Thousandths of a cycle per operation; 0: there was none. */
uint64_t pcp_millicycles(const struct pcp_sample *sample);
