/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"
#include "lib/limits.h"

struct srat_cpu {
	uint32_t apic_id;
	uint32_t pxm;
};

struct srat_memory {
	/* bytes, end exclusive; equal for the zero-length entries that exist */
	uint64_t start, end;
	uint32_t pxm;
	bool hotplug, nonvolatile, specific_purpose;
};

struct srat_facts {
	struct srat_cpu cpus[CPU_MAX]; /* enabled entries of types 0 and 2, in table order */
	uint32_t cpu_count;
	struct srat_memory memory[SRAT_MEMORY_MAX]; /* enabled entries of type 1, in table order */
	uint32_t memory_count;
	/* Domains of enabled entries of type 5, devices that begin transfers, and of type 6, ports
	 * behind which devices are; more than fit are an anomaly. */
	uint32_t initiators[SRAT_DEVICE_MAX], ports[SRAT_DEVICE_MAX];
	uint32_t initiator_count, port_count;
	uint32_t disabled;      /* entries of types 0, 1, 2, 5 and 6 that are not enabled */
	uint32_t other_entries; /* GICC and unknown types: counted, not used */
};

/* [ACPI 6.5 5.2.16]. Revision 1 tables have 8-bit proximity domains: the upper bytes are ignored
 * there. `facts` is zeroed first; false when absent or shorter than the fixed part. A range that
 * wraps, and an entry of domain 0xffffffff, which is none, are dropped with an anomaly. The flag of
 * memory for a specific purpose is of [ACPI 6.6 5.2.16.2]. */
bool srat_parse(const struct acpi_table *table, struct srat_facts *facts, struct anomaly_log *log);
