/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The lock of a zone, and what it costs: how often it was taken, how often somebody held it
 * already, the cycles spent waiting for it and, where that is asked for, the longest hold. A
 * test-and-set lock; Linux's is fair and queues. All numbers are written by the holder.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/cpu.h"

struct zone_lock {
	_Atomic uint32_t held;
	bool timed; /* holds are timed: two readings of the clock each */
	uint64_t acquisitions, contended;
	uint64_t wait_cycles;         /* from the first failure on, of contended ones */
	uint64_t since_tsc, longest_hold_cycles; /* only while `timed` */
};

static inline bool zone_lock_try(struct zone_lock *lock)
{
	return !atomic_exchange_explicit(&lock->held, 1, memory_order_acquire);
}

/* Returns the cycles waited, 0 if nobody held it. Waiting only reads [SDM 2B PAUSE]. */
static inline uint64_t zone_lock_wait(struct zone_lock *lock)
{
	uint64_t start = tsc_ordered();

	do {
		while (atomic_load_explicit(&lock->held, memory_order_relaxed))
			cpu_pause();
	} while (!zone_lock_try(lock));
	return tsc_ordered() - start;
}

static inline void zone_lock(struct zone_lock *lock)
{
	if (!zone_lock_try(lock)) {
		uint64_t waited = zone_lock_wait(lock);

		lock->contended++;
		lock->wait_cycles += waited;
	}
	lock->acquisitions++;
	if (lock->timed)
		lock->since_tsc = tsc_ordered();
}

static inline void zone_unlock(struct zone_lock *lock)
{
	if (lock->timed) {
		uint64_t held = tsc_ordered() - lock->since_tsc;

		if (held > lock->longest_hold_cycles)
			lock->longest_hold_cycles = held;
	}
	atomic_store_explicit(&lock->held, 0, memory_order_release);
}
