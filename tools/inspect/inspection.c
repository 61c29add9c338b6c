/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/inspection.h"

#include <stdlib.h>
#include <string.h>

#include "acpi/note.h"
#include "lib/assert.h"
#include "lib/page_units.h"
#include "tools/inspect/alloc.h"
#include "tools/inspect/stand_in.h"

/* 64 TiB, all that Linux maps with four levels of page tables; their list is 16 MiB here. */
enum { SECTIONS_MAX = 1 << 19 };

/* The kernel skips an enabled range of no length; who looks at a server wants to know of it. */
static void note_empty_ranges(struct machine *machine)
{
	const struct srat_facts *srat = &machine->srat;

	for (uint32_t i = 0; machine->has_srat && i < srat->memory_count; i++) {
		if (srat->memory[i].end == srat->memory[i].start)
			acpi_note(&machine->log, "SRAT", i, "enabled memory range of length 0",
				  srat->memory[i].start);
	}
}

/* The kernel reserves its own image too, and what the loader left: a few MiB that are not known
 * here. */
static enum ram_source find_ram(struct machine *machine, const struct memory_input *memory,
				uint32_t address_bits)
{
	const struct range no_image = { 0, 0 };
	struct boot_info *boot = &machine->boot;
	enum ram_source source = RAM_FROM_E820;

	if (memory->entries) {
		memcpy(boot->memory, memory->entries, memory->count * sizeof(*memory->entries));
		boot->memory_count = memory->count;
	} else if (machine->has_srat) {
		source = RAM_FROM_SRAT;
		boot->memory_count = stand_in_ram(machine, boot->memory);
	}
	if (!machine_read_map(machine))
		source = RAM_UNKNOWN;
	machine_cut_map(machine, address_bits);
	if (!machine->map.usable_pages)
		source = RAM_UNKNOWN;
	machine_open_memory(machine, no_image);
	return source;
}

/* A map that was cut, or another machine's: less than half of what the SRAT says is there now. */
static void note_small_map(struct inspection *inspection)
{
	struct machine *machine = &inspection->machine;
	uint64_t fixed_bytes = 0;

	for (uint32_t i = 0; machine->has_srat && i < machine->srat.memory_count; i++) {
		const struct srat_memory *range = &machine->srat.memory[i];

		if (!range->hotplug && !range->nonvolatile && !range->specific_purpose)
			fixed_bytes += range->end - range->start;
	}
	if (inspection->ram_source == RAM_FROM_E820 &&
	    inspection->topology.ram_pages < fixed_bytes / PAGE_BYTES / 2)
		anomaly_add(&machine->log, "SRAT", 0,
			    "the memory map has less than half of its fixed ranges: is it whole?",
			    fixed_bytes);
}

static enum cpu_source find_cpus(struct machine *machine)
{
	if (machine->has_madt && machine->madt.cpu_count > 0)
		return CPUS_FROM_MADT;
	if (machine->has_srat && stand_in_cpus(&machine->srat, &machine->madt, &machine->log))
		return CPUS_FROM_SRAT;
	return CPUS_UNKNOWN;
}

/* Whether anything is known at all; if not, the domains of SLIT and HMAT may still be. */
static bool find_domains(struct inspection *inspection)
{
	struct machine *machine = &inspection->machine;

	if (inspection->ram_source != RAM_UNKNOWN || inspection->cpu_source != CPUS_UNKNOWN ||
	    (machine->has_srat && machine->srat.memory_count > 0))
		return true;
	machine->has_srat = true;
	return stand_in_domains(machine->has_slit ? &machine->slit : NULL,
				machine->has_hmat ? &machine->hmat : NULL, &machine->srat,
				&machine->log);
}

static void join(struct inspection *inspection)
{
	const uint32_t threads = inspection->given.threads_per_core;
	struct machine *machine = &inspection->machine;

	if (inspection->cpu_source == CPUS_UNKNOWN)
		stand_in_boot_cpu(machine->has_srat ? &machine->srat : NULL, &machine->madt,
				  &machine->log);
	machine->has_madt = true;
	machine_join(machine, &inspection->topology, machine->madt.apic_ids[0]);
	for (uint32_t i = 0; i < inspection->topology.cpu_count; i++) {
		struct cpu *cpu = &inspection->topology.cpus[i];

		cpu->online = true;
		cpu->core = threads ? cpu->apic_id / threads : cpu->apic_id;
	}
}

struct worker_count inspection_count_workers(const struct inspection *inspection,
					     enum policy policy, uint32_t node)
{
	const struct worker_facts facts = {
		.topology = &inspection->topology,
		.hmat = inspection->machine.has_hmat ? &inspection->machine.hmat : NULL,
		.core_mbps = inspection->given.core_mbps,
	};

	return worker_rules_count(&facts, policy_rule(policy)->rule, node);
}

void inspection_plan(const struct inspection *inspection, enum policy policy,
		     struct init_plan *plan)
{
	const struct range_list *reserved = &inspection->machine.early.reserved;
	uint32_t counts[NODE_MAX] = { 0 };
	const struct init_rules rules = { .policy = policy, .worker_counts = counts };

	if (policy_rule(policy)->workers == WORKERS_GIVEN)
		for (uint32_t i = 0; i < inspection->topology.node_count; i++)
			counts[i] = inspection_count_workers(inspection, policy, i).workers;

	init_plan_bounds(&inspection->topology, &inspection->memmap, reserved,
			 &plan->span_capacity, &plan->job_capacity, &plan->visit_capacity);
	plan->spans = array_or_die(plan->span_capacity, sizeof(*plan->spans));
	plan->jobs = array_or_die(plan->job_capacity, sizeof(*plan->jobs));
	plan->visits = array_or_die(plan->visit_capacity, sizeof(*plan->visits));
	lab_assert(init_plan_build(plan, &inspection->topology, &inspection->memmap, reserved,
				   &rules));
}

static enum plan_state plan_memmap(struct inspection *inspection)
{
	struct memmap *memmap = &inspection->memmap;
	const struct topology *topology = &inspection->topology;

	if (topology->ram_pages == 0)
		return PLAN_NO_RAM;
	memmap->count = memmap_count_sections(topology);
	if (memmap->count > SECTIONS_MAX) {
		memmap->count = 0;
		return PLAN_TOO_BIG;
	}
	memmap->sections = array_or_die(memmap->count, sizeof(*memmap->sections));
	if (!memmap_plan(memmap, topology, &inspection->machine.early, &inspection->missing_pages))
		return PLAN_NO_MEMORY;
	inspection_plan(inspection, inspection->policy, &inspection->plan);
	return PLAN_MADE;
}

bool inspect(struct inspection *inspection, const struct acpi_tables *tables,
	     const struct memory_input *memory)
{
	struct machine *machine = &inspection->machine;

	machine->tables = *tables;
	machine_parse_tables(machine);
	note_empty_ranges(machine);
	inspection->ram_source = find_ram(machine, memory, inspection->given.address_bits);
	inspection->cpu_source = find_cpus(machine);
	if (memory->entries && inspection->ram_source == RAM_UNKNOWN)
		return false;
	if (!find_domains(inspection))
		return false;
	join(inspection);
	note_small_map(inspection);
	inspection->plan_state = plan_memmap(inspection);
	return true;
}

void plan_free(struct init_plan *plan)
{
	free(plan->spans);
	free(plan->jobs);
	free(plan->visits);
}

void inspection_free(struct inspection *inspection)
{
	free(inspection->memmap.sections);
	plan_free(&inspection->plan);
}
