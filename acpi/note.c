/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/note.h"

#include "lib/string.h"

void acpi_note(struct anomaly_log *log, const char *table, uint64_t offset, const char *reason,
	       uint64_t value)
{
	uint32_t alike = 0;

	for (uint32_t i = 0; i < log->count; i++) {
		const struct anomaly *entry = &log->entries[i];

		if (string_equal(entry->reason, reason) && string_equal(entry->table, table))
			alike++;
	}
	if (alike < ACPI_NOTE_REPEAT)
		anomaly_add(log, table, offset, reason, value);
	else
		log->dropped++;
}
