/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/stack_guard.h"

#include "kernel/panic.h"
#include "smp/start/percpu.h"
#include "smp/start/roster.h"

/* A NUL, a newline and odd bytes: no text has all of them. */
const uintptr_t __stack_chk_guard = 0xb10cedff0d0a0081;

_Noreturn void __stack_chk_fail(void)
{
	panic("the stack was written beyond an array, by the first function of the back trace");
}

void stack_guard_check(const struct topology *topology)
{
	for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++) {
		const struct percpu *block = roster_find(cpu);

		if (block && !percpu_stacks_whole(block))
			panic("the word above a stack of CPU %u was overwritten", cpu);
	}
}
