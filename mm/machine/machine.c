/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/machine.h"

#include "acpi/hpet_fadt.h"
#include "acpi/rsdp.h"
#include "acpi/tables.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/string.h"
#include "mm/machine/cxl_nodes.h"

enum { RSDP_BYTES = sizeof(((struct boot_info *)0)->rsdp) };

static uint64_t pages_of_type(const struct memory_map *map, enum memory_type type,
			      uint64_t start_pfn, uint64_t end_pfn)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < map->count; i++) {
		uint64_t start = max_u64(start_pfn, map->ranges[i].start_pfn);
		uint64_t end = min_u64(end_pfn, map->ranges[i].end_pfn);

		if (map->ranges[i].type == type && start < end)
			pages += end - start;
	}
	return pages;
}

/* Only its firmware could say how to accept it, and no loader hands that on. */
static void note_unaccepted(struct machine *machine)
{
	uint64_t pages = pages_of_type(&machine->map, MEMORY_UNACCEPTED, 0, UINT64_MAX);

	if (pages)
		anomaly_add(&machine->log, "memory", 0,
			    "RAM of a private guest that was not accepted is left out",
			    pages << PAGE_SHIFT);
}

static void hide_bios_area(struct machine *machine)
{
	const uint64_t start_pfn = 0xa0000 >> PAGE_SHIFT, end_pfn = 0x100000 >> PAGE_SHIFT;

	if (!pages_of_type(&machine->map, MEMORY_USABLE, start_pfn, end_pfn))
		return;
	anomaly_add(&machine->log, "memory", 0,
		    "0xa0000 to 0xfffff is no RAM, whatever the map says", 0);
	memory_map_withdraw(&machine->map, start_pfn, end_pfn);
}

bool machine_read_map(struct machine *machine)
{
	const struct boot_info *boot = &machine->boot;

	memory_map_build(&machine->map, boot->memory, boot->memory_count, &machine->map_scratch,
			 &machine->log);
	note_unaccepted(machine);
	hide_bios_area(machine);
	return machine->map.usable_pages > 0;
}

static void cut_at(struct machine *machine, uint64_t end_bytes, const char *reason)
{
	if (machine->map.end_pfn <= end_bytes >> PAGE_SHIFT)
		return;
	anomaly_add(&machine->log, "memory", 0, reason, machine->map.end_pfn << PAGE_SHIFT);
	memory_map_cut(&machine->map, end_bytes >> PAGE_SHIFT);
}

void machine_cut_map(struct machine *machine, uint32_t address_bits)
{
	cut_at(machine, 1ull << address_bits, "RAM beyond the CPU's address width is left out");
	cut_at(machine, MACHINE_RAM_END_BYTES, "RAM above 64 TiB is left out");
}

static uint32_t list_plain_ram(const struct memory_map *map, struct ram_range *ram)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < map->count; i++)
		if (map->ranges[i].type == MEMORY_USABLE)
			ram[count++] = (struct ram_range){ map->ranges[i].start_pfn,
							   map->ranges[i].end_pfn, 0 };
	return count;
}

void machine_open_memory(struct machine *machine, struct range image)
{
	const struct boot_info *boot = &machine->boot;
	struct early_alloc *early = &machine->early;

	early_alloc_init(early, machine->plain_ram,
			 list_plain_ram(&machine->map, machine->plain_ram));
	early_alloc_reserve(early, 0, PAGE_BYTES);
	early_alloc_reserve(early, image.start, image.end);
	for (uint32_t i = 0; i < boot->keep_count; i++)
		early_alloc_reserve(early, boot->keep[i].start, boot->keep[i].end);
}

/* How much of an RSDP can be used, or 0. */
static uint32_t usable_length(struct machine *machine, const uint8_t *rsdp, uint32_t length)
{
	if (acpi_rsdp_is_cut(rsdp, length))
		anomaly_add(&machine->log, "RSDP", 0, "extended part is wrong, the RSDT counts", 0);
	return acpi_rsdp_check(rsdp, length);
}

/* A good RSDP at `address` into `rsdp`; its usable length, or 0. */
static uint32_t rsdp_at(struct machine *machine, const struct phys_reader *reader,
			uint64_t address, uint8_t rsdp[RSDP_BYTES])
{
	const void *found = address ? reader->map(reader->context, address, RSDP_BYTES) : NULL;

	if (!found)
		return 0;
	memcpy(rsdp, found, RSDP_BYTES);
	return usable_length(machine, rsdp, RSDP_BYTES);
}

/* What is usable of the loader's copy. */
static uint32_t copy_length(struct machine *machine, const uint8_t *copy, uint32_t length)
{
	uint32_t usable = usable_length(machine, copy, length);

	if (length && !usable)
		anomaly_add(&machine->log, "RSDP", 0, "the loader's copy has a wrong checksum", 0);
	return usable;
}

