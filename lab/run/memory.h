/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "lab/run/timed_run.h"

/* NULL when that is more than there is. */
void *arena_take(struct arena *arena, uint64_t count, uint64_t size);
bool arena_fits(const struct arena *arena);

/* Of a bitmap of all frames, with which everything can be taken frame by frame: up to 64 GiB of RAM
 * within 512 GiB. 0: there is more. */
uint64_t lab_bitmap_words(const struct topology *topology);

void lab_capacity(const struct lab_input *input, uint32_t extra_reserved,
		  const struct lab_needs *needs, struct lab_capacity *capacity);
struct init_plan *lab_take_plan(struct arena *arena, const struct lab_capacity *capacity);
struct lab *lab_take(struct arena *arena, const struct lab_input *input,
		     const struct lab_capacity *capacity);
