/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Exceptions: each but that of rdmsr_safe, and an NMI without a cause, prints what is known and
 * ends the run with the panic status. */
#include <stdbool.h>
#include <stdint.h>

/* Builds the interrupt descriptor table once; boot CPU, before anything that could fault. */
void traps_init(void);

/* Loads it on the calling CPU, which must have its percpu block (GDT, TSS) loaded. */
void traps_load(void);

/* Reads a model-specific register that the CPU may not have: false then. Any CPU, once its traps
 * are loaded. */
bool rdmsr_safe(uint32_t msr, uint64_t *value);
