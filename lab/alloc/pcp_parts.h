#pragma once
/* What the files of the experiment `pcp` share. */
#include "lab/alloc/pcp_run.h"
#include "lab/run/timed_run.h"

/* Blocks on their way from one CPU to another. Each side's own fields on a line of its own. */
struct pcp_ring {
	_Alignas(64) _Atomic uint64_t put;   /* blocks so far, by the producer */
	_Atomic bool closed;                 /* no more will come */
	_Atomic uint64_t counted_from;       /* this block; 0: warming up */
	_Alignas(64) _Atomic uint64_t taken; /* likewise, by the consumer */
	_Alignas(64) uint64_t pfns[PCP_RING_BLOCKS];
};

struct pcp_worker {
	_Alignas(64) uint32_t cpu, node; /* whose memory it takes */
	uint64_t *pfns;
	uint64_t operations, cycles;
	bool failed;                     /* waited in vain for another CPU */
};

struct pcp_state {
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
	struct crew *crew;
	struct pcp_worker *workers;
	struct pcp_ring *rings;          /* one per pair */
	uint64_t *pfns;                  /* PCP_OUTSTANDING_MAX of the first worker, then
					  * PCP_OUTSTANDING_EACH of every other one */
	const struct pcp_cell *cell;     /* in hand */
	uint32_t index, count;           /* runs begun, and all */
};

/* ---- lab/alloc/pcp_cells.c ------------------------------------------------------------------- */

/* All cells of this machine into `cells`, which may be NULL; their number. */
uint32_t pcp_cells(const uint32_t crew_counts[2], const uint32_t cross_pairs[2],
		   struct pcp_cell *cells);

/* Pairs of CPUs of which one allocates and the other one frees: neighbours in the crew; across
 * nodes those that are of different nodes. */
uint32_t pcp_cross_pairs(const struct topology *topology, enum crew_place place,
			 const uint32_t *crew, uint32_t count);

/* ---- lab/alloc/pcp_pace.c -------------------------------------------------------------------- */

/* Whether the cell's crew is too large to be measured here. */
bool pcp_given_up(const struct pcp_results *results, const struct pcp_cell *cell);

/* After a measurement of the cell in hand, which took so long. */
void pcp_keep_pace(struct pcp_state *state, uint64_t cycles);

/* ---- lab/alloc/pcp_work.c, lab/alloc/pcp_cross.c --------------------------------------------- */

/* What worker `index` of a struct pcp_state does for the cell in hand. */
void pcp_work(void *argument, uint32_t index);
void pcp_cross(void *argument, uint32_t index);
