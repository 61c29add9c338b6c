/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/experiments_alloc.h"

#include "kernel/interrupts.h"
#include "kernel/paging.h"
#include "lab/alloc/fill.h"
#include "lab/alloc/free_run.h"
#include "lab/alloc/input.h"
#include "lab/alloc/pcp_run.h"
#include "lab/alloc/stream.h"
#include "lib/cpu.h"
#include "lib/format.h"
#include "report/alloc/free.h"
#include "report/alloc/pcp.h"
#include "report/alloc/pcp_records.h"
#include "report/alloc/stream.h"
#include "report/init/disturbance.h"
#include "report/progress.h"

/* What the published workloads of run=pcp take, about; and at most, where CPUs stand still. */
static const struct pcp_limits pcp_limits = {
	.slice_us = 2000, .total_ms = 20000, .latest_ms = 40000
};

/* Too large for a stack, and needed until the end. */
static struct page_allocator allocator;
static struct run_sample fill_sample;
static struct pcp_results pcp_results;
static struct stream_results stream_results;
static struct free_results free_results;
static char fault_text[96];

struct progress {
	struct report *report;
	const char *experiment;
};

static void show_progress(void *context, const char *what, uint32_t index, uint32_t count)
{
	const struct progress *progress = context;
	char name[32];

	format(name, sizeof(name), "%s, %s", progress->experiment, what);
	report_progress(progress->report, name, index, count, tsc_ordered());
}

static void set_allocator(const struct experiments *e, const struct lab_input *input)
{
	allocator = (struct page_allocator){
		.buddy = input->buddy,
		.memmap = e->memmap,
		.cpu_count = e->topology->cpu_count,
		.irq = { interrupts_off, interrupts_restore },
	};
	for (uint32_t cpu = 0; cpu < e->topology->cpu_count; cpu++)
		allocator.node_cpus[e->topology->cpus[cpu].node] += e->topology->cpus[cpu].online;
}

static struct alloc_input input_of(const struct experiments *e, const struct lab_input *input,
				   struct progress *progress)
{
	return (struct alloc_input){
		.machine = input->machine,
		.topology = e->topology,
		.memmap = e->memmap,
		.options = e->options,
		.allocator = &allocator,
		.base = direct(0),
		.tsc_hz = e->tsc_hz,
		.progress = show_progress,
		.progress_context = progress,
	};
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t experiments_alloc_bytes(const struct experiments *e, const struct lab_input *input,
				 uint32_t extra_reserved)
{
	const bool *chosen = e->options->experiment_chosen;
	struct alloc_input alloc = input_of(e, input, NULL);
	uint64_t bytes = 0;

	set_allocator(e, input);
	if (chosen[EXPERIMENT_PCP] || chosen[EXPERIMENT_FREE])
		bytes = fill_bytes(input, extra_reserved);
	if (chosen[EXPERIMENT_PCP])
		bytes = larger(bytes, larger(pcp_bytes(&alloc), stream_bytes(&alloc)));
	if (chosen[EXPERIMENT_FREE])
		bytes = larger(bytes, free_bytes(&alloc));
	return bytes;
}

/* ---- what they find ------------------------------------------------------------------------- */

/* A free that the allocator refused. */
static const char *refused(const struct experiments *e)
{
	report_free_fault(e->report, &allocator.fault, allocator.pcp);
	free_fault_text(fault_text, sizeof(fault_text), &allocator.fault, allocator.pcp);
	return fault_text;
}

static const char *fill(const struct lab_input *input, void *memory, uint64_t bytes)
{
	if (fill_run(input, memory, bytes, &fill_sample))
		return NULL;
	return fill_sample.workers ? "the memmap is not as it must be before the experiments on "
				     "the page allocator" :
				     "memory could not be filled: no CPU, or a table was too small";
}

static const char *run_pcp(const struct experiments *e, const struct alloc_input *input,
			   void *memory, uint64_t bytes)
{
	const struct pcp_results *r = &pcp_results;

	if (!pcp_run(input, &pcp_limits, memory, bytes, &pcp_results))
		return "experiment pcp could not start: no CPU, or a table was too small";
	if (r->free_fault)
		return refused(e);
	if (r->fault) {
		format(fault_text, sizeof(fault_text), "%s: pcp=%s, %s", r->fault,
		       pcp_name(r->fault_way), pcp_bench_name(r->fault_bench));
		return fault_text;
	}
	report_pcp(e->report, r);
	return NULL;
}

static const char *run_stream(const struct experiments *e, const struct alloc_input *input,
			      void *memory, uint64_t bytes)
{
	const struct stream_results *r = &stream_results;

	if (!stream_run(input, memory, bytes, &stream_results))
		return "workload stream could not start: no CPU, or a table was too small";
	if (r->free_fault)
		return refused(e);
	if (r->fault) {
		format(fault_text, sizeof(fault_text), "%s: pcp=%s, stream", r->fault,
		       pcp_name(r->fault_way));
		return fault_text;
	}
	report_stream(e->report, r);
	return NULL;
}

/* Both workloads. */
static const char *run_pcp_and_stream(const struct experiments *e, const struct alloc_input *input,
				      void *memory, uint64_t bytes)
{
	const char *fault = run_pcp(e, input, memory, bytes);

	return fault ? fault : run_stream(e, input, memory, bytes);
}

static const char *run_free(const struct experiments *e, const struct alloc_input *input,
			    void *memory, uint64_t bytes)
{
	const struct free_results *r = &free_results;

	if (!free_run(input, memory, bytes, &free_results))
		return "experiment free could not start: no CPU, or a table was too small";
	report_free(e->report, r);
	if (r->free_fault.kind != FREE_FAULT_NONE)
		return refused(e);
	if (r->fault && r->fault_row < r->row_count) {
		format(fault_text, sizeof(fault_text), "%s: free=%s", r->fault,
		       free_way_name(r->rows[r->fault_row].way));
		return fault_text;
	}
	return r->fault;
}

static const char *run_disturbed(const struct experiments *e, const struct alloc_input *input,
				 const char *(*run)(const struct experiments *e,
						    const struct alloc_input *input, void *memory,
						    uint64_t bytes),
				 void *memory, uint64_t bytes)
{
	const struct lab_machine *machine = input->machine;
	struct disturbance before, after;
	const char *fault;

	machine->disturbance(machine->context, &before);
	fault = run(e, input, memory, bytes);
	machine->disturbance(machine->context, &after);
	if (!fault)
		report_disturbed(e->report, &before, &after);
	return fault;
}

const char *experiments_alloc_run(const struct experiments *e, const struct lab_input *input,
				  void *memory, uint64_t bytes)
{
	const bool *chosen = e->options->experiment_chosen;
	struct progress progress = { .report = e->report };
	struct alloc_input alloc = input_of(e, input, &progress);
	const char *fault;

	if (!chosen[EXPERIMENT_PCP] && !chosen[EXPERIMENT_FREE])
		return NULL;
	fault = fill(input, memory, bytes);
	progress.experiment = "pcp";
	if (!fault && chosen[EXPERIMENT_PCP])
		fault = run_disturbed(e, &alloc, run_pcp_and_stream, memory, bytes);
	progress.experiment = "free";
	if (!fault && chosen[EXPERIMENT_FREE])
		fault = run_disturbed(e, &alloc, run_free, memory, bytes);
	return fault;
}
