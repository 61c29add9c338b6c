/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/interleave.h"

/*
 * The first round goes to and fro, so that all steps differ; the others are the same, shifted. For
 * an odd number each step comes up twice or never: there every other round runs backwards.
 *
 *	count 6    0 1 5 2 4 3    steps +1 -2 +3 -4 +5
 */
uint32_t interleave(uint32_t count, uint32_t round, uint32_t place)
{
	uint32_t at = count % 2 && round % 2 ? count - 1 - place : place;
	uint32_t first = at % 2 ? at / 2 + 1 : count - at / 2;

	return (uint32_t)(((uint64_t)first + round % count) % count);
}
