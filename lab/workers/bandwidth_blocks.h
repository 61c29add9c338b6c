/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The memory that is worked on. */
#include "lab/workers/bandwidth_parts.h"

/* Finds every node's blocks and puts them into both orders. */
void bandwidth_find_blocks(struct bandwidth_state *b);
