/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/bandwidth_team.h"

#include "lab/workers/bandwidth_parts.h"
#include "lib/minmax.h"
#include "lib/round.h"
#include "mm/machine/topology_count.h"

uint32_t bandwidth_cores(const struct topology *topology, uint32_t node, uint32_t *cpus,
			 uint32_t *paired)
{
	uint32_t cores = 0;

	*cpus = *paired = 0;
	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		if (topology->cpus[i].node != node || !topology->cpus[i].online)
			continue;
		++*cpus;
		cores += topology_sibling_rank(topology, i) == 0;
		*paired += topology_sibling_rank(topology, i) == 1;
	}
	return cores;
}

/* Whether the core of `cpu`, the first one there, has another CPU online. */
static bool has_sibling(const struct topology *topology, uint32_t cpu)
{
	const struct cpu *cpus = topology->cpus;

	for (uint32_t i = cpu + 1; i < topology->cpu_count; i++)
		if (cpus[i].online && cpus[i].node == cpus[cpu].node &&
		    cpus[i].core == cpus[cpu].core)
			return true;
	return false;
}

static bool is_among(const struct topology *topology, const uint32_t *cpus, uint32_t count,
		     uint32_t core)
{
	for (uint32_t i = 0; i < count; i++)
		if (topology->cpus[cpus[i]].core == core)
			return true;
	return false;
}

uint32_t bandwidth_team(const struct topology *topology, uint32_t node, uint32_t workers,
			uint32_t cores, uint32_t *cpus)
{
	uint32_t threads = (uint32_t)div_round_up_u64(workers, cores), count = 0, first = 0;
	bool pairs = threads > 1 && workers == threads * cores;

	for (uint32_t rank = 0; rank < threads; rank++) {
		for (uint32_t i = 0; i < topology->cpu_count && count < workers; i++) {
			const struct cpu *cpu = &topology->cpus[i];

			if (cpu->node != node || !cpu->online ||
			    topology_sibling_rank(topology, i) != rank)
				continue;
			if (!rank && pairs && !has_sibling(topology, i))
				continue;
			if (rank ? !is_among(topology, cpus, first, cpu->core) : count == cores)
				continue;
			cpus[count++] = i;
		}
		if (!rank)
			first = count;
	}
	return count;
}

static void add_row(struct sibling_row *rows, uint32_t *count, uint32_t workers, uint32_t cores)
{
	if (*count < BANDWIDTH_ROWS_MAX)
		rows[(*count)++] = (struct sibling_row){ .workers = workers, .cores = cores };
}

/* Powers of two of cores, then all; while there are enough cores with siblings, also with two
 * workers a core. */
uint32_t bandwidth_rows(uint32_t cores, uint32_t cpus, uint32_t paired,
			struct sibling_row rows[BANDWIDTH_ROWS_MAX])
{
	uint32_t count = 0;

	for (uint32_t n = 1; n && cores; n = n == cores ? 0 : min_u32(n * 2, cores)) {
		add_row(rows, &count, n, n);
		if (n <= paired)
			add_row(rows, &count, 2 * n, n);
	}
	if (count && rows[count - 1].workers != cpus)
		add_row(rows, &count, cpus, cores);
	return count;
}
