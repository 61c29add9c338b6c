/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/pcp_cross.h"

#include "lab/alloc/pcp_bench_state.h"
#include "lib/cpu.h"
#include "lib/patience.h"

enum { LOOK_EVERY = 32, COUNTED_MIN = 3 * LOOK_EVERY, SPINS = 1024 };

/* ---- the ring ------------------------------------------------------------------------------- */

static bool has_room(struct pcp_ring *ring, uint64_t put)
{
	return put - atomic_load_explicit(&ring->taken, memory_order_acquire) < PCP_RING_BLOCKS;
}

static bool has_more(struct pcp_ring *ring, uint64_t taken)
{
	return atomic_load_explicit(&ring->put, memory_order_acquire) != taken;
}

static bool is_closed(struct pcp_ring *ring)
{
	return atomic_load_explicit(&ring->closed, memory_order_acquire);
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* The clock is looked at now and then only: a short wait must not cost more than it is long. */
struct wait {
	uint32_t spins;
	bool begun;
	struct patience patience;
};

/* False: the other side did nothing for longer than CPUs are waited for. */
static bool wait_on(const struct pcp_bench_state *s, struct wait *wait)
{
	uint64_t now;

	cpu_pause();
	if (++wait->spins % SPINS)
		return true;
	now = alloc_now(s->input);
	if (!wait->begun)
		patience_begin(&wait->patience, now, s->input->machine->timeout_cycles);
	wait->begun = true;
	return !patience_over(&wait->patience, now);
}

static bool wait_for_room(const struct pcp_bench_state *s, struct pcp_ring *ring, uint64_t put)
{
	struct wait wait = { 0 };

	while (!has_room(ring, put))
		if (!wait_on(s, &wait))
			return false;
	return true;
}

static bool wait_for_more(const struct pcp_bench_state *s, struct pcp_ring *ring, uint64_t taken)
{
	struct wait wait = { 0 };

	while (!has_more(ring, taken) && !is_closed(ring))
		if (!wait_on(s, &wait))
			return false;
	return true;
}

/* ---- both sides ----------------------------------------------------------------------------- */

/* What a side has done, and since when it counts. */
struct passage {
	uint64_t blocks, first, begun_tsc, start_tsc; /* start 0: nothing counts yet */
};

static void start(struct passage *at, uint64_t now)
{
	at->start_tsc = now;
	at->first = at->blocks;
}

static void stop(const struct passage *at, struct pcp_worker *w, uint64_t now)
{
	w->operations = at->blocks - at->first;
	w->cycles = now - at->start_tsc;
}

/* Says from which block on both sides count. Goes on for so long that the consumer, which learns
 * of that one look later at the latest, has some to count. */
static bool producer_goes_on(struct pcp_bench_state *s, struct pcp_worker *w, struct pcp_ring *ring,
			     struct passage *at)
{
	uint64_t now = alloc_now(s->input);

	if (at->start_tsc) {
		stop(at, w, now);
		return w->operations < COUNTED_MIN || w->cycles < s->slice_cycles;
	}
	if (now - at->begun_tsc >= s->warm_cycles) {
		start(at, now);
		atomic_store_explicit(&ring->counted_from, at->blocks, memory_order_release);
	}
	return true;
}

static void produce(struct pcp_bench_state *s, struct pcp_worker *w, struct pcp_ring *ring)
{
	struct page_allocator *allocator = s->input->allocator;
	struct passage at = { .begun_tsc = alloc_now(s->input) };

	do {
		uint64_t pfn;

		w->failed = !wait_for_room(s, ring, at.blocks);
		if (w->failed)
			break;
		pfn = page_alloc(allocator, w->cpu, w->node, s->cell->order);
		if (pfn == BUDDY_NONE)
			break;
		ring->pfns[at.blocks++ % PCP_RING_BLOCKS] = pfn;
		atomic_store_explicit(&ring->put, at.blocks, memory_order_release);
	} while (at.blocks % LOOK_EVERY || producer_goes_on(s, w, ring, &at));
	atomic_store_explicit(&ring->closed, true, memory_order_release);
}

static void consumer_looks(struct pcp_bench_state *s, struct pcp_worker *w, struct pcp_ring *ring,
			   struct passage *at)
{
	uint64_t from = atomic_load_explicit(&ring->counted_from, memory_order_acquire);
	uint64_t now = alloc_now(s->input);

	if (at->start_tsc)
		stop(at, w, now);
	else if (from && at->blocks >= from)
		start(at, now);
}

static void consume(struct pcp_bench_state *s, struct pcp_worker *w, struct pcp_ring *ring)
{
	struct page_allocator *allocator = s->input->allocator;
	struct passage at = { 0 };

	for (;;) {
		w->failed = !wait_for_more(s, ring, at.blocks);
		/* closed: what was put before is seen from here on */
		if (w->failed || !has_more(ring, at.blocks))
			break;
		page_free(allocator, w->cpu, ring->pfns[at.blocks++ % PCP_RING_BLOCKS],
			  s->cell->order);
		atomic_store_explicit(&ring->taken, at.blocks, memory_order_release);
		if (at.blocks % LOOK_EVERY == 0)
			consumer_looks(s, w, ring, &at);
	}
}

void pcp_cross(void *argument, uint32_t index)
{
	struct pcp_bench_state *s = argument;
	struct pcp_worker *w = &s->workers[index];
	struct pcp_ring *ring = &s->rings[index / 2];

	if (index % 2)
		consume(s, w, ring);
	else
		produce(s, w, ring);
}
