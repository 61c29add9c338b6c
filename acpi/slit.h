/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"

struct slit_facts {
	/* the matrix is localities x localities, indexed by proximity domain */
	uint64_t localities;
	const uint8_t *entries;  /* inside the table */
};

/* [ACPI 6.5 5.2.17]. The whole matrix must lie inside the table, else the table is ignored
 * (anomaly). Entries below 10 and a diagonal other than 10 are anomalies, one of each kind at most.
 * A matrix need not be symmetric. */
bool slit_parse(const struct acpi_table *table, struct slit_facts *facts, struct anomaly_log *log);

/* Distance from `from` to `to`, or 0 where the table says nothing. 255 is "unreachable". */
uint8_t slit_distance(const struct slit_facts *facts, uint32_t from, uint32_t to);
