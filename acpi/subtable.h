/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The one bounded walker for tables made of { type, length } records: MADT and SRAT have 8-bit
 * types and lengths, HMAT a 16-bit type, 16 reserved bits and a 32-bit length, CEDT an 8-bit type,
 * 8 reserved bits and a 16-bit length. */
#include <stdbool.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"

enum subtable_header { SUBTABLE_SHORT, SUBTABLE_MIDDLE, SUBTABLE_LONG, SUBTABLE_HEADERS };

struct subtable_walk {
	const struct acpi_table *table;
	const char *name;
	enum subtable_header header;
	uint64_t next;          /* offset of the next record */
	struct anomaly_log *log;
	/* the current record */
	uint32_t type;
	uint64_t offset;        /* from the start of the table */
	uint64_t length;        /* whole record: at least its header, inside the table */
	const uint8_t *bytes;
};

/* Starts at `first`, the length of the table's fixed part. */
void subtable_begin(struct subtable_walk *walk, const struct acpi_table *table, const char *name,
		    enum subtable_header header, uint64_t first, struct anomaly_log *log);

/* Steps to the next record. False at the end, and (with an anomaly that gives the offset) at a
 * length below the header's, at one that runs past the table, and at trailing bytes too few for a
 * header. */
bool subtable_next(struct subtable_walk *walk);
