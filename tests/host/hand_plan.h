/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Init plans for tests, in arrays of exactly the capacity that init_plan_bounds asks for, so that
 * ASan sees a bound that is too low. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/page_units.h"
#include "mm/init/plan.h"

struct hand_plan {
	struct memmap memmap;
	struct init_plan plan;
};

static inline void hand_plan_free(struct hand_plan *hand)
{
	free(hand->memmap.sections);
	free(hand->plan.spans);
	free(hand->plan.jobs);
	free(hand->plan.visits);
	memset(hand, 0, sizeof(*hand));
}

/* The populated sections, by asking for each frame's section in turn. */
static inline void hand_memmap(struct memmap *memmap, const struct topology *topology)
{
	memmap->count = memmap_count_sections(topology);
	memmap->sections = calloc(memmap->count + 1, sizeof(memmap->sections[0]));
	memmap->count = 0;
	for (uint32_t i = 0; i < topology->ram_count; i++) {
		uint64_t section = topology->ram[i].start_pfn / SECTION_PAGES;

		for (; section * SECTION_PAGES < topology->ram[i].end_pfn; section++)
			if (!memmap->count ||
			    memmap->sections[memmap->count - 1].section != section)
				memmap->sections[memmap->count++] = (struct memmap_section){
					.section = section, .node = topology->ram[i].node };
	}
}

static inline bool hand_plan_build(struct hand_plan *hand, const struct topology *topology,
				   const struct range_list *reserved,
				   const struct init_rules *rules)
{
	struct init_plan *plan = &hand->plan;

	hand_plan_free(hand);
	memset(plan, 0xee, sizeof(*plan));
	hand_memmap(&hand->memmap, topology);
	init_plan_bounds(topology, &hand->memmap, reserved, &plan->span_capacity,
			 &plan->job_capacity, &plan->visit_capacity);
	plan->spans = malloc(plan->span_capacity * sizeof(plan->spans[0]));
	plan->jobs = malloc(plan->job_capacity * sizeof(plan->jobs[0]));
	plan->visits = malloc(plan->visit_capacity * sizeof(plan->visits[0]));
	return init_plan_build(plan, topology, &hand->memmap, reserved, rules);
}
