/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The serial console, a 16550. Any CPU may print at any time: a piece of text given in one call is
 * never cut by another CPU's. A port that is not there, or stops draining, is dropped after a
 * bounded wait and the run goes on in silence.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/sink.h"

/* Sets up the UART at I/O `port` (115200 8N1), 0 for none. False when nothing answers there. */
bool console_init(uint16_t port);

/* One call, one uncut piece of text. */
const struct sink *console(void);

/* From here on only the calling CPU prints; others wait for ever. For the end after a panic. */
void console_seize(void);

/* Waits, bounded, until the last byte has left the UART. */
void console_flush(void);
