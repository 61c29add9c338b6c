/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/anomaly.h"

#include "lib/string.h"

void anomaly_add(struct anomaly_log *log, const char *table, uint64_t offset, const char *reason,
		 uint64_t value)
{
	struct anomaly *entry;

	/* The first ones are kept: what comes later is often a consequence of them. */
	if (log->count >= ANOMALY_MAX) {
		log->dropped++;
		return;
	}
	entry = &log->entries[log->count++];
	string_copy(entry->table, table, sizeof(entry->table));
	entry->offset = offset;
	entry->reason = reason;
	entry->value = value;
}
