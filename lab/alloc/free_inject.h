/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Deliberate faults: a mapping whose freeing must be refused in one place. */
#include "lab/alloc/free_state.h"

/* Puts the deliberate fault that the options ask for into the mapping: for ways that were chosen,
 * not for vanilla where it only stands beside them. */
void free_inject(struct free_state *s);
