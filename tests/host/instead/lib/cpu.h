/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * lib/cpu.h for tests. There are more threads in a test than CPUs on most hosts: a thread that
 * waits in a loop would use up its time slice while the thread that it waits for cannot run. So it
 * lets another one run.
 */
#include <sched.h>

#define cpu_pause cpu_pause_alone
#include "../../../../lib/cpu.h"
#undef cpu_pause

static inline void cpu_pause(void)
{
	cpu_pause_alone();
	sched_yield();
}
