#pragma once
/*
 * What the experiments on the page allocator share: a machine whose memory is all initialised and
 * free, CPUs that start together, and the check that every page is back afterwards.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init_run.h"
#include "mm/pcp/page_alloc.h"
#include "smp/dispatch/barrier.h"

struct alloc_input {
	const struct lab_machine *machine;
	const struct topology *topology;
	const struct memmap *memmap;
	const struct options *options;
	struct page_allocator *allocator; /* buddy, cpu_count, node_cpus, irq set; all RAM that is
					   * not reserved is free */
	uint8_t *base;                    /* the bytes of frame pfn: base + pfn * PAGE_BYTES */
	uint64_t tsc_hz;
	/* Before each measurement: of what, how many there have been, of how many. NULL: none */
	void (*progress)(void *context, const char *what, uint32_t index, uint32_t count);
	void *progress_context;
};

/* ---- lab/alloc/fill.c: memory as an operating system has it after boot ----------------------- */

/* One run of policy `zone`, checked as every run of experiment `init`. As init_run_bytes and
 * init_run. False: it could not start, or `run` is not good. */
uint64_t fill_bytes(const struct init_input *input, uint32_t extra_reserved);
bool fill_run(const struct init_input *input, void *memory, uint64_t bytes,
	      struct init_run_sample *run);

/* ---- lab/alloc/crew.c: CPUs that start together ---------------------------------------------- */

enum crew_place {
	CREW_NODE,   /* CPUs of one node: that with the most of them, if possible one with RAM; a
		      * CPU of each core first */
	CREW_ACROSS  /* the nodes with CPUs in turn */
};

/* The first `count` of them into `cpus` (indexes in topology->cpus, online); returns how many there
 * were, less than asked where there are not so many. Of a larger crew a smaller one is the
 * beginning. */
uint32_t crew_choose(const struct topology *topology, enum crew_place place, uint32_t count,
		     uint32_t *cpus);

/* 1, 2, 4 ... and `all` itself: the next after `count`; 0 after `all`. */
uint32_t crew_next(uint32_t count, uint32_t all);

/* The node from which a CPU takes memory: its own, or if that has no RAM the nearest that has. */
uint32_t crew_memory_node(const struct topology *topology, uint32_t cpu);

struct crew {
	const struct lab_machine *machine;
	void (*function)(void *argument, uint32_t index);
	void *argument;
	struct barrier barrier;
	_Atomic uint64_t go_tsc;     /* when all had met; the same for all of them */
	_Atomic uint32_t late;       /* who found that not all came in time, and did nothing */
};

/* function(argument, i) on cpus[i], for all i, who first meet at a barrier; returns when all have
 * returned. False: not all came in time, and those who gave up waiting have done nothing. `count`
 * is not 0. */
bool crew_run(struct crew *crew, const struct lab_machine *machine, const uint32_t *cpus,
	      uint32_t count, void (*function)(void *argument, uint32_t index), void *argument);

/* Sums over the locks of all zones, since boot. */
struct alloc_locks {
	uint64_t acquisitions, contended, wait_cycles;
};

static inline struct alloc_locks alloc_locks(const struct alloc_input *input)
{
	struct alloc_locks sum = { 0 };

	for (uint32_t node = 0; node < input->topology->node_count; node++)
		for (uint32_t type = 0; type < ZONE_COUNT; type++) {
			const struct zone_lock *lock =
				&input->allocator->buddy->zones[node][type].lock;

			sum.acquisitions += lock->acquisitions;
			sum.contended += lock->contended;
			sum.wait_cycles += lock->wait_cycles;
		}
	return sum;
}

static inline uint64_t alloc_now(const struct alloc_input *input)
{
	return input->machine->now(input->machine->context);
}

/* ---- lab/alloc/pages_check.c: nothing lost, nothing twice ------------------------------------ */

struct pages_state {
	struct buddy_census census;
	uint64_t double_frees, poison_reads;
};

/* Of memory in which nothing is kept per CPU and nothing is allocated. */
void pages_state_read(const struct alloc_input *input, struct pages_state *state);

/* What is wrong now, in one clause, or NULL: the lists are sound, and the set of free blocks and
 * all counters are those of `before`. For a free block depends on which pages are free, not on the
 * order in which they were freed, that is what a serial run leaves. */
const char *pages_state_fault(const struct alloc_input *input, const struct pages_state *before);

/* Words of the bitmap for the full check below; 0: there is too much memory for it. */
uint64_t pages_bitmap_words(const struct topology *topology);

/* The same, and once more after everything has been allocated, page by page and each frame once,
 * and given back. `words` 0: only the former. */
const char *pages_take_all_fault(const struct alloc_input *input, const struct pages_state *before,
				 uint64_t *bitmap, uint64_t words);

/* ---- lab/alloc/alloc_inject.c ---------------------------------------------------------------- */

/* Does what options->inject says, if that is a free that must not be: through the allocator, which
 * has been initialised, on the calling CPU. True: it was, and the allocator has noted the fault.
 * False also where there is no page to do it with. */
bool alloc_inject(const struct alloc_input *input);

/* The first frame of RAM that never was free, else the one after the last. */
uint64_t alloc_reserved_pfn(const struct alloc_input *input);
