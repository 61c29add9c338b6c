/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/random.h"

void random_shuffle(uint32_t *items, uint32_t count, uint64_t *seed)
{
	for (uint32_t i = count; i > 1; i--) {
		uint32_t j = (uint32_t)(random_u64(seed) % i), item = items[i - 1];

		items[i - 1] = items[j];
		items[j] = item;
	}
}
