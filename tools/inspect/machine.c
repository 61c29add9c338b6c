/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/machine.h"

#include <stdlib.h>

#include "acpi/note.h"
#include "lib/assert.h"
#include "lib/page_units.h"
#include "tools/inspect/alloc.h"
#include "tools/inspect/stand_in.h"

/* 64 TiB, all that Linux maps with four levels of page tables; their list is 16 MiB here. */
enum { SECTIONS_MAX = 1 << 19 };

/* Which tables there are; a table that was not usable is not there. */
struct tables_read {
	struct madt_facts *madt;
	struct srat_facts *srat;
	struct slit_facts *slit;
	struct hmat_facts *hmat;
};

static void read_tables(struct machine *machine, const struct acpi_tables *tables,
			struct tables_read *read)
{
	struct anomaly_log *log = &machine->log;

	if (madt_parse(&tables->madt, &machine->madt, log))
		read->madt = &machine->madt;
	if (srat_parse(&tables->srat, &machine->srat, log))
		read->srat = &machine->srat;
	if (slit_parse(&tables->slit, &machine->slit, log))
		read->slit = &machine->slit;
	if (hmat_parse(&tables->hmat, &machine->hmat, log))
		read->hmat = &machine->hmat;
}

/* The kernel skips an enabled range of no length; whoever looks at a server wants to know of it. */
static void note_empty_ranges(const struct srat_facts *srat, struct anomaly_log *log)
{
	for (uint32_t i = 0; i < srat->memory_count; i++) {
		if (srat->memory[i].end == srat->memory[i].start)
			acpi_note(log, "SRAT", i, "enabled memory range of length 0",
				  srat->memory[i].start);
	}
}

static void find_ram(struct machine *machine, const struct tables_read *read,
		     const struct memory_input *memory)
{
	static struct memory_map_scratch scratch;
	static struct boot_memory stand_in[SRAT_MEMORY_MAX];
	struct memory_input input = *memory;

	machine->ram_source = RAM_FROM_E820;
	if (!input.entries && read->srat) {
		machine->ram_source = RAM_FROM_SRAT;
		input.entries = stand_in;
		input.count = stand_in_ram(read->srat, stand_in, &machine->log);
	}
	if (!memory_map_build(&machine->map, input.entries, input.count, &scratch, &machine->log))
		machine->ram_source = RAM_UNKNOWN;
}

static void find_cpus(struct machine *machine, const struct tables_read *read)
{
	if (read->madt && read->madt->cpu_count > 0)
		machine->cpu_source = CPUS_FROM_MADT;
	else if (read->srat && stand_in_cpus(read->srat, &machine->madt, &machine->log))
		machine->cpu_source = CPUS_FROM_SRAT;
}

/* Whether anything is known at all; if not, the domains of SLIT and HMAT may still be. */
static bool find_domains(struct machine *machine, struct tables_read *read)
{
	if (machine->ram_source != RAM_UNKNOWN || machine->cpu_source != CPUS_UNKNOWN ||
	    (read->srat && read->srat->memory_count > 0))
		return true;
	read->srat = &machine->srat;
	return stand_in_domains(read->slit, read->hmat, read->srat, &machine->log);
}

static void join(struct machine *machine, const struct tables_read *read)
{
	const struct topology_input input = {
		.map = &machine->map, .madt = &machine->madt, .srat = read->srat,
		.slit = read->slit, .hmat = read->hmat,
		.boot_apic_id = machine->madt.apic_ids[0],
	};

	topology_join(&machine->topology, &input, &machine->log);
	for (uint32_t i = 0; i < machine->topology.cpu_count; i++)
		machine->topology.cpus[i].online = true;
}

static void make_plan(struct machine *machine)
{
	const struct init_rules rules = { .policy = POLICY_PADATA };
	const struct range_list *reserved = &machine->early.reserved;
	struct init_plan *plan = &machine->plan;

	init_plan_bounds(&machine->topology, &machine->memmap, reserved, &plan->span_capacity,
			 &plan->job_capacity, &plan->visit_capacity);
	plan->spans = array_or_die(plan->span_capacity, sizeof(*plan->spans));
	plan->jobs = array_or_die(plan->job_capacity, sizeof(*plan->jobs));
	plan->visits = array_or_die(plan->visit_capacity, sizeof(*plan->visits));
	lab_assert(init_plan_build(plan, &machine->topology, &machine->memmap, reserved, &rules));
}

/* The kernel reserves frame 0, and besides its own image and what the loader left: a few MiB that
 * are not known here. */
static enum plan_state plan_memmap(struct machine *machine)
{
	struct memmap *memmap = &machine->memmap;
	struct topology *topology = &machine->topology;

	if (topology->ram_pages == 0)
		return PLAN_NO_RAM;
	memmap->count = memmap_count_sections(topology);
	if (memmap->count > SECTIONS_MAX) {
		memmap->count = 0;
		return PLAN_TOO_BIG;
	}
	memmap->sections = array_or_die(memmap->count, sizeof(*memmap->sections));
	early_alloc_init(&machine->early, topology->ram, topology->ram_count);
	early_alloc_reserve(&machine->early, 0, PAGE_BYTES);
	if (!memmap_plan(memmap, topology, &machine->early, &machine->missing_pages))
		return PLAN_NO_MEMORY;
	make_plan(machine);
	return PLAN_MADE;
}

bool machine_build(struct machine *machine, const struct acpi_tables *tables,
		   const struct memory_input *memory)
{
	struct tables_read read = { 0 };

	read_tables(machine, tables, &read);
	if (read.srat)
		note_empty_ranges(read.srat, &machine->log);
	find_ram(machine, &read, memory);
	find_cpus(machine, &read);
	if (!find_domains(machine, &read))
		return false;
	if (machine->cpu_source == CPUS_UNKNOWN)
		stand_in_boot_cpu(read.srat, &machine->madt, &machine->log);
	join(machine, &read);
	machine->plan_state = plan_memmap(machine);
	return true;
}

void machine_free(struct machine *machine)
{
	free(machine->memmap.sections);
	free(machine->plan.spans);
	free(machine->plan.jobs);
	free(machine->plan.visits);
}
