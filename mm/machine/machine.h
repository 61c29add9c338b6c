/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * From what loader and firmware say to one machine, in steps between which a kernel acts: it builds
 * page tables once the memory map is known, sets its clock once HPET and FADT are, and finds memory
 * for the topology. A host tool calls the steps that it has the input for. Each step reads what the
 * ones before have left in the struct; what is wrong with its input it notes in `log`, and goes on.
 */
#include <stdbool.h>
#include <stdint.h>

#include "acpi/cedt.h"
#include "acpi/hmat.h"
#include "acpi/madt.h"
#include "acpi/slit.h"
#include "acpi/srat.h"
#include "acpi/tables.h"
#include "boot/boot_info.h"
#include "lib/anomaly.h"
#include "lib/phys.h"
#include "lib/range.h"
#include "mm/machine/early_alloc.h"
#include "mm/machine/memory_map.h"
#include "mm/machine/mtrr.h"
#include "mm/machine/topology.h"

/* RAM from here on is left out: all that Linux maps with four levels of page tables, 46 bits. */
#define MACHINE_RAM_END_BYTES (64ull << 40)

/* Too large for a stack. Zeroed before the first step. */
struct machine {
	struct boot_info boot; /* what the loader said: boot_info_read, or set by hand */
	struct memory_map map;
	struct mtrr_state mtrr; /* the boot CPU's */
	struct early_alloc early;
	struct acpi_tables tables;
	struct hpet_facts hpet;
	struct fadt_facts fadt;
	struct madt_facts madt;
	struct srat_facts srat;
	struct slit_facts slit;
	struct hmat_facts hmat;
	struct cedt_facts cedt;
	bool has_madt, has_srat, has_slit, has_hmat, has_cedt; /* there, and usable */
	struct topology *topology; /* memory that machine_join was given */
	struct anomaly_log log;
	/* needed until the topology is known: */
	struct memory_map_scratch map_scratch;
	struct ram_range plain_ram[MEMORY_RANGE_MAX];
};

/* Sanitises the loader's map. False when no frame is usable. What it says of 0xa0000 to 0xfffff
 * being RAM is not believed: devices and ROMs are there on every PC, and Linux takes no RAM there
 * either [Linux arch/x86/kernel/setup.c, trim_bios_range]. */
bool machine_read_map(struct machine *machine);

/* Leaves RAM that physical addresses of `address_bits` bits do not reach, and RAM beyond
 * MACHINE_RAM_END_BYTES, out of the map; each is an anomaly. */
void machine_cut_map(struct machine *machine, uint32_t address_bits);

/* Opens the early allocator on the RAM of the map, without nodes, and keeps from it frame 0 (a NULL
 * in disguise), the bytes of the kernel's own image, and what the loader asked to keep. */
void machine_open_memory(struct machine *machine, struct range image);

/* Finds ACPI's tables, reads HPET and FADT, and keeps the memory of all that will be read from the
 * allocator, which must not have given any away: a map may call it usable. The first good RSDP
 * whose root table is usable counts: of the loader's copies, the address that the loader gave, and
 * the BIOS area [ACPI 6.5 5.2.5.1]. Nothing is read from memory that the map calls bad. */
void machine_find_tables(struct machine *machine, const struct phys_reader *reader);

/* Reaches the tables through another reader from here on. */
void machine_move_tables(struct machine *machine, const struct phys_reader *reader);

/* Reads MADT, SRAT, SLIT, HMAT and CEDT of `tables`. */
void machine_parse_tables(struct machine *machine);

/* Joins map and tables into `topology`, and tells the early allocator of the nodes. `boot_apic_id`
 * as the boot CPU itself says. */
void machine_join(struct machine *machine, struct topology *topology, uint32_t boot_apic_id);
