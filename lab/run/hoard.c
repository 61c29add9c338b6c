/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/hoard.h"

#include "lab/run/latencies.h"
#include "lib/cpu.h"
#include "lib/patience.h"

/* A block's first struct page leads to that of the block before it. */
void hoard_add(const struct lab *lab, struct hoard *hoard, uint64_t pfn)
{
	lab->input->memmap->base[pfn].private_data = hoard->last_pfn;
	hoard->last_pfn = pfn;
	hoard->blocks++;
}

/* No further than there are blocks: an allocator gone wrong hands out one twice, and the list runs
 * in a circle. */
void hoard_give_back(struct lab *lab, struct hoard *hoard)
{
	for (; hoard->blocks && hoard->last_pfn != BUDDY_NONE; hoard->blocks--) {
		uint64_t pfn = hoard->last_pfn;
		struct page *page = &lab->input->memmap->base[pfn];

		hoard->last_pfn = page->private_data;
		page->private_data = 0;
		buddy_free(lab->input->buddy, pfn, hoard->order);
	}
}

/* ---- growth --------------------------------------------------------------------------------- */

void lab_grow(struct lab *lab, struct hoard *hoard)
{
	for (uint32_t node = 0; node < lab->capacity.nodes; node++) {
		uint64_t before = atomic_load(&lab->deferred->grown_pages), pfn;

		if (!lab->plan->nodes[node].deferred_pages)
			continue;
		while (atomic_load(&lab->deferred->grown_pages) == before) {
			pfn = deferred_alloc(lab->deferred, node, hoard->order);
			if (pfn == BUDDY_NONE)
				break;
			hoard_add(lab, hoard, pfn);
		}
	}
}

/* ---- policy async --------------------------------------------------------------------------- */

/* The boot CPU's own node first, then the others. */
static uint64_t allocate_anywhere(struct lab *lab, uint32_t order)
{
	uint32_t own = lab->input->topology->cpus[BOOT_CPU].node;
	uint64_t pfn = deferred_alloc(lab->deferred, own, order);

	for (uint32_t node = 0; pfn == BUDDY_NONE && node < lab->capacity.nodes; node++)
		if (node != own)
			pfn = deferred_alloc(lab->deferred, node, order);
	return pfn;
}

/* One timed allocation into the hoard, or a failure. Not where the list of latencies is full. */
static void allocate_once(struct lab *lab, uint64_t start_tsc, struct async_sample *sample,
			  struct hoard *hoard)
{
	uint64_t before, after, pfn;

	if (sample->allocations == lab->capacity.latencies) {
		cpu_pause();
		return;
	}
	before = lab_now(lab);
	pfn = allocate_anywhere(lab, hoard->order);
	after = lab_now(lab);
	if (pfn == BUDDY_NONE) {
		sample->failures++;
		cpu_pause();
		return;
	}
	if (!sample->allocations)
		sample->first_success_cycles = after - start_tsc;
	lab->latencies[sample->allocations++] = after - before;
	hoard_add(lab, hoard, pfn);
}

/* Once at least, should the workers have finished before this CPU had woken the last of them. */
void lab_allocate_meanwhile(struct lab *lab, uint64_t start_tsc, struct async_sample *sample,
			    struct hoard *hoard)
{
	struct patience patience;

	patience_begin(&patience, lab_now(lab), lab->input->machine->timeout_cycles);
	do
		allocate_once(lab, start_tsc, sample, hoard);
	while (atomic_load_explicit(&lab->done, memory_order_acquire) < lab->worker_count &&
	       !patience_over(&patience, lab_now(lab)));
	lab_sum_latencies(lab->latencies, sample->allocations, sample);
}

/* ---- policy lazy ---------------------------------------------------------------------------- */

void lab_first_use(struct lab *lab, struct lazy_sample *sample)
{
	struct buddy *buddy = lab->input->buddy;
	struct hoard hoard = { BUDDY_NONE, 0, 0 };
	uint64_t start = lab_now(lab), pfn;

	for (uint32_t node = 0; node < lab->capacity.nodes; node++)
		while (hoard.blocks < FIRST_USE_PAGES_MAX &&
		       (pfn = buddy_alloc_node(buddy, node, 0)) != BUDDY_NONE)
			hoard_add(lab, &hoard, pfn);
	sample->first_use_cycles = lab_now(lab) - start;
	sample->first_use_pages = hoard.blocks;
	sample->filled_blocks = lab->fill->blocks;
	sample->fill_cycles = lab->fill->cycles;
	hoard_give_back(lab, &hoard);
}
