/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What takes the place of a table or a map that is not there; see inspection.h. */
#include <stdbool.h>
#include <stdint.h>

#include "acpi/hmat.h"
#include "acpi/madt.h"
#include "acpi/slit.h"
#include "acpi/srat.h"
#include "boot/boot_info.h"
#include "lib/anomaly.h"
#include "mm/machine/machine.h"

/* Usable memory for every range of the SRAT that is RAM now: not hot-pluggable, not non-volatile,
 * not for a specific purpose, not empty; and reserved entries for what lies in such ranges and is
 * never RAM: 0xa0000 to 0xfffff, 0xfec00000 to 4 GiB (interrupt controllers, HPET, the firmware's
 * ROM), and windows of MCFG, MADT and HPET, these with an anomaly. Where all RAM is marked
 * hot-pluggable, as some hypervisors do, it is address space and nobody knows what of it is RAM:
 * none, with an anomaly. `entries` holds BOOT_MEMORY_MAX. */
uint32_t stand_in_ram(struct machine *machine, struct boot_memory *entries);

/* The SRAT's enabled CPUs as a MADT would list them. False when it has none. */
bool stand_in_cpus(const struct srat_facts *srat, struct madt_facts *madt, struct anomaly_log *log);

/* A boot CPU, with APIC id 0, in the lowest domain of the SRAT, where the kernel puts a boot CPU
 * that no table knows. `srat` may be NULL. */
void stand_in_boot_cpu(struct srat_facts *srat, struct madt_facts *madt, struct anomaly_log *log);

/* Proximity domains without CPUs and RAM for everything that SLIT and HMAT have figures of. Either
 * may be NULL. False when there are none. */
bool stand_in_domains(const struct slit_facts *slit, const struct hmat_facts *hmat,
		      struct srat_facts *srat, struct anomaly_log *log);
