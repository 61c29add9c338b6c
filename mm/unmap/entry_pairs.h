/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Pairs of the numbers below a count, far apart and disjoint, which any CPU can work out for any
 * number alone:
 *
 *   entry --scramble--> s,  s ^ 1 --unscramble--> its partner
 *
 * where `scramble` permutes the numbers: a Feistel network over the next even number of bits, which
 * is applied again while it leads outside of them (cycle walking).
 */
#include <stdint.h>

struct entry_pairs {
	uint64_t entries, seed;
	uint32_t half_bits;
};

/* The pairs of the numbers below `entries`, at least 1; another seed gives other pairs. */
struct entry_pairs entry_pairs(uint64_t entries, uint64_t seed);

/* The partner of `entry`, or itself: of an odd count one is alone. An involution. */
uint64_t entry_partner(const struct entry_pairs *pairs, uint64_t entry);
