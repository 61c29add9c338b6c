/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Machine checks [SDM 3B 16; APM 2 9]. A CPU whose CR4.MCE is clear answers one by shutting down,
 * which resets the machine without a word. Which errors raise one is left as the firmware has set
 * it.
 */
#include "lib/sink.h"

/* Has the calling CPU raise #MC if it is able to; its traps are loaded. */
void machine_check_enable(void);

/* In the handler of #MC. All CPUs of a machine may get it at the same time, of which only one holds
 * the error: the others wait here for a moment, for that one to become the one that reports. */
void machine_check_let_report(void);

/* In the handler of #MC: what the calling CPU knows of it. */
void machine_check_print(const struct sink *sink);
