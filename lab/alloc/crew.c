/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/crew.h"

#include "mm/machine/topology_count.h"

/* Where a node's CPUs have been followed to: first one of each core, then the second of each. */
struct cursor {
	uint32_t rank, next;
	bool found;  /* a CPU of this rank */
	bool done;
};

const char *crew_place_name(enum crew_place place)
{
	return place == CREW_NODE ? "node" : "across";
}

/* ---- who ------------------------------------------------------------------------------------ */

static bool is_ready(const struct topology *topology, uint32_t node, uint32_t cpu)
{
	return topology->cpus[cpu].online && topology->cpus[cpu].node == node;
}

/* CPU_MAX: the node has no more. */
static uint32_t next_of_node(const struct topology *topology, uint32_t node, struct cursor *at)
{
	while (!at->done) {
		while (at->next < topology->cpu_count) {
			uint32_t cpu = at->next++;

			if (!is_ready(topology, node, cpu) ||
			    topology_sibling_rank(topology, cpu) != at->rank)
				continue;
			at->found = true;
			return cpu;
		}
		*at = (struct cursor){ .rank = at->rank + 1, .done = !at->found };
	}
	return CPU_MAX;
}

static uint32_t online_cpus(const struct topology *topology, uint32_t node)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < topology->cpu_count; i++)
		count += is_ready(topology, node, i);
	return count;
}

/* A node without RAM would work on that of others: only if there is no other. */
static uint32_t largest_node(const struct topology *topology)
{
	uint32_t best = 0, most = 0;

	for (uint32_t node = 0; node < topology->node_count; node++) {
		uint32_t weight = online_cpus(topology, node);

		if (weight && topology->nodes[node].pages)
			weight += CPU_MAX;
		if (weight > most) {
			most = weight;
			best = node;
		}
	}
	return best;
}

static uint32_t choose_across(const struct topology *topology, uint32_t count, uint32_t *cpus)
{
	struct cursor at[NODE_MAX] = { { 0 } };
	uint32_t chosen = 0, before;

	do {
		before = chosen;
		for (uint32_t node = 0; node < topology->node_count && chosen < count; node++) {
			uint32_t cpu = next_of_node(topology, node, &at[node]);

			if (cpu != CPU_MAX)
				cpus[chosen++] = cpu;
		}
	} while (chosen > before);
	return chosen;
}

uint32_t crew_choose(const struct topology *topology, enum crew_place place, uint32_t count,
		     uint32_t *cpus)
{
	uint32_t node = largest_node(topology), chosen = 0, cpu;
	struct cursor at = { 0 };

	if (place == CREW_ACROSS)
		return choose_across(topology, count, cpus);
	while (chosen < count && (cpu = next_of_node(topology, node, &at)) != CPU_MAX)
		cpus[chosen++] = cpu;
	return chosen;
}

uint32_t crew_next(uint32_t count, uint32_t all)
{
	if (count >= all)
		return 0;
	if (!count)
		return 1;
	return count <= all / 2 ? 2 * count : all;
}

uint32_t crew_memory_node(const struct topology *topology, uint32_t cpu)
{
	const bool tried[NODE_MAX] = { false };

	return topology_nearest_ram(topology, topology->cpus[cpu].node, tried);
}

/* ---- together ------------------------------------------------------------------------------- */

static void crew_main(void *argument, uint32_t index)
{
	struct crew_start *crew = argument;
	const struct lab_machine *machine = crew->machine;
	uint64_t go = barrier_wait(&crew->barrier, machine->timeout_cycles);

	if (!go) {
		atomic_fetch_add(&crew->late, 1);
		return;
	}
	atomic_store_explicit(&crew->go_tsc, go, memory_order_relaxed);
	crew->function(crew->argument, index);
}

bool crew_run(struct crew_start *crew, const struct lab_machine *machine, const uint32_t *cpus,
	      uint32_t count, void (*function)(void *argument, uint32_t index), void *argument)
{
	crew->machine = machine;
	crew->function = function;
	crew->argument = argument;
	barrier_init(&crew->barrier, count);
	atomic_store(&crew->go_tsc, 0);
	atomic_store(&crew->late, 0);
	machine->run(machine->context, cpus, count, crew_main, crew);
	return !atomic_load(&crew->late) && atomic_load(&crew->go_tsc);
}
