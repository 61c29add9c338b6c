/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * What firmware or a loader got wrong. Nothing here stops a run: the reader of bad bytes notes an
 * anomaly, degrades, and goes on. Entries hold no pointers into the bytes they complain of.
 */
#include <stdint.h>

enum { ANOMALY_MAX = 256 };

struct anomaly {
	char table[8];      /* "SRAT", "MADT", "e820", "MBI", "cmdline" ...; NUL-terminated */
	uint64_t offset;    /* bytes from the start of that table; entry number for lists */
	const char *reason; /* static text, one short clause, no full stop */
	uint64_t value;     /* the offending number, 0 where there is none */
};

struct anomaly_log {
	struct anomaly entries[ANOMALY_MAX];
	uint32_t count;
	uint32_t dropped; /* how many more there were than fit */
};

/* Appends an entry; `table` is cut to seven characters, `reason` must be a string literal. */
void anomaly_add(struct anomaly_log *log, const char *table, uint64_t offset, const char *reason,
		 uint64_t value);
