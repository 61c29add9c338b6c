/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Ways of using memory as fast as one CPU can, in blocks; and the opposite, one dependent load
 * after the other. All begin at multiples of 64 bytes and do whole cache lines. */
#include <stdint.h>

enum { MEMORY_LINE_BYTES = 64 };

/* Loads every 8 bytes; returns their sum, so that no load can be left out. */
uint64_t memory_read(const void *from, uint64_t bytes);

/* Plain stores of 8 bytes. */
void memory_write(void *to, uint64_t bytes, uint64_t value);

/* Non-temporal stores of 8 bytes, fenced before it returns [SDM 1 10.4.6.2]. */
void memory_write_nt(void *to, uint64_t bytes, uint64_t value);

/*
 * A chain through every cache line of `count` pieces of `piece_bytes` each, in random order
 * (Sattolo's shuffle: one cycle that no prefetcher follows). Each line begins with the address of
 * the next one. Returns where to begin, NULL if there is no line. The same seed gives the same
 * order.
 */
void *memory_chain(uint8_t *const *pieces, uint32_t count, uint64_t piece_bytes, uint64_t seed);

/* Follows `steps` links; returns where it came to. */
void *memory_chase(void *from, uint64_t steps);
