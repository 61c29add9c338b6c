/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/worker.h"

#include "lib/cpu.h"
#include "lib/patience.h"
#include "lib/string.h"

/* A CPU's visits are consecutive: each change of the CPU begins a worker. */
void lab_find_workers(struct lab *lab)
{
	const struct init_plan *plan = lab->plan;

	lab->worker_count = 0;
	for (uint32_t i = 0; i < plan->visit_count; i++) {
		uint32_t cpu = plan->visits[i].cpu;

		if (!i || plan->visits[i - 1].cpu != cpu) {
			lab->worker_cpus[lab->worker_count] = cpu;
			lab->workers[lab->worker_count++] = (struct lab_worker){ cpu, i, 0, 0, 0 };
		}
		lab->workers[lab->worker_count - 1].visit_count++;
	}
	memset(lab->worker_records, 0, lab->worker_count * sizeof(*lab->worker_records));
	memset(lab->visit_records, 0, plan->visit_count * sizeof(*lab->visit_records));
}

static void make_visit(struct lab *lab, uint32_t index, uint32_t pass, uint32_t worker)
{
	const struct init_visit *visit = &lab->plan->visits[index];
	const struct init_node *node = &lab->plan->nodes[visit->node];
	uint32_t kind = lab->input->topology->cpus[visit->cpu].kind;
	struct chunk_args *args = lab_args(lab, kind, visit->node);
	struct lab_pass *p = &lab->passes[pass];
	uint64_t last_tsc = 0;

	for (uint32_t i = node->first_job; i < node->first_job + node->job_count; i++)
		if (dispatch_work_with(&p->jobs[i], args, visit->rank, &p->logs[i], worker))
			last_tsc = lab_now(lab);
	lab->visit_records[index].last_tsc[pass] = last_tsc;
}

/* Until every chunk of the node's first pass is done: others may still be at theirs. */
static bool wait_for_first_pass(const struct lab *lab, uint32_t node_index)
{
	const struct init_node *node = &lab->plan->nodes[node_index];
	struct patience patience;

	patience_begin(&patience, lab_now(lab), lab->input->machine->timeout_cycles);
	for (uint32_t i = node->first_job; i < node->first_job + node->job_count; i++)
		while (!dispatch_finished(&lab->passes[0].jobs[i])) {
			if (patience_over(&patience, lab_now(lab)))
				return false;
			cpu_pause();
		}
	return true;
}

/*
 * The second pass begins when the first is over on all nodes that this CPU serves. One node after
 * the other would not do: with a fixed split, CPU 0 would wait at node A for the chunk of CPU 1,
 * which waits at node B for the chunk of CPU 0.
 */
static bool work(struct lab *lab, uint32_t index)
{
	const struct lab_worker *worker = &lab->workers[index];
	uint32_t first = worker->first_visit, end = first + worker->visit_count;

	for (uint32_t i = first; i < end; i++)
		make_visit(lab, i, 0, index);
	if (lab->pass_count == 1)
		return true;
	for (uint32_t i = first; i < end; i++) {
		if (!wait_for_first_pass(lab, lab->plan->visits[i].node))
			return false;
		make_visit(lab, i, 1, index);
	}
	return true;
}

void lab_worker_main(void *argument, uint32_t index)
{
	struct lab *lab = argument;
	const struct lab_machine *machine = lab->input->machine;
	struct worker_record *record = &lab->worker_records[index];

	machine->disturbance(machine->context, &record->before);
	record->go_tsc = barrier_wait(lab->barrier, machine->timeout_cycles);
	if (record->go_tsc && work(lab, index))
		record->end_tsc = lab_now(lab);
	atomic_fetch_add_explicit(&lab->done, 1, memory_order_release);
	machine->disturbance(machine->context, &record->after);
}
