/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Interrupts off and on again, as an allocator needs that interrupt handlers also call. On the host
 * there is nothing to turn off. */
#include <stdint.h>

struct irq_guard {
	uint64_t (*off)(void);              /* returns what `restore` needs */
	void (*restore)(uint64_t flags);
};

static inline uint64_t irq_guard_nothing(void)
{
	return 0;
}

static inline void irq_guard_nothing_restored(uint64_t flags)
{
	(void)flags;
}

/* For a place without interrupts: the same two calls, which do nothing. */
#define IRQ_GUARD_NONE                                                       \
	((struct irq_guard){ irq_guard_nothing, irq_guard_nothing_restored })
