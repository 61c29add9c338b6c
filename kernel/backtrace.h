#pragma once
/* Who called whom, by the chain of frame pointers. */
#include <stdint.h>

#include "lib/sink.h"
#include "smp/percpu.h"

/* Prints `rip`, then the return addresses in the frames from `rbp` on, each with its function's
 * name, recursion folded, at most 32 lines. Reads nothing outside the stacks of `block`. */
void backtrace_print(const struct sink *sink, const struct percpu *block, uint64_t rip,
		     uint64_t rbp);
