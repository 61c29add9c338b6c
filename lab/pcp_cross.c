/* One CPU allocates, another one frees. */
#include "lab/pcp_parts.h"
#include "lib/cpu.h"

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

/* False: the other side did nothing for longer than CPUs are waited for. */
static bool wait_for_room(struct pcp_state *s, struct pcp_ring *ring, uint64_t put)
{
	uint64_t start = 0, timeout = s->input->machine->timeout_cycles;

	for (uint32_t spins = 1; !has_room(ring, put); spins++) {
		cpu_pause();
		if (spins % SPINS)
			continue;
		if (!start)
			start = alloc_now(s->input);
		else if (alloc_now(s->input) - start > timeout)
			return false;
	}
	return true;
}

static bool wait_for_more(struct pcp_state *s, struct pcp_ring *ring, uint64_t taken)
{
	uint64_t start = 0, timeout = s->input->machine->timeout_cycles;

	for (uint32_t spins = 1; !has_more(ring, taken) && !is_closed(ring); spins++) {
		cpu_pause();
		if (spins % SPINS)
			continue;
		if (!start)
			start = alloc_now(s->input);
		else if (alloc_now(s->input) - start > timeout)
			return false;
	}
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
static bool producer_goes_on(struct pcp_state *s, struct pcp_worker *w, struct pcp_ring *ring,
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

static void produce(struct pcp_state *s, struct pcp_worker *w, struct pcp_ring *ring)
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

static void consumer_looks(struct pcp_state *s, struct pcp_worker *w, struct pcp_ring *ring,
			   struct passage *at)
{
	uint64_t from = atomic_load_explicit(&ring->counted_from, memory_order_acquire);
	uint64_t now = alloc_now(s->input);

	if (at->start_tsc)
		stop(at, w, now);
	else if (from && at->blocks >= from)
		start(at, now);
}

static void consume(struct pcp_state *s, struct pcp_worker *w, struct pcp_ring *ring)
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
	struct pcp_state *s = argument;
	struct pcp_worker *w = &s->workers[index];
	struct pcp_ring *ring = &s->rings[index / 2];

	if (index % 2)
		consume(s, w, ring);
	else
		produce(s, w, ring);
}
