/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How a run ends. */
#include <stdint.h>

#include "lab/options.h"

/* Values for QEMU's isa-debug-exit; the process status is value * 2 + 1. */
enum exit_value {
	EXIT_VALUE_OK = 0x10,
	EXIT_VALUE_FAULT = 0x11,
	EXIT_VALUE_PANIC = 0x12,
	EXIT_VALUE_CUT = 0x13, /* nothing is wrong but the report, of which a part is lost */
};

/* To be called once the command line is known, and again once the FADT's reset register is. */
void exit_configure(enum exit_mode mode, uint64_t reset_port, uint8_t reset_value);

/* Flushes the console, then halts this CPU for ever, reboots, or leaves QEMU: with EXIT_VALUE_CUT
 * instead of EXIT_VALUE_OK when the console lost a byte. Never returns. */
_Noreturn void exit_run(enum exit_value value);
