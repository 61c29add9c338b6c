/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Numbers that look random and come out the same for the same seed. */
#include <stdint.h>

/* The next number (xorshift64*); never 0 for a seed other than 0. Both of these are inline, because
 * they are called for every page of a mapping and every line of a chain. */
static inline uint64_t random_u64(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dull;
}

/* The bits of one number well mixed: different numbers stay different (how SplitMix64 ends). */
static inline uint64_t random_mix(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
	value = (value ^ value >> 27) * 0x94d049bb133111ebull;
	return value ^ value >> 31;
}

/* Puts `count` items into random order. */
void random_shuffle(uint32_t *items, uint32_t count, uint64_t *seed);
