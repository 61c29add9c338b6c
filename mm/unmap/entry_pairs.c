/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/entry_pairs.h"

#include "lib/random.h"

enum { ROUNDS = 3 };

struct entry_pairs entry_pairs(uint64_t entries, uint64_t seed)
{
	struct entry_pairs pairs = { entries, seed, 1 };

	while (1ull << 2 * pairs.half_bits < entries)
		pairs.half_bits++;
	return pairs;
}

static uint64_t round_bits(const struct entry_pairs *pairs, uint32_t round, uint64_t half)
{
	return random_mix(pairs->seed + (half << 2) + round) & ((1ull << pairs->half_bits) - 1);
}

static uint64_t scramble(const struct entry_pairs *pairs, uint64_t value)
{
	do {
		uint64_t left = value >> pairs->half_bits;
		uint64_t right = value & ((1ull << pairs->half_bits) - 1);

		for (uint32_t round = 0; round < ROUNDS; round++) {
			uint64_t next = left ^ round_bits(pairs, round, right);

			left = right;
			right = next;
		}
		value = left << pairs->half_bits | right;
	} while (value >= pairs->entries);
	return value;
}

static uint64_t unscramble(const struct entry_pairs *pairs, uint64_t value)
{
	do {
		uint64_t left = value >> pairs->half_bits;
		uint64_t right = value & ((1ull << pairs->half_bits) - 1);

		for (uint32_t round = ROUNDS; round-- > 0;) {
			uint64_t before = right ^ round_bits(pairs, round, left);

			right = left;
			left = before;
		}
		value = left << pairs->half_bits | right;
	} while (value >= pairs->entries);
	return value;
}

uint64_t entry_partner(const struct entry_pairs *pairs, uint64_t entry)
{
	uint64_t other = scramble(pairs, entry) ^ 1;

	return other < pairs->entries ? unscramble(pairs, other) : entry;
}
