/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/stand_in.h"

#include "acpi/hpet_fadt.h"
#include "acpi/note.h"
#include "lib/bytes.h"
#include "lib/limits.h"
#include "lib/page_units.h"

enum { /* [PCI Firmware 3.3 4.1.2] */
	MCFG_FIXED_BYTES = 44,
	MCFG_BASE = 0,       /* u64: of bus 0, whichever is the first */
	MCFG_FIRST_BUS = 10, /* u8 */
	MCFG_LAST_BUS = 11,  /* u8 */
	MCFG_ENTRY_BYTES = 16,
};

#define BIOS_AREA 0xa0000ull
#define BIOS_AREA_BYTES 0x60000ull
#define CHIPSET_AREA 0xfec00000ull
#define CHIPSET_AREA_BYTES 0x1400000ull

static uint32_t take_ranges(const struct srat_facts *srat, bool hotplug,
			    struct boot_memory *entries)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < srat->memory_count; i++) {
		const struct srat_memory *range = &srat->memory[i];

		if (range->end > range->start && !range->nonvolatile &&
		    !range->specific_purpose && range->hotplug == hotplug)
			entries[count++] = (struct boot_memory){
				range->start, range->end - range->start, MEMORY_USABLE
			};
	}
	return count;
}

/* Entries of RAM and, behind them, of windows that are none. */
struct stand_in {
	struct boot_memory *entries;
	uint32_t ram_count, count;
	struct anomaly_log *log;
};

static void keep_out(struct stand_in *stand_in, uint64_t start, uint64_t length, const char *reason)
{
	bool hit = false;

	for (uint32_t i = 0; i < stand_in->ram_count; i++) {
		const struct boot_memory *ram = &stand_in->entries[i];

		hit |= start < ram->start + ram->length && ram->start < start + length;
	}
	if (!hit || stand_in->count == BOOT_MEMORY_MAX)
		return;
	stand_in->entries[stand_in->count++] = (struct boot_memory){ start, length,
								     MEMORY_RESERVED };
	if (reason)
		acpi_note(stand_in->log, "SRAT", 0, reason, start);
}

static void keep_out_mcfg(struct stand_in *stand_in, const struct acpi_table *mcfg)
{
	for (uint32_t at = MCFG_FIXED_BYTES; mcfg->bytes && at + MCFG_ENTRY_BYTES <= mcfg->length;
	     at += MCFG_ENTRY_BYTES) {
		const uint8_t *entry = mcfg->bytes + at;
		uint64_t base = load_u64(entry + MCFG_BASE);
		uint64_t first = entry[MCFG_FIRST_BUS], last = entry[MCFG_LAST_BUS];

		if (last >= first && base < MACHINE_RAM_END_BYTES)
			keep_out(stand_in, base + (first << 20), (last - first + 1) << 20,
				 "a range spans PCI's MCFG window, which is no RAM");
	}
}

uint32_t stand_in_ram(struct machine *machine, struct boot_memory *entries)
{
	const struct srat_facts *srat = &machine->srat;
	uint32_t count = take_ranges(srat, false, entries);
	struct stand_in stand_in = { entries, count, count, &machine->log };

	if (count == 0 && take_ranges(srat, true, entries) > 0) {
		anomaly_add(&machine->log, "SRAT", 0,
			    "all memory is hot-pluggable: what of it is RAM only a map can say", 0);
		return 0;
	}
	keep_out(&stand_in, BIOS_AREA, BIOS_AREA_BYTES, NULL);
	keep_out(&stand_in, CHIPSET_AREA, CHIPSET_AREA_BYTES,
		 "a range spans 0xfec00000 to 4 GiB, which is no RAM");
	keep_out_mcfg(&stand_in, &machine->tables.mcfg);
	if (machine->has_madt && machine->madt.lapic_address - CHIPSET_AREA >= CHIPSET_AREA_BYTES)
		keep_out(&stand_in, machine->madt.lapic_address, PAGE_BYTES,
			 "a range spans the local APICs' page, which is no RAM");
	if (hpet_parse(&machine->tables.hpet, &machine->hpet, &machine->log) &&
	    machine->hpet.address - CHIPSET_AREA >= CHIPSET_AREA_BYTES)
		keep_out(&stand_in, machine->hpet.address, PAGE_BYTES,
			 "a range spans the HPET's page, which is no RAM");
	return stand_in.count;
}

bool stand_in_cpus(const struct srat_facts *srat, struct madt_facts *madt, struct anomaly_log *log)
{
	madt->cpu_count = 0;
	for (uint32_t i = 0; i < srat->cpu_count; i++) {
		uint32_t seen = 0;

		while (seen < madt->cpu_count && madt->apic_ids[seen] != srat->cpus[i].apic_id)
			seen++;
		if (seen == madt->cpu_count)
			madt->apic_ids[madt->cpu_count++] = srat->cpus[i].apic_id;
	}
	if (madt->cpu_count > 0)
		anomaly_add(log, "MADT", 0, "no usable table: CPUs taken from the SRAT",
			    madt->cpu_count);
	return madt->cpu_count > 0;
}

void stand_in_boot_cpu(struct srat_facts *srat, struct madt_facts *madt, struct anomaly_log *log)
{
	uint32_t pxm = PXM_NONE;

	anomaly_add(log, "MADT", 0, "no table names a CPU: the boot CPU alone is assumed", 0);
	madt->apic_ids[0] = 0;
	madt->cpu_count = 1;
	if (!srat)
		return;
	for (uint32_t i = 0; i < srat->memory_count; i++) {
		if (srat->memory[i].pxm < pxm)
			pxm = srat->memory[i].pxm;
	}
	srat->cpu_count = 1;
	srat->cpus[0] = (struct srat_cpu){ .apic_id = 0, .pxm = pxm == PXM_NONE ? 0 : pxm };
}

static void add_domain(struct srat_facts *srat, uint32_t pxm)
{
	for (uint32_t i = 0; i < srat->memory_count; i++) {
		if (srat->memory[i].pxm == pxm)
			return;
	}
	if (srat->memory_count < NODE_MAX)
		srat->memory[srat->memory_count++] = (struct srat_memory){ .pxm = pxm };
}

static void add_hmat_domains(struct srat_facts *srat, const struct hmat_facts *hmat)
{
	for (uint32_t i = 0; i < hmat->proximity_count; i++) {
		add_domain(srat, hmat->proximity[i].memory_pxm);
		if (hmat->proximity[i].initiator_pxm != PXM_NONE)
			add_domain(srat, hmat->proximity[i].initiator_pxm);
	}
	for (uint32_t i = 0; i < hmat->matrix_count; i++) {
		const struct hmat_matrix *matrix = &hmat->matrices[i];

		for (uint32_t row = 0; row < matrix->initiators; row++)
			add_domain(srat, load_u32(matrix->initiator_pxms + 4 * row));
		for (uint32_t column = 0; column < matrix->targets; column++)
			add_domain(srat, load_u32(matrix->target_pxms + 4 * column));
	}
}

bool stand_in_domains(const struct slit_facts *slit, const struct hmat_facts *hmat,
		      struct srat_facts *srat, struct anomaly_log *log)
{
	*srat = (struct srat_facts){ 0 };
	for (uint32_t pxm = 0; slit && pxm < slit->localities && pxm < NODE_MAX; pxm++)
		add_domain(srat, pxm);
	if (hmat)
		add_hmat_domains(srat, hmat);
	if (srat->memory_count > 0)
		anomaly_add(log, "SRAT", 0, "no usable table: domains taken from the SLIT and HMAT",
			    srat->memory_count);
	return srat->memory_count > 0;
}
