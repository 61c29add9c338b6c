/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The mapping that is freed: how large, of whose memory, built by all CPUs. */
#include "lab/alloc/free_state.h"

/* How large mappings are, and whose memory they get. */
void free_sizes(struct free_state *s);

/* Builds a mapping on all CPUs. What is wrong, in one clause, or NULL; then nothing of it may be
 * there. */
const char *free_build(struct free_state *s, enum mapping mapping, uint32_t fragment);
