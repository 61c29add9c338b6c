/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Repeatable random numbers for property tests (xorshift64). */
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Of any magnitude, not only huge ones. */
static inline uint64_t random_any(uint64_t *state)
{
	uint64_t value = random_next(state);

	return value >> random_next(state) % 64;
}
