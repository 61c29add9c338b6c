/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/inject.h"

/* The node of the last frame of RAM is wrong by one. */
static void inject_page(const struct lab *lab)
{
	const struct topology *topology = lab->input->topology;
	uint64_t pfn = topology->ram[topology->ram_count - 1].end_pfn - 1;

	lab->input->memmap->base[pfn].flags ^= 1ull << PAGE_NODE_SHIFT;
}

/* The first chunk on record is claimed once more. */
static void inject_chunk(const struct lab *lab)
{
	struct claim_log *logs = lab->passes[0].logs;
	struct claim claim;

	if (!lab->plan->job_count || !logs[0].count)
		return;
	claim = logs[0].claims[0];
	claim_log_add(&logs[0], claim.start, claim.end, claim.worker);
}

void lab_inject(const struct lab *lab)
{
	if (lab->request->inject == INJECT_PAGE)
		inject_page(lab);
	if (lab->request->inject == INJECT_CHUNK)
		inject_chunk(lab);
}
