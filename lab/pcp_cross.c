/* One CPU allocates, another one frees. */
#include "lab/pcp_parts.h"
#include "lib/cpu.h"

enum { LOOK_EVERY = 32, SPINS = 1024 };

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

/* Its clock runs from when the first blocks are through, as the consumer's. */
static void produce(struct pcp_state *s, struct pcp_worker *w, struct pcp_ring *ring)
{
	struct page_allocator *allocator = s->input->allocator;
	uint64_t begun = alloc_now(s->input), start = 0, now = begun, put = 0, first = 0;

	while (!start || now - start < s->slice_cycles) {
		uint64_t pfn;

		if (!wait_for_room(s, ring, put)) {
			w->failed = true;
			break;
		}
		pfn = page_alloc(allocator, w->cpu, w->node, s->cell->order);
		if (pfn == BUDDY_NONE)
			break;
		ring->pfns[put++ % PCP_RING_BLOCKS] = pfn;
		atomic_store_explicit(&ring->put, put, memory_order_release);
		if (put % LOOK_EVERY)
			continue;
		now = alloc_now(s->input);
		if (!start && now - begun >= s->warm_cycles) {
			start = now;
			first = put;
		}
	}
	if (start) {
		w->operations = put - first;
		w->cycles = now - start;
	}
	atomic_store_explicit(&ring->closed, true, memory_order_release);
}

static void consume(struct pcp_state *s, struct pcp_worker *w, struct pcp_ring *ring)
{
	struct page_allocator *allocator = s->input->allocator;
	uint64_t begun = alloc_now(s->input), start = 0, now = begun, taken = 0, first = 0;

	for (;;) {
		if (!wait_for_more(s, ring, taken)) {
			w->failed = true;
			break;
		}
		/* closed: what was put before is seen from here on */
		if (!has_more(ring, taken))
			break;
		page_free(allocator, w->cpu, ring->pfns[taken++ % PCP_RING_BLOCKS],
			  s->cell->order);
		atomic_store_explicit(&ring->taken, taken, memory_order_release);
		if (taken % LOOK_EVERY)
			continue;
		now = alloc_now(s->input);
		w->operations = start ? taken - first : 0;
		w->cycles = start ? now - start : 0;
		if (!start && now - begun >= s->warm_cycles) {
			start = now;
			first = taken;
		}
	}
}

void pcp_cross(void *argument, uint32_t index)
{
	struct pcp_state *s = argument;
	struct pcp_worker *w = &s->workers[index];
	struct pcp_ring *ring = &s->rings[index / 2];

	w->operations = w->cycles = 0;
	if (index % 2)
		consume(s, w, ring);
	else
		produce(s, w, ring);
}
