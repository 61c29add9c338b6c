/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/all_cpus.h"

#include "lib/page_units.h"
#include "lib/string.h"

#define SECTION_PAGEBLOCKS (SECTION_PAGES / PAGEBLOCK_PAGES)

void lab_run_on(const struct lab *lab, const uint32_t *cpus, uint32_t count,
		void (*function)(void *argument, uint32_t index), void *argument)
{
	const struct lab_machine *machine = lab->input->machine;

	if (count)
		machine->run(machine->context, cpus, count, function, argument);
}

static void on_all_sections(struct lab *lab, enum dispatch_split split,
			    void (*function)(void *argument, uint32_t index))
{
	dispatch_prepare(lab->sections, &(struct job){
		.size = lab->input->memmap->count,
		.align = 1,
		.min_chunk = 1,
		.max_workers = lab->online_count,
		.split = split,
	});
	lab_run_on(lab, lab->online, lab->online_count, function, lab);
}

static void poison_section(const struct lab *lab, uint64_t index)
{
	const struct memmap *memmap = lab->input->memmap;
	uint64_t section = memmap->sections[index].section;

	if (!lab->request->cold)
		memset(memmap->base + section * SECTION_PAGES, PAGE_POISON_BYTE,
		       SECTION_PAGES * sizeof(struct page));
	memset(lab->input->buddy->pageblocks + section * SECTION_PAGEBLOCKS, MIGRATE_UNTYPED,
	       SECTION_PAGEBLOCKS);
}

static void poison_worker(void *argument, uint32_t worker)
{
	const struct lab *lab = argument;
	uint64_t first, end;

	while (dispatch_claim(lab->sections, worker, &first, &end))
		for (uint64_t i = first; i < end; i++)
			poison_section(lab, i);
}

/* Split beforehand: each CPU fills the same sections before every run, so that its caches and its
 * TLB hold the same ones. */
void lab_poison(struct lab *lab)
{
	on_all_sections(lab, DISPATCH_FIXED, poison_worker);
}

static void verify_worker(void *argument, uint32_t worker)
{
	const struct lab *lab = argument;
	const struct lab_input *input = lab->input;
	struct verify_job job = { input->memmap, input->topology, input->reserved, lab->stage };
	struct verify_totals *totals = &lab->checks[worker].totals;
	uint64_t first, end;

	verify_totals_init(totals);
	while (dispatch_claim(lab->sections, worker, &first, &end)) {
		if (lab->init_only)
			verify_sized(&job, input->options->page_size, first, end, totals);
		else
			verify_sections(&job, first, end, totals);
	}
}

void lab_verify(struct lab *lab, enum verify_stage stage, struct verify_totals *totals)
{
	lab->stage = stage;
	on_all_sections(lab, DISPATCH_DYNAMIC, verify_worker);
	verify_totals_init(totals);
	for (uint32_t i = 0; i < lab->online_count; i++)
		verify_totals_add(totals, &lab->checks[i].totals);
}
