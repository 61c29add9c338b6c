/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/random.h"

uint64_t random_u64(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dull;
}

void random_shuffle(uint32_t *items, uint32_t count, uint64_t *seed)
{
	for (uint32_t i = count; i > 1; i--) {
		uint32_t j = (uint32_t)(random_u64(seed) % i), item = items[i - 1];

		items[i - 1] = items[j];
		items[j] = item;
	}
}
