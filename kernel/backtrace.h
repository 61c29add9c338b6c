#pragma once
/* Who called whom, by the chain of frame pointers. */
#include <stdint.h>

#include "lib/sink.h"
#include "smp/percpu.h"

/* Prints `rip`, then the return addresses in the frames from `rbp` on, each with its function's name. Reads
 * nothing outside the stacks of `block`, and at most 32 frames. */
void backtrace_print(const struct sink *sink, const struct percpu *block, uint64_t rip, uint64_t rbp);
