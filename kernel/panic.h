/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Who reports when a run ends badly. panic() itself is in kernel/traps.h. */
#include "kernel/traps.h"
#include <stdbool.h>

/* Makes the calling CPU the one that reports: seizes the console and stops the others. Returns true
 * then, and false when that CPU comes here a second time, because reporting went wrong: a line at
 * most and the end. A third time ends the run at once. A CPU that comes after another one halts
 * here. */
bool panic_enter(void);

/* Whether some CPU has entered; and whether it was the calling one. */
bool panic_entered(void);
bool panic_reporter(void);

/* Prints the text, a back trace of the caller, and ends the run with the panic status. */
__attribute__((format(printf, 1, 2))) _Noreturn void panic(const char *pattern, ...);
