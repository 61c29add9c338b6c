/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What an experiment on the page allocator is told: a machine whose memory is all initialised and
 * free. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/input.h"
#include "mm/pcp/page_alloc.h"

struct alloc_input {
	const struct lab_machine *machine;
	const struct topology *topology;
	const struct memmap *memmap;
	const struct options *options;
	struct page_allocator *allocator; /* buddy, cpu_count, node_cpus, irq set; all RAM that is
					   * not reserved is free */
	uint8_t *base;                    /* the bytes of frame pfn: base + pfn * PAGE_BYTES */
	uint64_t tsc_hz;
	/* Before each measurement. NULL: none */
	void (*progress)(void *context, const struct lab_progress *progress);
	void *progress_context;
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
