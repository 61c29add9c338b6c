/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/topology_cpus.h"

#include "lib/search.h"
#include "lib/sort.h"
#include "mm/machine/topology.h"
#include "mm/machine/topology_parts.h"

/*
 * CPUs and their nodes without a nested loop over MADT and SRAT: the CPUs are sorted by APIC id,
 * each SRAT entry finds its CPU by binary search, and the CPUs are sorted back. Their places wait
 * meanwhile in `core`, which nothing else uses before the CPUs have started.
 */

static bool lower_apic(const void *a, const void *b)
{
	return ((const struct cpu *)a)->apic_id < ((const struct cpu *)b)->apic_id;
}

static bool earlier_place(const void *a, const void *b)
{
	return ((const struct cpu *)a)->core < ((const struct cpu *)b)->core;
}

static struct cpu *find_sorted(struct topology *topology, uint32_t apic_id)
{
	uint32_t at = search_first(i, topology->cpu_count, topology->cpus[i].apic_id >= apic_id);

	if (at < topology->cpu_count && topology->cpus[at].apic_id == apic_id)
		return &topology->cpus[at];
	return NULL;
}

/* The boot CPU goes first; the MADT may name it anywhere or not at all. */
static void list_cpus(struct topology *topology, const struct madt_facts *madt,
		      uint32_t boot_apic_id, struct anomaly_log *log)
{
	bool seen = false;

	topology->cpus[0] = (struct cpu){ .apic_id = boot_apic_id, .boot = true, .online = true };
	topology->cpu_count = 1;
	for (uint32_t i = 0; madt && i < madt->cpu_count; i++) {
		if (madt->apic_ids[i] == boot_apic_id) {
			seen = true;
			continue;
		}
		if (topology->cpu_count == CPU_MAX) {
			anomaly_add(log, "MADT", i, "no room beside the boot CPU",
				    madt->apic_ids[i]);
			break;
		}
		topology->cpus[topology->cpu_count++].apic_id = madt->apic_ids[i];
	}
	if (madt && !seen)
		anomaly_add(log, "MADT", 0, "boot CPU not an enabled processor", boot_apic_id);
}

/* The first SRAT entry of a CPU counts. Entries of CPUs that are not enabled are common. */
static void apply_srat(struct topology *topology, const struct srat_facts *srat,
		       struct anomaly_log *log)
{
	uint32_t notes = 0;

	for (uint32_t i = 0; i < srat->cpu_count; i++) {
		struct cpu *cpu = find_sorted(topology, srat->cpus[i].apic_id);
		uint32_t node = topology_node_by_pxm(topology, srat->cpus[i].pxm);

		if (!cpu || node == NODE_NONE || cpu->node == node)
			continue;
		if (cpu->node == NODE_NONE)
			cpu->node = node;
		else if (notes++ < NOTES_PER_KIND)
			anomaly_add(log, "SRAT", i, "processor in a second domain, first kept",
				    cpu->apic_id);
	}
}

static void place_strays(struct topology *topology, struct anomaly_log *log)
{
	uint32_t home = topology->cpus[0].node == NODE_NONE ? 0 : topology->cpus[0].node;
	uint32_t notes = 0;

	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		if (topology->cpus[i].node != NODE_NONE)
			continue;
		topology->cpus[i].node = home;
		if (notes++ < NOTES_PER_KIND)
			anomaly_add(log, "SRAT", i, "processor in no usable affinity entry",
				    topology->cpus[i].apic_id);
	}
}

void topology_join_cpus(struct topology *topology, const struct topology_input *input,
			struct anomaly_log *log)
{
	struct cpu *cpus = topology->cpus;

	list_cpus(topology, input->madt, input->boot_apic_id, log);
	if (topology->numa) {
		for (uint32_t i = 0; i < topology->cpu_count; i++) {
			cpus[i].core = i;
			cpus[i].node = NODE_NONE;
		}
		sort(cpus, topology->cpu_count, sizeof(cpus[0]), lower_apic);
		apply_srat(topology, input->srat, log);
		sort(cpus, topology->cpu_count, sizeof(cpus[0]), earlier_place);
		place_strays(topology, log);
	}
	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		cpus[i].core = 0;
		topology->nodes[cpus[i].node].cpu_count++;
	}
}
