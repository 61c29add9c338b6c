#pragma once
/* A machine of threads and a topology by hand, which can be told to misbehave. */
#include <pthread.h>

#include "lab/init_run.h"
#include "lib/cpu.h"
#include "tests/host/fake_memmap.h"

enum { PROGRESS_MAX = 64 };

struct world {
	struct topology topology;
	struct range storage[256];
	struct range_list reserved;
	struct fake_memmap fake;
	struct options options;
	struct lab_machine machine;
	struct init_input input;
	struct init_results results;
	void *memory;
	uint64_t bytes;
	uint32_t run_calls;
	uint32_t lost_call;   /* this call to run() loses its last CPU; 0: none */
	uint32_t broken_call; /* before this one a struct page is damaged */
	uint64_t broken_pfn;
	uint64_t slow_clock;  /* CPUs but the caller are so far behind */
	struct { enum policy policy; uint32_t repetition; } progress[PROGRESS_MAX];
	uint32_t progress_count;
};

static __thread uint64_t clock_lag;

struct duty {
	void (*function)(void *argument, uint32_t index);
	void *argument;
	uint32_t index;
	uint64_t lag;
};

static inline void *thread_main(void *argument)
{
	struct duty *duty = argument;

	clock_lag = duty->lag;
	duty->function(duty->argument, duty->index);
	return NULL;
}

static inline void machine_run(void *context, const uint32_t *cpus, uint32_t count,
			void (*function)(void *argument, uint32_t index), void *argument)
{
	struct world *w = context;
	pthread_t threads[64];
	struct duty duties[64];
	bool used[64] = { false };

	w->run_calls++;
	if (w->run_calls == w->broken_call)
		w->fake.memmap.base[w->broken_pfn].memcg_data = 1;
	if (w->run_calls == w->lost_call)
		count--;
	for (uint32_t i = 0; i < count; i++) {
		assert_true(cpus[i] < w->topology.cpu_count && w->topology.cpus[cpus[i]].online);
		assert_false(used[cpus[i]]);
		used[cpus[i]] = true;
		duties[i] = (struct duty){ function, argument, i, w->slow_clock };
		assert_int_equal(pthread_create(&threads[i], NULL, thread_main, &duties[i]), 0);
	}
	for (uint32_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static inline uint64_t machine_now(void *context)
{
	(void)context;
	return tsc_ordered() - clock_lag;
}

static inline void note_progress(void *context, enum policy policy, uint32_t repetition)
{
	struct world *w = context;

	assert_true(w->progress_count < PROGRESS_MAX);
	w->progress[w->progress_count].policy = policy;
	w->progress[w->progress_count++].repetition = repetition;
}

static inline struct world *world_new(void)
{
	struct world *w = calloc(1, sizeof(*w));

	range_list_init(&w->reserved, w->storage, 256);
	w->options = (struct options){ .repeat = 1 };
	w->options.policy_chosen[POLICY_PADATA] = true;
	w->machine = (struct lab_machine){ machine_run, machine_now, 1ull << 40, w };
	w->input = (struct init_input){ &w->machine, &w->topology, &w->fake.memmap, &w->reserved,
					&w->options, note_progress, w };
	for (uint32_t i = 0; i < NODE_MAX; i++) {
		w->topology.nodes[i].adopter = NODE_NONE;
		for (uint32_t j = 0; j < NODE_MAX; j++)
			w->topology.distance[i][j] = i == j ? 10 : 20;
	}
	return w;
}

static inline void add_cpus(struct world *w, uint32_t node, uint32_t count)
{
	for (; count; count--) {
		struct cpu *cpu = &w->topology.cpus[w->topology.cpu_count];

		cpu->apic_id = w->topology.cpu_count++;
		cpu->node = node;
		cpu->online = true;
		cpu->boot = cpu->apic_id == 0;
		w->topology.nodes[node].cpu_count++;
	}
	if (node >= w->topology.node_count)
		w->topology.node_count = node + 1;
}
