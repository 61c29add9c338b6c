/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/view.h"

#include <stdlib.h>

#include "lib/page_units.h"
#include "smp/dispatch/dispatch.h"
#include "tools/inspect/alloc.h"

uint32_t view_node_cpus(const struct inspection *inspection, uint32_t node)
{
	if (inspection->cpu_source == CPUS_UNKNOWN)
		return 0;
	return inspection->topology.nodes[node].cpu_count;
}

uint64_t view_node_chunk(const struct init_plan *plan, uint32_t node)
{
	uint64_t largest = 0;

	for (uint32_t i = 0; i < plan->nodes[node].job_count; i++) {
		struct job_state state;

		dispatch_prepare(&state, &plan->jobs[plan->nodes[node].first_job + i].job);
		if (state.chunk > largest)
			largest = state.chunk;
	}
	return largest;
}

struct view_sections view_node_sections(const struct inspection *inspection, uint32_t node)
{
	struct view_sections view = { 0, 0 };

	for (uint64_t i = 0; i < inspection->memmap.count; i++) {
		const struct memmap_section *section = &inspection->memmap.sections[i];

		view.sections += section->node == node;
		view.remote += section->node == node && section->backing_node != node;
	}
	return view;
}

static int by_pfn(const void *a, const void *b)
{
	const struct view_backing *left = a, *right = b;

	return (left->start_pfn > right->start_pfn) - (left->start_pfn < right->start_pfn);
}

struct view_backing *view_backing(const struct inspection *inspection, uint64_t *count)
{
	const struct memmap *memmap = &inspection->memmap;
	struct view_backing *list = array_or_die(memmap->count, sizeof(*list));
	uint64_t kept = 0;

	for (uint64_t i = 0; i < memmap->count; i++) {
		const struct memmap_section *section = &memmap->sections[i];

		list[i] = (struct view_backing){ section->backing_pfn,
						 section->backing_pfn + HUGE_PAGE_PAGES,
						 section->backing_node };
	}
	qsort(list, memmap->count, sizeof(*list), by_pfn);
	for (uint64_t i = 0; i < memmap->count; i++) {
		struct view_backing *last = kept > 0 ? &list[kept - 1] : NULL;

		if (last && last->end_pfn == list[i].start_pfn && last->node == list[i].node)
			last->end_pfn = list[i].end_pfn;
		else
			list[kept++] = list[i];
	}
	*count = kept;
	return list;
}
