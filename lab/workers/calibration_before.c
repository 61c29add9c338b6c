/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/calibration_before.h"

#include "lab/workers/calibration_parts.h"
#include "lib/minmax.h"
#include "lib/page_units.h"

uint32_t calibrate_gather(struct calibrate_state *c)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->plan->visit_count; i++) {
		const struct init_visit *visit = &c->plan->visits[i];

		if (visit->rank >= c->nodes[visit->node].workers)
			continue;
		c->cpus[count] = visit->cpu;
		c->workers[count++] = (struct search_worker){ visit->node, visit->rank, 0, 0 };
	}
	return count;
}

static void meet(void *argument, uint32_t index)
{
	struct calibrate_state *c = argument;
	uint64_t timeout = c->input->init->machine->timeout_cycles;

	c->workers[index].go_tsc = barrier_wait(c->barrier, timeout);
}

void calibrate_set_workers(struct calibrate_state *c, uint32_t most)
{
	for (uint32_t node = 0; node < c->input->init->topology->node_count; node++) {
		struct search_node *s = &c->nodes[node];

		s->workers = min_u32(s->most, most);
	}
}

bool calibrate_meet(struct calibrate_state *c)
{
	const struct lab_machine *machine = c->input->init->machine;
	uint64_t start = calibrate_now(c);
	bool met;

	calibrate_set_workers(c, 2);
	c->meeting_cpus = calibrate_gather(c);
	met = c->meeting_cpus > 0;
	if (met) {
		barrier_init(c->barrier, c->meeting_cpus);
		machine->run(machine->context, c->cpus, c->meeting_cpus, meet, c);
	}
	for (uint32_t i = 0; i < c->meeting_cpus; i++)
		met &= c->workers[i].go_tsc != 0;
	c->meeting_cycles = calibrate_now(c) - start;
	calibrate_set_workers(c, 1);
	return met;
}

/* One byte of each page that holds descriptors. Where those are small some have it twice. */
static void touch(void *argument, uint32_t index)
{
	const struct calibrate_state *c = argument;
	const struct search_worker *w = &c->workers[index];
	const struct search_node *s = &c->nodes[w->node];
	uint64_t each = (s->end_pfn - s->start_pfn) / s->most, pfn = s->start_pfn + w->rank * each;
	uint64_t end = w->rank + 1 == s->most ? s->end_pfn : pfn + each;

	for (; pfn < end; pfn += PAGE_BYTES / sizeof(struct page)) {
		uint64_t section_pfn = pfn - pfn % SECTION_PAGES;

		*(volatile uint8_t *)(s->args.descriptors + section_pfn * sizeof(struct page) +
				      (pfn - section_pfn) * s->args.descriptor_bytes) = 0;
	}
}

/* All steps together have work for 5 % of the time, hence for as large a part of the frames. */
void calibrate_touch(struct calibrate_state *c)
{
	const struct lab_input *input = c->input->init;
	uint64_t start = calibrate_now(c);
	uint32_t count;

	calibrate_set_workers(c, 0);
	for (uint32_t node = 0; node < input->topology->node_count; node++) {
		struct search_node *s = &c->nodes[node];
		uint64_t blocks = c->plan->nodes[node].deferred_pages / 100 * CALIBRATE_PERCENT /
				  BLOCK_PAGES + s->most;

		if (!s->most || input->memmap_written || !c->result->nodes[node].touch_first)
			continue;
		if (s->end_pfn - s->start_pfn > blocks * BLOCK_PAGES)
			s->end_pfn = s->start_pfn + blocks * BLOCK_PAGES;
		s->workers = s->most;
	}
	count = calibrate_gather(c);
	if (count)
		input->machine->run(input->machine->context, c->cpus, count, touch, c);
	c->result->touch_cycles = count ? calibrate_now(c) - start : 0;
}
