/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A machine of threads and a topology by hand, which can be told to misbehave. */
#include <pthread.h>

#include "lab/init/init.h"
#include "lab/workers/sweep.h"
#include "lib/cpu.h"
#include "mm/buddy/buddy_zones.h"
#include "tests/host/fake_memmap.h"

enum { PROGRESS_MAX = 256, THREADS_MAX = 64 };

struct duty {
	void (*function)(void *argument, uint32_t index);
	void *argument;
	uint32_t index;
	uint64_t lag;
	struct world *world;
};

struct world {
	struct topology topology;
	struct range storage[256];
	struct range_list reserved;
	struct fake_memmap fake;
	struct options options;
	struct lab_machine machine;
	struct lab_input input;
	struct buddy buddy;
	struct init_results results;
	struct sweep_results sweep;
	void *memory;
	uint64_t bytes;
	pthread_t threads[THREADS_MAX];
	struct duty duties[THREADS_MAX];
	uint32_t thread_count;    /* running */
	uint32_t run_calls, start_calls;
	uint32_t lost_call;       /* this call to run() loses its last CPU; 0: none */
	uint32_t broken_call;     /* before this one `break_it` is called */
	void (*break_it)(struct world *w);
	uint64_t slow_clock;      /* CPUs but the caller are so far behind */
	_Atomic uint32_t readings; /* of the counters */
	bool no_counters;
	struct lab_progress progress[PROGRESS_MAX];
	uint32_t progress_count;
};

static __thread uint64_t clock_lag;

static inline void *thread_main(void *argument)
{
	struct duty *duty = argument;

	clock_lag = duty->lag;
	duty->function(duty->argument, duty->index);
	return NULL;
}

static inline void machine_start(void *context, const uint32_t *cpus, uint32_t count,
				 void (*function)(void *argument, uint32_t index), void *argument)
{
	struct world *w = context;
	bool used[CPU_MAX] = { false };

	assert_int_equal(w->thread_count, 0);
	w->thread_count = count;
	for (uint32_t i = 0; i < count; i++) {
		assert_true(cpus[i] < w->topology.cpu_count && w->topology.cpus[cpus[i]].online);
		assert_false(used[cpus[i]]);
		used[cpus[i]] = true;
		w->duties[i] = (struct duty){ function, argument, i, w->slow_clock, w };
		assert_int_equal(pthread_create(&w->threads[i], NULL, thread_main, &w->duties[i]),
				 0);
	}
}

static inline void machine_wait(void *context)
{
	struct world *w = context;

	for (uint32_t i = 0; i < w->thread_count; i++)
		pthread_join(w->threads[i], NULL);
	w->thread_count = 0;
}

static inline void machine_start_others(void *context, const uint32_t *cpus, uint32_t count,
					void (*function)(void *argument, uint32_t index),
					void *argument)
{
	struct world *w = context;

	w->start_calls++;
	for (uint32_t i = 0; i < count; i++)
		assert_false(w->topology.cpus[cpus[i]].boot);
	machine_start(context, cpus, count, function, argument);
}

static inline void machine_run(void *context, const uint32_t *cpus, uint32_t count,
			       void (*function)(void *argument, uint32_t index), void *argument)
{
	struct world *w = context;

	w->run_calls++;
	if (w->run_calls == w->broken_call)
		w->break_it(w);
	if (w->run_calls == w->lost_call)
		count--;
	machine_start(context, cpus, count, function, argument);
	machine_wait(context);
}

static inline uint64_t machine_now(void *context)
{
	(void)context;
	return tsc_ordered() - clock_lag;
}

/* Each reading on any CPU finds one SMI more, 10 cycles of APERF and 20 of MPERF. */
static inline void machine_disturbance(void *context, struct disturbance *reading)
{
	struct world *w = context;
	static __thread uint64_t count;

	w->readings++;
	count++;
	*reading = (struct disturbance){ count, 10 * count, 20 * count };
	if (w->no_counters)
		reading->smi = DISTURBANCE_UNKNOWN;
}

static inline void note_progress(void *context, const struct lab_progress *progress)
{
	struct world *w = context;

	assert_true(w->progress_count < PROGRESS_MAX);
	w->progress[w->progress_count++] = *progress;
}

static inline struct world *world_new(void)
{
	struct world *w = aligned_alloc(64, sizeof(*w)); /* a multiple, as buddy's is */

	memset(w, 0, sizeof(*w));
	range_list_init(&w->reserved, w->storage, 256);
	w->options = (struct options){ .repeat = 1, .page_size = sizeof(struct page) };
	w->options.policy_chosen[POLICY_PADATA] = true;
	w->machine = (struct lab_machine){ machine_run,	      machine_start_others,
					   machine_wait,      machine_now,
					   machine_disturbance, 1ull << 40, w };
	w->input = (struct lab_input){ &w->machine, &w->topology, &w->fake.memmap, &w->reserved,
					&w->options, &w->buddy,	   note_progress,   w,
					{ STORE_PLAIN, STORE_PLAIN }, false, { NULL },
					NULL,	   NULL };
	for (uint32_t i = 0; i < NODE_MAX; i++) {
		w->topology.nodes[i].adopter = NODE_NONE;
		for (uint32_t j = 0; j < NODE_MAX; j++)
			w->topology.distance[i][j] = i == j ? 10 : 20;
	}
	return w;
}

/* The RAM is described: makes its memmap and page allocator, below `sections`. */
static inline void world_populate(struct world *w, uint64_t sections)
{
	fake_memmap_open(&w->fake, sections * SECTION_PAGES);
	fake_memmap_populate(&w->fake, &w->topology);
	w->buddy.base = w->fake.memmap.base;
	w->buddy.pageblocks = malloc(sections * SECTION_PAGES >> PAGEBLOCK_ORDER);
	buddy_set_zones(&w->buddy, &w->topology);
}

static inline void world_free(struct world *w)
{
	fake_memmap_close(&w->fake);
	free(w->buddy.pageblocks);
	free(w->memory);
	free(w);
}

static inline void add_cpus(struct world *w, uint32_t node, uint32_t count)
{
	for (; count; count--) {
		struct cpu *cpu = &w->topology.cpus[w->topology.cpu_count];

		cpu->apic_id = w->topology.cpu_count++;
		cpu->core = cpu->apic_id;
		cpu->node = node;
		cpu->online = true;
		cpu->boot = cpu->apic_id == 0;
		w->topology.nodes[node].cpu_count++;
	}
	if (node >= w->topology.node_count)
		w->topology.node_count = node + 1;
}

/* Memory of exactly the size that is asked for, filled with rubbish. */
static inline void world_memory(struct world *w, uint64_t bytes)
{
	free(w->memory);
	w->bytes = bytes;
	w->memory = aligned_alloc(64, bytes);
	memset(w->memory, 0xa5, bytes);
}

static inline bool world_run(struct world *w)
{
	world_memory(w, init_bytes(&w->input, 0));
	return init_run(&w->input, w->memory, w->bytes, &w->results);
}

static inline bool world_sweep(struct world *w)
{
	world_memory(w, sweep_bytes(&w->input, 0));
	return sweep_run(&w->input, w->memory, w->bytes, &w->sweep);
}
