/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The other side of smp_run: what a CPU without work does. */
#include <stdint.h>

#include "smp/start/percpu.h"

/* Halts until work is in the mailbox, does it, and so on for ever. Interrupts are on only while
 * halted. */
_Noreturn void work_loop(struct percpu *block);

/* Stops the calling CPU for good. */
_Noreturn void cpu_park(void);

/* Runs function(argument, i) on cpus[i] for i in 0 .. count - 1, all at once, the calling CPU too
 * if it is named, and returns when all are done. CPUs must be online and distinct. Bounded: a CPU
 * that does not return within `timeout_us` without any CPU finishing is named in a panic. */
void smp_run(const uint32_t *cpus, uint32_t count, void (*function)(void *argument, uint32_t index),
	     void *argument, uint64_t timeout_us);

/* The two halves of smp_run for a caller that has other things to do meanwhile. smp_begin returns
 * at once; the calling CPU is not among `cpus`, which stay as they are until smp_wait has
 * returned. */
void smp_begin(const uint32_t *cpus, uint32_t count,
	       void (*function)(void *argument, uint32_t index), void *argument);
void smp_wait(uint64_t timeout_us);
