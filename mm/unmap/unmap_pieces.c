/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounded holds of the zone's lock: as vanilla, but on per-CPU lists that keep orders 0 to 3 and
 * the huge pages (5.14), and what these give back above their mark goes in pieces of one batch,
 * the lock dropped in between [change of 2025, upstream 0acc67c4030c]. Several CPUs may walk, each
 * its part of the mapping; the last of them frees the upper tables.
 */
#include "mm/unmap/unmap.h"

static uint64_t pieces_bytes(const struct unmap_job *job)
{
	(void)job;
	return 0;
}

static void pieces_prepare(struct unmap_job *job)
{
	job->space->allocator->drain_pieces = job->pieces;
}

static void pieces_work(struct unmap_job *job, uint32_t rank)
{
	struct unmap_rank *r = &job->ranks[rank];
	struct gather gather;
	uint64_t first, end;

	unmap_share(job, rank, &first, &end);
	gather_begin(&gather, job->space, r->cpu, r->node, GATHER_BATCHES);
	unmap_pages(job, &gather, first, end);
	unmap_leaf_tables(job, &gather, first, end);
	if (unmap_last(job))
		unmap_upper_tables(job, &gather);
	gather_end(&gather);
	r->flushes += gather.flushes;
	r->failures += gather.failures;
}

const struct unmap_way unmap_pieces = {
	.word = { "pieces", "each CPU its part; drains give the zone's lock up (2025)" },
	.pcp = PCP_MERGED,
	.bytes = pieces_bytes,
	.prepare = pieces_prepare,
	.work = pieces_work,
};
