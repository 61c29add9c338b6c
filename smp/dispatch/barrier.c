/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/dispatch/barrier.h"

#include "lib/cpu.h"

void barrier_init(struct barrier *barrier, uint32_t expected)
{
	barrier->expected = expected;
	atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
	atomic_store_explicit(&barrier->go_tsc, 0, memory_order_relaxed);
}

/*
 * Who waits reads go_tsc only, so that late arrivals do not fight with them over the counter. The
 * counter's acquire and release make everything done before any arrival visible to the last one,
 * its release of go_tsc to all.
 */
uint64_t barrier_wait(struct barrier *barrier, uint64_t deadline_tsc)
{
	uint32_t before = atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel);
	uint64_t now = tsc_ordered(), go;

	if (before + 1 == barrier->expected && now <= deadline_tsc) {
		atomic_store_explicit(&barrier->go_tsc, now, memory_order_release);
		return now;
	}
	/* The clock is read first: who was kept from running for long still sees the flag. */
	for (;;) {
		now = tsc_ordered();
		go = atomic_load_explicit(&barrier->go_tsc, memory_order_acquire);
		if (go || now > deadline_tsc)
			return go;
		cpu_pause();
	}
}
