/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A word of a bitmap of frames: 64 of them, a bit each. */
#include <stdint.h>

#include "mm/buddy/buddy.h"

enum {
	WORD_ORDER = 6,
	WORD_PAGES = 1 << WORD_ORDER, /* a bit may also stand for a page of 2 MiB */
	BLOCK_WORDS = 1 << (ORDER_MAX - WORD_ORDER),
};

/* Where pieces of 2^order frames begin that are all set; order is at most that of a word. */
static inline uint64_t word_runs(uint64_t word, uint32_t order)
{
	static const uint64_t aligned[WORD_ORDER + 1] = {
		UINT64_MAX,	    0x5555555555555555, 0x1111111111111111, 0x0101010101010101,
		0x0001000100010001, 0x0000000100000001, 1,
	};

	for (uint32_t i = 0; i < order; i++)
		word &= word >> (1u << i);
	return word & aligned[order];
}

/* The frames of the pieces that begin there. */
static inline uint64_t word_spread(uint64_t runs, uint32_t order)
{
	for (uint32_t i = 0; i < order; i++)
		runs |= runs << (1u << i);
	return runs;
}

static inline uint32_t word_lowest(uint64_t word)
{
	return (uint32_t)__builtin_ctzll(word);
}

/* Bits of pairs, of fours and of bytes are added up side by side, the bytes by a multiplication:
 * there is no POPCNT in the base instruction set. */
static inline uint32_t word_count(uint64_t word)
{
	word -= word >> 1 & 0x5555555555555555;
	word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
	word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (uint32_t)(word * 0x0101010101010101 >> 56);
}
