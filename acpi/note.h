/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Anomalies of ACPI tables: a damaged table repeats one fault thousands of times, the log has room
 * for a few hundred of all kinds. */
#include <stdint.h>

#include "lib/anomaly.h"

enum { ACPI_NOTE_REPEAT = 4 };

/* As anomaly_add, but of one table and reason only the first ACPI_NOTE_REPEAT are listed; the rest
 * are counted as dropped. */
void acpi_note(struct anomaly_log *log, const char *table, uint64_t offset, const char *reason,
	       uint64_t value);
