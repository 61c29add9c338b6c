/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The bitmaps of way `owned`: where they are, and which bit is whose. */
#include "mm/unmap/unmap_owned_state.h"

/* As of struct unmap_way. */
uint64_t unmap_owned_bytes(const struct unmap_job *job);
void unmap_owned_prepare(struct unmap_job *job);

/* What all bitmaps say of a block; false: nothing, and `bits` are not set. */
bool unmap_owned_collect(const struct owned_state *o, uint64_t block, struct block_bits *bits);
