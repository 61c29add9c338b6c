/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One run of the experiment `free`. */
#include "lab/alloc/free_state.h"

/* Builds the row's mapping, frees it against the clock and adds the sample. What is wrong, in one
 * clause, or NULL. */
const char *free_measure(struct free_state *s, struct free_row *row);
