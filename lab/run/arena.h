/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Memory of an experiment. */
#include <stdbool.h>
#include <stdint.h>

/* Memory handed out from front to back, in cache lines. Without any it only counts, so that the
 * bound and the layout come from the same walk. */
struct arena {
	uint8_t *memory;
	uint64_t bytes, used;
};

/* `count` times `size` bytes; NULL when that is more than there is. */
void *arena_take(struct arena *arena, uint64_t count, uint64_t size);
bool arena_fits(const struct arena *arena);