static bool load_tables(struct machine *machine, const struct phys_reader *reader,
			const uint8_t *rsdp, uint32_t length)
{
	return length && acpi_tables_load(&machine->tables, reader, rsdp, length, &machine->log);
}

static bool search_tables(struct machine *machine, const struct phys_reader *reader)
{
	uint64_t address = 0;
	uint8_t rsdp[RSDP_BYTES];

	while ((address = acpi_rsdp_search(reader, address)))
		if (load_tables(machine, reader, rsdp, rsdp_at(machine, reader, address, rsdp)))
			return true;
	return false;
}

static bool find_tables(struct machine *machine, const struct phys_reader *reader)
{
	const struct boot_info *boot = &machine->boot;
	uint32_t length = copy_length(machine, boot->rsdp, boot->rsdp_length);
	uint32_t old_length = copy_length(machine, boot->old_rsdp, boot->old_rsdp_length);
	uint8_t rsdp[RSDP_BYTES];

	return load_tables(machine, reader, boot->rsdp, length) ||
	       load_tables(machine, reader, boot->old_rsdp, old_length) ||
	       load_tables(machine, reader, rsdp,
			   rsdp_at(machine, reader, boot->rsdp_address, rsdp)) ||
	       search_tables(machine, reader);
}

/* What the firmware calls bad is left alone by whoever follows its pointers. */
struct wary_reader {
	const struct phys_reader *reader;
	const struct memory_map *map;
};

static const void *map_unless_bad(void *context, uint64_t address, uint64_t length)
{
	const struct wary_reader *wary = context;
	uint64_t end_pfn = (address + length - 1) >> PAGE_SHIFT;

	if (length == 0 || address + length - 1 < address)
		return NULL;
	for (uint64_t pfn = address >> PAGE_SHIFT; pfn <= end_pfn; pfn++)
		if (memory_map_type(wary->map, pfn) == MEMORY_BAD)
			return NULL;
	return wary->reader->map(wary->reader->context, address, length);
}

static void keep_tables(struct machine *machine)
{
	struct acpi_table *table;

	for (uint32_t i = 0; (table = acpi_tables_at(&machine->tables, i)); i++)
		early_alloc_reserve(&machine->early, table->address,
				    table->address + table->length);
}

void machine_find_tables(struct machine *machine, const struct phys_reader *reader)
{
	struct wary_reader wary = { reader, &machine->map };
	const struct phys_reader wary_phys = { map_unless_bad, &wary };

	if (!find_tables(machine, &wary_phys))
		anomaly_add(&machine->log, "RSDP", 0,
			    "no ACPI tables: one node, all RAM, the boot CPU alone", 0);
	else if (!machine->tables.madt.bytes)
		anomaly_add(&machine->log, "MADT", 0, "no usable table: the boot CPU alone", 0);
	keep_tables(machine);
	hpet_parse(&machine->tables.hpet, &machine->hpet, &machine->log);
	fadt_parse(&machine->tables.fadt, &machine->fadt, &machine->log);
}

void machine_move_tables(struct machine *machine, const struct phys_reader *reader)
{
	struct acpi_table *table;

	for (uint32_t i = 0; (table = acpi_tables_at(&machine->tables, i)); i++) {
		if (!table->bytes)
			continue;
		table->bytes = reader->map(reader->context, table->address, table->length);
		if (!table->bytes)
			anomaly_add(&machine->log, "ACPI", i, "table no longer readable",
				    table->address);
	}
}

void machine_parse_tables(struct machine *machine)
{
	const struct acpi_tables *tables = &machine->tables;
	struct anomaly_log *log = &machine->log;

	machine->has_madt = madt_parse(&tables->madt, &machine->madt, log);
	machine->has_srat = srat_parse(&tables->srat, &machine->srat, log);
	machine->has_slit = slit_parse(&tables->slit, &machine->slit, log);
	machine->has_hmat = hmat_parse(&tables->hmat, &machine->hmat, log);
	machine->has_cedt = cedt_parse(&tables->cedt, &machine->cedt, log);
}

void machine_join(struct machine *machine, struct topology *topology, uint32_t boot_apic_id)
{
	const struct topology_input input = {
		.map = &machine->map,
		.madt = machine->has_madt ? &machine->madt : NULL,
		.srat = machine->has_srat ? &machine->srat : NULL,
		.slit = machine->has_slit ? &machine->slit : NULL,
		.hmat = machine->has_hmat ? &machine->hmat : NULL,
		.boot_apic_id = boot_apic_id,
	};

	if (machine->has_cedt && machine->has_srat)
		cxl_nodes_join(&machine->cedt, &machine->map, &machine->srat, &machine->log);
	topology_join(topology, &input, &machine->log);
	machine->topology = topology;
	machine->early.ram = topology->ram;
	machine->early.ram_count = topology->ram_count;
}
