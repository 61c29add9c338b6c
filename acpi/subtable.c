/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/subtable.h"

#include "acpi/note.h"
#include "lib/bytes.h"

enum { MIDDLE_LENGTH = 2, LONG_LENGTH = 4 };

static const uint8_t header_sizes[SUBTABLE_HEADERS] = {
	[SUBTABLE_SHORT] = 2, [SUBTABLE_MIDDLE] = 4, [SUBTABLE_LONG] = 8,
};

static uint64_t length_of(enum subtable_header header, const uint8_t *bytes)
{
	if (header == SUBTABLE_LONG)
		return load_u32(bytes + LONG_LENGTH);
	return header == SUBTABLE_MIDDLE ? load_u16(bytes + MIDDLE_LENGTH) : bytes[1];
}

void subtable_begin(struct subtable_walk *walk, const struct acpi_table *table, const char *name,
		    enum subtable_header header, uint64_t first, struct anomaly_log *log)
{
	*walk = (struct subtable_walk){
		.table = table,
		.name = name,
		.header = header,
		.next = first,
		.log = log,
	};
}

static bool stop(struct subtable_walk *walk, const char *reason, uint64_t value)
{
	acpi_note(walk->log, walk->name, walk->next, reason, value);
	walk->next = walk->table->length; /* the rest cannot be told apart from noise */
	return false;
}

/*
 *     next          next + length      table->length
 *      | type length ....  |  next record ...  |
 *      |<---- header ---->
 *
 * header <= length <= table->length - next: the walk advances and stays inside.
 */
bool subtable_next(struct subtable_walk *walk)
{
	uint64_t header_bytes = header_sizes[walk->header];
	uint64_t left, length;
	const uint8_t *bytes;

	if (walk->next >= walk->table->length)
		return false;
	left = walk->table->length - walk->next;
	if (left < header_bytes)
		return stop(walk, "trailing bytes too few for a record", left);
	bytes = walk->table->bytes + walk->next;
	length = length_of(walk->header, bytes);
	if (length < header_bytes)
		return stop(walk, "record length below its header's", length);
	if (length > left)
		return stop(walk, "record runs past the table", length);
	walk->type = walk->header == SUBTABLE_LONG ? load_u16(bytes) : bytes[0];
	walk->offset = walk->next;
	walk->length = length;
	walk->bytes = bytes;
	walk->next += length;
	return true;
}
