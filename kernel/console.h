/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The serial console, a 16550. Any CPU may print at any time: a piece of text given in one call is
 * never cut by another CPU's. A port that is not there is dropped. One that takes nothing for some
 * seconds is waited for no more, and the run goes on: lines are lost, and counted, until one finds
 * room again, before which the console says how much is missing.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/sink.h"

/* Sets up the UART at I/O `port` (115200 8N1), 0 for none. False when nothing answers there. */
bool console_init(uint16_t port);

/* One call, one uncut piece of text. */
const struct sink *console(void);

/* Waits for a port that stands still once more, for some seconds: what comes next matters. */
void console_retry(void);

/* From here on only the calling CPU prints; others wait for ever. For the end after a panic.
 * Retries a port that stands still. */
void console_seize(void);

/* Waits, bounded, until the last byte has left the UART. */
void console_flush(void);

/* Bytes of text that a port, which was there, did not take; 0 without a port. */
uint64_t console_lost_bytes(void);
