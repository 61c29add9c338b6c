/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/slit.h"

#include "acpi/note.h"
#include "lib/bytes.h"
#include "lib/string.h"

enum { /* [ACPI 6.5 table 5.70, section 5.2.17] */
	SLIT_LOCALITIES = 36, /* u64 */
	SLIT_MATRIX = 44,
	SLIT_LOCAL = 10,      /* also the smallest legal distance */
};

struct slit_check { /* one anomaly of each kind: an odd matrix is odd in many places */
	const struct slit_facts *facts;
	struct anomaly_log *log;
	bool diagonal, small;
};

static void note_once(struct slit_check *check, bool *done, uint64_t row, uint64_t column,
		      const char *reason)
{
	uint64_t index = row * check->facts->localities + column;

	if (!*done)
		acpi_note(check->log, "SLIT", SLIT_MATRIX + index, reason,
			  check->facts->entries[index]);
	*done = true;
}

static void check_row(struct slit_check *check, uint64_t row)
{
	uint64_t n = check->facts->localities;
	const uint8_t *entries = check->facts->entries;

	for (uint64_t column = 0; column < n; column++) {
		uint8_t distance = entries[row * n + column];

		if (row == column) {
			if (distance != SLIT_LOCAL)
				note_once(check, &check->diagonal, row, column,
					  "diagonal is not 10");
			continue;
		}
		if (distance < SLIT_LOCAL)
			note_once(check, &check->small, row, column, "distance below 10");
	}
}

static void check_matrix(const struct slit_facts *facts, struct anomaly_log *log)
{
	struct slit_check check = { .facts = facts, .log = log };

	for (uint64_t row = 0; row < facts->localities; row++)
		check_row(&check, row);
}

bool slit_parse(const struct acpi_table *table, struct slit_facts *facts, struct anomaly_log *log)
{
	uint64_t localities, room;

	memset(facts, 0, sizeof(*facts));
	if (!table->bytes)
		return false;
	if (table->length < SLIT_MATRIX) {
		acpi_note(log, "SLIT", 4, "table shorter than its fixed part", table->length);
		return false;
	}
	localities = load_u64(table->bytes + SLIT_LOCALITIES);
	room = table->length - SLIT_MATRIX;
	if (localities == 0) {
		acpi_note(log, "SLIT", SLIT_LOCALITIES, "no localities", 0);
		return false;
	}
	/* The first test keeps the square of the second below 2^64. */
	if (localities > room || localities * localities > room) {
		acpi_note(log, "SLIT", SLIT_LOCALITIES, "matrix runs past the table", localities);
		return false;
	}
	facts->localities = localities;
	facts->entries = table->bytes + SLIT_MATRIX;
	check_matrix(facts, log);
	return true;
}

uint8_t slit_distance(const struct slit_facts *facts, uint32_t from, uint32_t to)
{
	if (from >= facts->localities || to >= facts->localities)
		return 0;
	return facts->entries[from * facts->localities + to];
}
