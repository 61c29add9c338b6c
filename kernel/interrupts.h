/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Interrupts off and on again, as Linux's page allocator did until 6.0 around what a CPU keeps for
 * itself: with PUSHF, CLI and POPF, whose cost belongs to what is measured. */
#include <stdint.h>

static inline uint64_t interrupts_off(void)
{
	uint64_t flags;

	__asm__ volatile("pushfq\n\tpopq %0\n\tcli" : "=r"(flags) : : "memory");
	return flags;
}

static inline void interrupts_restore(uint64_t flags)
{
	__asm__ volatile("pushq %0\n\tpopfq" : : "r"(flags) : "memory", "cc");
}
