/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/driver.h"

#include "experiments/progress.h"
#include "experiments/table.h"
#include "lib/format.h"
#include "lib/minmax.h"
#include "mm/buddy/buddy_zones.h"

static void set_up_input(struct laboratory *laboratory)
{
	struct buddy *buddy = &laboratory->buddy;

	buddy->base = laboratory->memmap->base;
	buddy->pageblocks = laboratory->pageblocks;
	buddy_set_zones(buddy, laboratory->topology);
	laboratory->input = (struct lab_input){
		.machine = laboratory->machine,
		.topology = laboratory->topology,
		.memmap = laboratory->memmap,
		.reserved = laboratory->reserved,
		.options = laboratory->options,
		.buddy = buddy,
		.progress = show_progress,
		.progress_context = laboratory,
	};
}

static void set_up_alloc_input(struct laboratory *laboratory)
{
	const struct topology *topology = laboratory->topology;
	struct page_allocator *allocator = &laboratory->allocator;

	*allocator = (struct page_allocator){
		.buddy = &laboratory->buddy,
		.memmap = laboratory->memmap,
		.cpu_count = topology->cpu_count,
		.irq = laboratory->irq,
	};
	for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
		allocator->node_cpus[topology->cpus[cpu].node] += topology->cpus[cpu].online;
	laboratory->alloc_input = (struct alloc_input){
		.machine = laboratory->machine,
		.topology = topology,
		.memmap = laboratory->memmap,
		.options = laboratory->options,
		.allocator = allocator,
		.base = laboratory->base,
		.tsc_hz = laboratory->tsc_hz,
		.progress = show_progress,
		.progress_context = laboratory,
	};
}

static bool is_wanted(const struct experiment *experiment, const struct options *options)
{
	return experiment->wanted ? experiment->wanted(options) :
				    options->experiment_chosen[experiment->id];
}

static uint64_t bytes_needed(const struct laboratory *laboratory)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; all_experiments[i]; i++)
		if (is_wanted(all_experiments[i], laboratory->options) && all_experiments[i]->needs)
			bytes = max_u64(bytes, all_experiments[i]->needs(laboratory));
	return bytes;
}

static const char *run_one(const struct experiment *experiment, struct laboratory *laboratory)
{
	if (experiment->run && !experiment->run(laboratory)) {
		format(laboratory->fault, sizeof(laboratory->fault),
		       "%s: no CPU, or a table was too small", experiment->not_started);
		return laboratory->fault;
	}
	if (experiment->summarise)
		experiment->summarise(laboratory);
	return experiment->describe(laboratory);
}

const char *laboratory_run(struct laboratory *laboratory)
{
	const char *fault = NULL;

	set_up_input(laboratory);
	set_up_alloc_input(laboratory);
	laboratory->bytes = bytes_needed(laboratory);
	laboratory->memory = laboratory->allocate(laboratory->allocate_context, laboratory->bytes);
	if (!laboratory->memory)
		return "too little memory for the experiments' own records";
	for (uint32_t i = 0; !fault && all_experiments[i]; i++) {
		if (!is_wanted(all_experiments[i], laboratory->options))
			continue;
		fault = run_one(all_experiments[i], laboratory);
		laboratory->check(laboratory->topology);
	}
	return fault;
}

const char *laboratory_passed(const struct options *options)
{
	const char *passed = "every struct page is as it must be";

	for (uint32_t i = 0; all_experiments[i]; i++)
		if (all_experiments[i]->passed && is_wanted(all_experiments[i], options))
			passed = all_experiments[i]->passed;
	return passed;
}
