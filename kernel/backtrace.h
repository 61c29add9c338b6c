/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Who called whom, by the chain of frame pointers. */
#include <stdint.h>

#include "lib/sink.h"
#include "smp/start/percpu.h"

/* Where a CPU was. */
struct backtrace_start {
	uint64_t rip, rbp;
	uint64_t rsp; /* 0: not known */
};

/* Prints RIP, then the return addresses in the frames from RBP on, each with its function's name,
 * recursion folded, at most 32 lines. A function without a frame, or before it has made one, would
 * hide its caller: what lies at RSP is printed with a question mark if it may be a return address.
 * Reads nothing outside the stacks of `block`. */
void backtrace_print(const struct sink *sink, const struct percpu *block,
		     const struct backtrace_start *start);
