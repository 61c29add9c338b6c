/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Numbers that look random and come out the same for the same seed. */
#include <stdint.h>

/* The next number (xorshift64*); never 0 for a seed other than 0. */
uint64_t random_u64(uint64_t *seed);

/* Puts `count` items into random order. */
void random_shuffle(uint32_t *items, uint32_t count, uint64_t *seed);

/* The bits of one number well mixed: different numbers stay different (how SplitMix64 ends).
 * Inline, because it is called several times for every page of a mapping. */
static inline uint64_t random_mix(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
	value = (value ^ value >> 27) * 0x94d049bb133111ebull;
	return value ^ value >> 31;
}
