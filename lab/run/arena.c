/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/arena.h"

#include <stddef.h>

#include "lib/assert.h"
#include "lib/round.h"

enum { CACHE_LINE = 64 };

void *arena_take(struct arena *arena, uint64_t count, uint64_t size)
{
	uint64_t start = arena->used;

	lab_assert((uintptr_t)arena->memory % CACHE_LINE == 0);
	arena->used += round_up_u64(count * size, CACHE_LINE);
	return arena_fits(arena) ? arena->memory + start : NULL;
}

bool arena_fits(const struct arena *arena)
{
	return arena->memory && arena->used <= arena->bytes;
}
