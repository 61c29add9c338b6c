/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A meeting point for CPUs that cannot be late for ever: all go on together, or none does. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BARRIER_CLOSED UINT64_MAX

struct barrier {
	uint32_t expected;
	_Alignas(64) _Atomic uint32_t arrived;
	/* 0 until the last one arrives, then that moment, or until one gives up, then
	 * BARRIER_CLOSED */
	_Alignas(64) _Atomic uint64_t go_tsc;
};

void barrier_init(struct barrier *barrier, uint32_t expected);

/* Waits, with pause, for all to arrive. The last one stamps the clock and releases the others: all
 * return that same stamp. 0 when one of them has waited for `patience_cycles` in vain, as a struct
 * patience counts them; it is 0 for all then, whenever they come. */
uint64_t barrier_wait(struct barrier *barrier, uint64_t patience_cycles);
