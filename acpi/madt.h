/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"
#include "lib/limits.h"

struct madt_facts {
	uint64_t lapic_address; /* of the fixed part, or of an override record */
	uint32_t apic_ids[CPU_MAX]; /* enabled processors, in table order, no id twice */
	uint16_t by_id[CPU_MAX];    /* indices into apic_ids, ascending by id */
	uint32_t cpu_count;
	/* entries not enabled (online-capable or not), and ids 0xFF / 0xFFFFFFFF */
	uint32_t disabled;
	uint32_t duplicate; /* enabled entries whose id had been seen */
	/* all entries of types 0, 9, others */
	uint32_t lapic_entries, x2apic_entries, other_entries;
};

/* Types 0 and 9 [ACPI 6.5 5.2.12.2, 5.2.12.12], and the address in type 5 [ACPI 6.5 5.2.12.8],
 * counted with the others; everything else is skipped and counted. `facts` is zeroed first; false
 * when the table is absent or shorter than its fixed part. */
bool madt_parse(const struct acpi_table *table, struct madt_facts *facts, struct anomaly_log *log);
