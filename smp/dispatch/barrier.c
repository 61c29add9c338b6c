/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/dispatch/barrier.h"

#include "lib/cpu.h"
#include "lib/patience.h"

void barrier_init(struct barrier *barrier, uint32_t expected)
{
	barrier->expected = expected;
	atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
	atomic_store_explicit(&barrier->go_tsc, 0, memory_order_relaxed);
}

/* Sets the outcome unless it stands; returns the stamp, 0 of a closed barrier. */
static uint64_t decide(struct barrier *barrier, uint64_t outcome)
{
	uint64_t stands = 0;

	if (atomic_compare_exchange_strong_explicit(&barrier->go_tsc, &stands, outcome,
						    memory_order_acq_rel, memory_order_acquire))
		stands = outcome;
	return stands == BARRIER_CLOSED ? 0 : stands;
}

/*
 * Who waits reads go_tsc only, so that late arrivals do not fight with them over the counter. The
 * counter's acquire and release make everything done before any arrival visible to the last one,
 * its release of go_tsc to all.
 */
uint64_t barrier_wait(struct barrier *barrier, uint64_t patience_cycles)
{
	uint32_t before = atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel);
	uint64_t now = tsc_ordered();
	struct patience patience;

	if (before + 1 == barrier->expected)
		return decide(barrier, now);
	/* The clock is read first: who was kept from running for long still sees the flag. */
	for (patience_begin(&patience, now, patience_cycles);; cpu_pause()) {
		now = tsc_ordered();
		if (atomic_load_explicit(&barrier->go_tsc, memory_order_acquire))
			return decide(barrier, 0);
		if (patience_over(&patience, now))
			return decide(barrier, BARRIER_CLOSED);
	}
}
