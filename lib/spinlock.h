/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A test-and-set lock: 0 free, 1 held. For short sections that no interrupt handler enters. */
#include <stdatomic.h>
#include <stdint.h>

#include "lib/cpu.h"

/* Waiting only reads, so that the cache line is not torn from the holder [SDM 2B PAUSE]. */
static inline void spin_lock(_Atomic uint32_t *lock)
{
	while (atomic_exchange_explicit(lock, 1, memory_order_acquire))
		while (atomic_load_explicit(lock, memory_order_relaxed))
			cpu_pause();
}

static inline void spin_unlock(_Atomic uint32_t *lock)
{
	atomic_store_explicit(lock, 0, memory_order_release);
}
