/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One table of any bytes through its parser, many thousand a second: no read out of bounds, no
 * endless walk. Input: kind and revision (1 byte), then what comes after the table's header.
 */
#include <stdlib.h>
#include <string.h>

#include "acpi/hmat.h"
#include "acpi/hmat_lookup.h"
#include "acpi/madt.h"
#include "acpi/slit.h"
#include "acpi/srat.h"
#include "acpi/tables.h"

enum { TABLE_REVISION = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse_hmat(const struct acpi_table *table, struct anomaly_log *log)
{
	static struct hmat_facts facts;

	if (!hmat_parse(table, &facts, log))
		return;
	for (uint32_t initiator = 0; initiator < 4; initiator++)
		for (uint32_t target = 0; target < 4; target++)
			hmat_lookup(&facts, initiator, target);
}

static void parse(uint8_t kind, const struct acpi_table *table, struct anomaly_log *log)
{
	static struct madt_facts madt;
	static struct srat_facts srat;
	struct slit_facts slit;

	if (kind == 0)
		madt_parse(table, &madt, log);
	else if (kind == 1)
		srat_parse(table, &srat, log);
	else if (kind == 2)
		parse_hmat(table, log);
	else if (slit_parse(table, &slit, log))
		slit_distance(&slit, 0, (uint32_t)slit.localities - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct anomaly_log log;
	struct acpi_table table = { .length = (uint32_t)(ACPI_HEADER_BYTES + size - 1) };
	uint8_t *bytes;

	if (!size)
		return 0;
	/* Of exactly this size, so that ASan sees the first byte too many. */
	bytes = calloc(1, table.length);
	bytes[TABLE_REVISION] = data[0] / 4;
	memcpy(bytes + ACPI_HEADER_BYTES, data + 1, size - 1);
	table.bytes = bytes;
	log.count = log.dropped = 0;
	parse(data[0] % 4, &table, &log);
	free(bytes);
	return 0;
}
