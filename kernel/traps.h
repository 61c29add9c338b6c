#pragma once
/* Exceptions: each prints what is known and ends the run with the panic status. */
#include <stdint.h>

/* Builds the interrupt descriptor table once; boot CPU, before anything that could fault. */
void traps_init(void);

/* Loads it on the calling CPU, which must have its percpu block (GDT, TSS) loaded. */
void traps_load(void);

/* Prints the text, a back trace of the caller, and ends the run with the panic status. */
__attribute__((format(printf, 1, 2))) _Noreturn void panic(const char *pattern, ...);
