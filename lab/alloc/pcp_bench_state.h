/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A run of the experiment `pcp`: who takes part, and what is measured at the moment. */
#include "lab/alloc/pages_check.h"
#include "lab/alloc/pcp.h"
#include "lab/run/arena.h"

/* Blocks on their way from one CPU to another. Each side's own fields on a line of its own. */
struct pcp_ring {
	_Alignas(64) _Atomic uint64_t put;   /* blocks so far, by the producer */
	_Atomic bool closed;                 /* no more will come */
	_Atomic uint64_t counted_from;       /* this block; 0: warming up */
	_Alignas(64) _Atomic uint64_t taken; /* blocks so far, by the consumer */
	_Alignas(64) uint64_t pfns[PCP_RING_BLOCKS];
};

struct pcp_worker {
	_Alignas(64) uint32_t cpu, node; /* whose memory it takes */
	uint64_t *pfns;
	uint64_t operations, cycles;
	bool failed;                     /* waited in vain for another CPU */
};

struct pcp_bench_state {
	const struct alloc_input *input;
	struct pcp_results *results;
	const struct pcp_limits *limits;
	uint64_t start_tsc, cells_left;  /* to be measured */
	uint64_t slice_cycles, warm_cycles;
	void *allocator_memory;
	uint64_t *bitmap, bitmap_words;
	struct pages_state before;       /* everything is free */
	uint32_t *crews[2];              /* by place, all that there are */
	uint32_t crew_counts[2];
	struct crew_start *crew;
	struct pcp_worker *workers;
	struct pcp_ring *rings;          /* one per pair */
	uint64_t *pfns;                  /* PCP_OUTSTANDING_MAX of the first worker, then
					  * PCP_OUTSTANDING_EACH of every other one */
	const struct pcp_cell *cell;     /* that is measured */
	uint32_t index, count;           /* runs begun, and all */
};
