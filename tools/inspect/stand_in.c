/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/stand_in.h"

#include "lib/bytes.h"
#include "lib/limits.h"

static uint32_t take_ranges(const struct srat_facts *srat, bool hotplug,
			    struct boot_memory *entries)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < srat->memory_count; i++) {
		const struct srat_memory *range = &srat->memory[i];

		if (range->end > range->start && !range->nonvolatile && range->hotplug == hotplug)
			entries[count++] = (struct boot_memory){
				range->start, range->end - range->start, MEMORY_USABLE
			};
	}
	return count;
}

uint32_t stand_in_ram(const struct srat_facts *srat, struct boot_memory *entries,
		      struct anomaly_log *log)
{
	uint32_t count = take_ranges(srat, false, entries);

	if (count > 0)
		return count;
	count = take_ranges(srat, true, entries);
	if (count > 0)
		anomaly_add(log, "SRAT", 0,
			    "all memory is hot-pluggable: taken for want of a memory map",
			    count);
	return count;
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
