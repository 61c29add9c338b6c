#pragma once
/* The other side of smp_run: what a CPU without work does. */

#include "smp/start/percpu.h"

/* Halts until work is in the mailbox, does it, and so on for ever. Interrupts are on only while
 * halted. */
_Noreturn void work_loop(struct percpu *block);

/* Stops the calling CPU for good. */
_Noreturn void cpu_park(void);
