/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A machine of threads whose memory is all free, and a page allocator over it. */
#include "lab/alloc/fill.h"
#include "lab/alloc/input.h"
#include "lab/alloc/pages_check.h"
#include "tests/host/odd_machine.h"

struct alloc_world {
	struct world *w;
	struct page_allocator allocator;
	struct alloc_input input;
	struct pages_state before;
	void *memory;
	uint64_t bytes;
};

/* Nodes of 64 MiB with one CPU and 192 MiB with two, less a little. */
static inline struct world *alloc_small_machine(void)
{
	struct world *w = world_new();

	fake_ram(&w->topology, 0, SECTION_PAGES / 2, 0);
	fake_ram(&w->topology, SECTION_PAGES / 2, 2 * SECTION_PAGES, 1);
	add_cpus(w, 0, 1);
	add_cpus(w, 1, 2);
	range_list_add(&w->reserved, 0, 300);
	range_list_add(&w->reserved, SECTION_PAGES + 7, SECTION_PAGES + 4000);
	world_populate(w, 2);
	return w;
}

static inline void alloc_world_fill(struct world *w)
{
	struct run_sample run;

	world_memory(w, fill_bytes(&w->input, 0));
	assert_true(fill_run(&w->input, w->memory, w->bytes, &run));
}

/* Takes `w` over. */
static inline void alloc_world_open(struct alloc_world *a, struct world *w)
{
	memset(a, 0, sizeof(*a));
	a->w = w;
	alloc_world_fill(w);
	a->allocator.buddy = &w->buddy;
	a->allocator.memmap = &w->fake.memmap;
	a->allocator.cpu_count = w->topology.cpu_count;
	a->allocator.irq = IRQ_GUARD_NONE;
	for (uint32_t cpu = 0; cpu < w->topology.cpu_count; cpu++)
		a->allocator.node_cpus[w->topology.cpus[cpu].node] +=
			w->topology.cpus[cpu].online;
	a->input = (struct alloc_input){ .machine = &w->machine,
					 .topology = &w->topology,
					 .memmap = &w->fake.memmap,
					 .options = &w->options,
					 .allocator = &a->allocator,
					 .tsc_hz = 1000000000 };
	memset(w->options.pcp_chosen, true, sizeof(w->options.pcp_chosen));
	memset(w->options.free_chosen, true, sizeof(w->options.free_chosen));
	memset(w->options.mapping_chosen, true, sizeof(w->options.mapping_chosen));
	pages_state_read(&a->input, &a->before);
}

/* Memory of exactly the size that is asked for, filled with rubbish. */
static inline void alloc_world_memory(struct alloc_world *a, uint64_t bytes)
{
	free(a->memory);
	a->bytes = bytes;
	a->memory = aligned_alloc(64, bytes);
	memset(a->memory, 0xa5, bytes);
}

static inline void alloc_world_close(struct alloc_world *a)
{
	free(a->memory);
	world_free(a->w);
}
