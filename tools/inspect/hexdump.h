/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The text form of acpidump: a line "SRAT @ 0x00000000BFDC1000" per table, then lines of an offset,
 * a colon, up to 16 bytes in hexadecimal and the same bytes as characters. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `text` holds the heading of a table. */
bool hexdump_recognise(const char *text, size_t length);

struct hexdump {
	const char *next, *end; /* the text not yet read */
	bool broken;            /* a table ended early: an offset was not the bytes so far */
};

void hexdump_begin(struct hexdump *dump, const char *text, size_t length);

/* The next table's bytes, in memory that the caller frees, and their number; NULL at the end. */
uint8_t *hexdump_next(struct hexdump *dump, size_t *length);
