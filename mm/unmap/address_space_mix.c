/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/address_space_mix.h"

#include "mm/unmap/address_space.h"

enum { ROUNDS = 3, PERCENT = 100 };

struct scrambler {
	uint64_t entries, seed;
	uint32_t half_bits;
};

static struct scrambler scrambler_of(const struct address_space *space, uint64_t seed)
{
	struct scrambler s = { space->entries, seed, 1 };

	while (1ull << 2 * s.half_bits < s.entries)
		s.half_bits++;
	return s;
}

/* Well mixed bits of a number; the multipliers are those of the SplitMix64 generator. */
static uint64_t hash(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
	value = (value ^ value >> 27) * 0x94d049bb133111ebull;
	return value ^ value >> 31;
}

static uint64_t round_bits(const struct scrambler *s, uint32_t round, uint64_t half)
{
	return hash(s->seed + (half << 2) + round) & ((1ull << s->half_bits) - 1);
}

static uint64_t scramble(const struct scrambler *s, uint64_t value)
{
	do {
		uint64_t left = value >> s->half_bits;
		uint64_t right = value & ((1ull << s->half_bits) - 1);

		for (uint32_t round = 0; round < ROUNDS; round++) {
			uint64_t next = left ^ round_bits(s, round, right);

			left = right;
			right = next;
		}
		value = left << s->half_bits | right;
	} while (value >= s->entries);
	return value;
}

static uint64_t unscramble(const struct scrambler *s, uint64_t value)
{
	do {
		uint64_t left = value >> s->half_bits;
		uint64_t right = value & ((1ull << s->half_bits) - 1);

		for (uint32_t round = ROUNDS; round-- > 0;) {
			uint64_t before = right ^ round_bits(s, round, left);

			right = left;
			left = before;
		}
		value = left << s->half_bits | right;
	} while (value >= s->entries);
	return value;
}

/* The entry with which `entry` is exchanged, or itself. An involution. */
static uint64_t partner_of(const struct scrambler *s, uint64_t entry)
{
	uint64_t other = scramble(s, entry) ^ 1;

	return other < s->entries ? unscramble(s, other) : entry;
}

static uint64_t *slot(const struct address_space *space, uint64_t entry)
{
	return &address_space_leaf(space, entry / TABLE_ENTRIES)[entry % TABLE_ENTRIES];
}

void address_space_mix(struct address_space *space, uint32_t percent, uint64_t seed, uint64_t first,
		       uint64_t end)
{
	struct scrambler s = scrambler_of(space, seed);

	for (uint64_t entry = first; entry < end; entry++) {
		uint64_t partner, *a, *b, kept;

		partner = partner_of(&s, entry);
		if (partner <= entry || hash(seed ^ entry) % PERCENT >= percent)
			continue;
		a = slot(space, entry);
		b = slot(space, partner);
		kept = *a;
		*a = *b;
		*b = kept;
	}
}
