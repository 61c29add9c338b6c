/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * What the experiments on the page allocator share: a machine whose memory is all initialised and
 * free, CPUs that start together, and the check that every page is back afterwards.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init_run.h"
#include "mm/buddy/buddy_census.h"
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

/* ---- lab/alloc/crew.c: CPUs that start together ---------------------------------------------- */

enum crew_place {
	CREW_NODE,   /* CPUs of one node: that with the most of them, if possible one with RAM; a
		      * CPU of each core first */
	CREW_ACROSS, /* the nodes with CPUs in turn */
	CREW_PLACES
};

struct crew {
	const struct lab_machine *machine;
	void (*function)(void *argument, uint32_t index);
	void *argument;
	struct barrier barrier;
	_Atomic uint64_t go_tsc;     /* when all had met; the same for all of them */
	_Atomic uint32_t late;       /* who found that not all came in time, and did nothing */
};

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
