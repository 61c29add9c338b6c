/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/times.h"

uint64_t lab_node_cycles(const struct lab *lab, uint32_t node, uint32_t pass)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < lab->plan->visit_count; i++) {
		uint64_t cycles = cycles_between(lab->go_tsc,
						 lab->visit_records[i].last_tsc[pass]);

		if (lab->plan->visits[i].node == node && cycles > most)
			most = cycles;
	}
	return most;
}

uint32_t lab_step_samples(const struct lab *lab, uint32_t step, uint32_t repetition,
			  struct step_sample *samples)
{
	uint32_t count = 0;

	for (uint32_t node = 0; node < lab->capacity.nodes; node++) {
		if (!lab->plan->nodes[node].deferred_pages)
			continue;
		samples[count++] = (struct step_sample){
			.step = step,
			.repetition = repetition,
			.node = node,
			.workers = lab->plan->nodes[node].worker_count,
			.pages = lab->node_pages[node],
			.cycles = lab_node_cycles(lab, node, 0),
		};
	}
	return count;
}

void lab_add_cycles(const struct lab *lab, struct run_sample *run)
{
	for (uint32_t node = 0; node < lab->capacity.nodes; node++) {
		uint64_t first = lab_node_cycles(lab, node, 0);
		uint64_t last = lab_node_cycles(lab, node, lab->pass_count - 1);

		if (last > run->cycles)
			run->cycles = last;
		if (lab->pass_count > 1 && first > run->first_pass_cycles)
			run->first_pass_cycles = first;
	}
}

static void add_reading(uint64_t *sum, uint64_t before, uint64_t after)
{
	if (*sum == DISTURBANCE_UNKNOWN || before == DISTURBANCE_UNKNOWN ||
	    after == DISTURBANCE_UNKNOWN)
		*sum = DISTURBANCE_UNKNOWN;
	else
		*sum += after - before;
}

/* Where nobody worked nothing was counted. */
void lab_add_disturbance(const struct lab *lab, struct run_sample *run)
{
	if (lab->worker_count)
		run->smi = run->aperf = run->mperf = 0;
	for (uint32_t i = 0; i < lab->worker_count; i++) {
		const struct disturbance *before = &lab->worker_records[i].before;
		const struct disturbance *after = &lab->worker_records[i].after;

		add_reading(&run->smi, before->smi, after->smi);
		add_reading(&run->aperf, before->aperf, after->aperf);
		add_reading(&run->mperf, before->mperf, after->mperf);
	}
}
