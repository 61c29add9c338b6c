/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/unmap_batch.h"

#include "lib/cpu.h"
#include "lib/minmax.h"
#include "lib/patience.h"
#include "mm/unmap/unmap.h"

struct batch_queue {
	uint64_t capacity;
	_Alignas(64) _Atomic uint64_t published; /* chains that are in the queue */
	_Atomic uint32_t closed;                 /* and there will be no more */
	_Alignas(64) _Atomic uint64_t next;      /* chain to claim, published or not */
	_Alignas(64) _Atomic uint64_t freed;
	_Alignas(64) uint64_t chains[];          /* frame of the first batch of each */
};

/* The clock is read now and then only: it is no part of the wait, and under emulation dear. */
enum { SPINS_PER_CLOCK = 1024 };

struct batch_wait {
	uint32_t spins; /* 0: it has not begun */
	struct patience patience;
};

struct batch_walk {
	struct unmap_job *job;
	struct unmap_rank *rank;
};

static uint64_t threshold_pages(uint32_t gather)
{
	uint64_t pages = (uint64_t)gather * GATHER_PAGES;

	return min_u64(pages, BATCH_THRESHOLD_PAGES);
}

uint64_t unmap_batch_chains(uint64_t pages, uint32_t gather)
{
	uint64_t full = GATHER_BUNDLE + (uint64_t)gather * GATHER_PAGES;

	return pages / full + (pages % full >= threshold_pages(gather));
}

/* With all tables, which are gathered, too: those above the leaf tables are no more than these and
 * three. */
static uint64_t capacity(const struct unmap_job *job)
{
	uint64_t tables = address_space_leaf_tables(job->space);

	return unmap_batch_chains(job->space->entries + 2 * tables + 3, job->gather);
}

static uint64_t batch_bytes(const struct unmap_job *job)
{
	return sizeof(struct batch_queue) + capacity(job) * sizeof(uint64_t);
}

static void batch_prepare(struct unmap_job *job)
{
	struct batch_queue *queue = job->state;

	queue->capacity = capacity(job);
	atomic_store(&queue->published, 0);
	atomic_store(&queue->closed, 0);
	atomic_store(&queue->next, 0);
	atomic_store(&queue->freed, 0);
}

static bool overdue(const struct unmap_job *job, struct batch_wait *wait)
{
	cpu_pause();
	if (wait->spins++ == 0)
		patience_begin(&wait->patience, tsc_ordered(), job->patience_cycles);
	return wait->spins % SPINS_PER_CLOCK == 0 && patience_over(&wait->patience, tsc_ordered());
}

/* ---- the walker ------------------------------------------------------------------------------ */

static bool publish(void *context, uint64_t first_pfn)
{
	struct batch_walk *walk = context;
	struct batch_queue *queue = walk->job->state;
	uint64_t count = atomic_load_explicit(&queue->published, memory_order_relaxed);

	if (count == queue->capacity || walk->job->rank_count < 2)
		return false;
	queue->chains[count] = first_pfn;
	atomic_store_explicit(&queue->published, count + 1, memory_order_release);
	walk->rank->queued++;
	return true;
}

static void wait_for_workers(const struct unmap_job *job, struct batch_queue *queue)
{
	uint64_t count = atomic_load_explicit(&queue->published, memory_order_relaxed);
	struct batch_wait wait = { .spins = 0 };

	atomic_store_explicit(&queue->closed, 1, memory_order_release);
	while (atomic_load_explicit(&queue->freed, memory_order_acquire) < count &&
	       !overdue(job, &wait))
		;
}

static void walk(struct unmap_job *job)
{
	uint64_t tables = address_space_leaf_tables(job->space);
	struct unmap_rank *rank = &job->ranks[0];
	struct batch_walk context = { job, rank };
	struct gather gather;

	gather_begin(&gather, job->space, rank->cpu, rank->node, job->gather);
	gather.queue = publish;
	gather.context = &context;
	gather.threshold = threshold_pages(job->gather);
	unmap_pages(job, &gather, 0, tables);
	unmap_leaf_tables(job, &gather, 0, tables);
	unmap_upper_tables(job, &gather);
	gather_flush(&gather);
	wait_for_workers(job, job->state);
	gather_end(&gather);
	rank->flushes += gather.flushes;
	rank->failures += gather.failures;
}

/* ---- a worker -------------------------------------------------------------------------------- */

/* Whether chain `ticket` came before the queue was closed. */
static bool wait_for_chain(const struct unmap_job *job, struct batch_queue *queue, uint64_t ticket)
{
	struct batch_wait wait = { .spins = 0 };

	for (;;) {
		bool closed = atomic_load_explicit(&queue->closed, memory_order_acquire);

		if (atomic_load_explicit(&queue->published, memory_order_acquire) > ticket)
			return true;
		if (closed || overdue(job, &wait))
			return false;
	}
}

static void serve(struct unmap_job *job, const struct unmap_rank *rank)
{
	struct batch_queue *queue = job->state;

	for (;;) {
		uint64_t ticket = atomic_fetch_add_explicit(&queue->next, 1, memory_order_relaxed);

		if (!wait_for_chain(job, queue, ticket))
			return;
		gather_free_chain(job->space, rank->cpu, queue->chains[ticket]);
		atomic_fetch_add_explicit(&queue->freed, 1, memory_order_release);
	}
}

static void batch_work(struct unmap_job *job, uint32_t rank)
{
	if (rank == 0)
		walk(job);
	else
		serve(job, &job->ranks[rank]);
}

const struct unmap_way unmap_batch = {
	.word = { "batch", "a walker hands pages to workers (series of 2017)" },
	.pcp = PCP_ORDER0,
	.bytes = batch_bytes,
	.prepare = batch_prepare,
	.work = batch_work,
};
