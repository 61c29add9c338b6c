/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* From the RSDP to the tables this lab reads. Nothing is believed before length and checksum. */
#include <stdbool.h>
#include <stdint.h>

#include "lib/anomaly.h"
#include "lib/phys.h"

/* A whole table, header included; bytes == NULL: absent or not usable. Any alignment. */
struct acpi_table {
	const uint8_t *bytes;
	uint32_t length; /* as its header says, checked against what can be read; 0: absent */
	uint64_t address; /* physical; 0: it was offered, and lies nowhere */
};

struct acpi_tables {
	struct acpi_table madt, srat, slit, hmat, cedt, mcfg, fadt, hpet;
};

enum { ACPI_HEADER_BYTES = 36, ACPI_TABLE_MAX_BYTES = 16 << 20 };

/* Offers one table of at most `available` bytes; `tables` was zeroed before the first. True when it
 * is one of these and was kept. Wrong length, checksum or a second table of one signature are
 * anomalies; tables of other signatures are not judged. */
bool acpi_tables_offer(struct acpi_tables *tables, const uint8_t *bytes, uint64_t available,
		       struct anomaly_log *log);

/* Loads all tables that the RSDP's XSDT, or RSDT where there is no usable XSDT, names. `rsdp` holds
 * `length` bytes that passed acpi_rsdp_check. `tables` is zeroed first. False when no root table is
 * usable. An entry that is 0 or not readable is an anomaly; the others are still loaded. */
bool acpi_tables_load(struct acpi_tables *tables, const struct phys_reader *reader,
		      const uint8_t *rsdp, uint32_t length, struct anomaly_log *log);

/* One table after the other, there or not; NULL behind the last. */
struct acpi_table *acpi_tables_at(struct acpi_tables *tables, uint32_t number);

/* Facts of two small tables. False and zeroed when absent or too short, or when the HPET has no
 * address in memory space. */
struct hpet_facts {
	uint64_t address; /* physical, memory space only */
};
struct fadt_facts {
	uint64_t pm_timer_port; /* I/O port, 0: none (or not in I/O space) */
	bool pm_timer_32bit;
	uint64_t reset_port; /* I/O-space reset register, 0: none */
	uint8_t reset_value;
};
