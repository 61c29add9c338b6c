/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A meeting point for CPUs that cannot be late for ever. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct barrier {
	uint32_t expected;
	_Alignas(64) _Atomic uint32_t arrived;
	_Alignas(64) _Atomic uint64_t go_tsc; /* 0 until the last one arrives, then that moment */
};

void barrier_init(struct barrier *barrier, uint32_t expected);

/* Waits, with pause, for all to arrive. The last one stamps the clock and releases the others: all
 * return that same stamp. 0 when the time stamp counter passed `deadline_tsc` first. */
uint64_t barrier_wait(struct barrier *barrier, uint64_t deadline_tsc);
