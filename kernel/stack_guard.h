/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Stacks that were written where they must not be. Below each lies a page that is not mapped; the
 * compiler's guard, checked before a function returns, finds what runs over an array; and a word
 * above each stack, checked after every experiment, what the two did not see. */
#include <stdint.h>

#include "mm/machine/topology.h"

/* What the compiler puts behind arrays on the stack, and calls where it has changed
 * (-fstack-protector-strong, -mstack-protector-guard=global). */
extern const uintptr_t __stack_chk_guard;
_Noreturn void __stack_chk_fail(void);

/* Ends the run with a panic where the word above the stack of a CPU has changed. */
void stack_guard_check(const struct topology *topology);
