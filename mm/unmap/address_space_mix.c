/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/address_space_mix.h"

#include "lib/random.h"
#include "mm/unmap/address_space.h"
#include "mm/unmap/entry_pairs.h"

enum { PERCENT = 100 };

static uint64_t *slot(const struct address_space *space, uint64_t entry)
{
	return &address_space_leaf(space, entry / TABLE_ENTRIES)[entry % TABLE_ENTRIES];
}

void address_space_mix(struct address_space *space, uint32_t percent, uint64_t seed, uint64_t first,
		       uint64_t end)
{
	struct entry_pairs pairs = entry_pairs(space->entries, seed);

	for (uint64_t entry = first; entry < end; entry++) {
		uint64_t partner, *a, *b, kept;

		partner = entry_partner(&pairs, entry);
		if (partner <= entry || random_mix(seed ^ entry) % PERCENT >= percent)
			continue;
		a = slot(space, entry);
		b = slot(space, partner);
		kept = *a;
		*a = *b;
		*b = kept;
	}
}
