/* SPDX-License-Identifier: GPL-2.0-only */
/* The way of 2017, before the series: one CPU walks, gathers and frees; single pages are kept per
 * CPU [Linux 4.11 mm/memory.c unmap_region]. */
#include "mm/unmap/unmap.h"

static uint64_t vanilla_bytes(const struct unmap_job *job)
{
	(void)job;
	return 0;
}

static void vanilla_prepare(struct unmap_job *job)
{
	(void)job;
}

static void vanilla_work(struct unmap_job *job, uint32_t rank)
{
	uint64_t tables = address_space_leaf_tables(job->space);
	struct unmap_rank *r = &job->ranks[rank];
	struct gather gather;

	if (rank != 0)
		return;
	gather_begin(&gather, job->space, r->cpu, r->node, GATHER_BATCHES);
	unmap_pages(job, &gather, 0, tables);
	unmap_leaf_tables(job, &gather, 0, tables);
	unmap_upper_tables(job, &gather);
	gather_end(&gather);
	r->flushes += gather.flushes;
	r->failures += gather.failures;
}

const struct unmap_way unmap_vanilla = {
	.word = { "vanilla", "one CPU walks and frees (Linux 4.11)" },
	.pcp = PCP_ORDER0,
	.bytes = vanilla_bytes,
	.prepare = vanilla_prepare,
	.work = vanilla_work,
};
