/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Vector registers for store.asm. The rest of the kernel is compiled without them, so exceptions
 * and interrupts need not save any: a handler returns to the registers as they were.
 */
#include "mm/init/store.h"

/* Lets the calling CPU use those it has: SSE, AVX, AVX-512. The boot CPU's call is the first. */
void vector_state_enable(void);

/* What all CPUs have in common that have made that call. */
void vector_state_common(struct store_features *features);
