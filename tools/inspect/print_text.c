/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/print_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "acpi/hmat_lookup.h"
#include "lib/page_units.h"
#include "tools/inspect/as_linux.h"
#include "tools/inspect/not_ram.h"
#include "tools/inspect/print_plan.h"
#include "tools/inspect/text_parts.h"
#include "tools/inspect/view.h"

enum { RANGES_SHOWN = 32, MATRIX_COLUMNS = 14 };

void print_anomalies(FILE *to, const struct anomaly_log *log, const struct table_folder *folder)
{
	if (log->count == 0)
		return;
	fprintf(to, "ANOMALIES: %u\n  table       offset  what is wrong (value)\n",
		log->count + log->dropped);
	for (uint32_t i = 0; i < log->count; i++) {
		const struct anomaly *entry = &log->entries[i];
		const char *file = load_file_of_anomaly(folder, log, i);
		char value[32], text[200];

		value[0] = '\0';
		if (entry->value)
			snprintf(value, sizeof(value), entry->value > 0xffff ? " (%#lx)" :
				 " (%lu)", entry->value);
		snprintf(text, sizeof(text), "%s%s", entry->reason, value);
		fprintf(to, "  %-7s %10lu  ", entry->table, entry->offset);
		print_wrapped(to, text, 22);
		if (file)
			fprintf(to, "  %20s[%.50s]\n", "", file);
	}
	if (log->dropped)
		fprintf(to, "  and %u more like these\n", log->dropped);
	putc('\n', to);
}

static void print_table(const struct table_folder *folder, const char *name,
			const struct acpi_table *table)
{
	if (table->bytes)
		printf("  %s %10u bytes, revision %3u  %.38s\n", name, table->length,
		       table->bytes[8], load_file_of(folder, table));
	else
		printf("  %s       none\n", name);
}

static void print_tables(const struct table_folder *folder)
{
	const struct acpi_tables *tables = &folder->tables;

	puts("Tables");
	print_table(folder, "MADT", &tables->madt);
	print_table(folder, "SRAT", &tables->srat);
	print_table(folder, "SLIT", &tables->slit);
	print_table(folder, "HMAT", &tables->hmat);
	print_table(folder, "CEDT", &tables->cedt);
	putchar('\n');
}

static void print_memory(const struct inspection *inspection)
{
	static const char *const sources[] = { "no memory map, and no fixed range in an SRAT",
					       "memory map as given",
					       "no memory map given: ranges of the SRAT" };
	const struct memory_map *map = &inspection->machine.map;
	uint64_t pages[MEMORY_TYPES] = { 0 };

	printf("Memory (%s)\n", sources[inspection->ram_source]);
	for (uint32_t i = 0; i < map->count; i++)
		pages[map->ranges[i].type] += map->ranges[i].end_pfn - map->ranges[i].start_pfn;
	for (unsigned type = 0; type < MEMORY_TYPES; type++) {
		if (pages[type])
			printf("  %-14s %12s %14lu pages\n", memory_type_name(type),
			       size_of_pages(pages[type]).text, pages[type]);
	}
	if (inspection->topology.numa && inspection->topology.orphan_pages)
		printf("  %s of RAM in no range of the SRAT: given to the nearest nodes\n",
		       size_of_pages(inspection->topology.orphan_pages).text);
	putchar('\n');
}

/* One node's APIC ids, several lines of them where they do not fit. */
static void print_apic_ids(const struct topology *topology, uint32_t node)
{
	int column = printf("  node %u:", node);

	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		if (topology->cpus[i].node != node)
			continue;
		if (column > TEXT_COLUMNS - 12)
			column = printf("\n         ") - 1;
		column += printf(" %x", topology->cpus[i].apic_id);
	}
	putchar('\n');
}

static void print_cpus(const struct inspection *inspection)
{
	const struct topology *topology = &inspection->topology;

	if (inspection->cpu_source == CPUS_UNKNOWN) {
		puts("CPUs: no table names any; the plan takes the boot CPU alone, on the first "
		     "node\n");
		return;
	}
	printf("CPUs: %u enabled, %u table entries disabled%s\n", topology->cpu_count,
	       inspection->machine.madt.disabled,
	       inspection->cpu_source == CPUS_FROM_SRAT ?
		       " (of the SRAT: no MADT)" : "");
	printf("  boot CPU: APIC id %x assumed, the first enabled one; APIC ids in hexadecimal\n",
	       topology->cpus[0].apic_id);
	for (uint32_t i = 0; i < topology->node_count; i++) {
		if (topology->nodes[i].cpu_count)
			print_apic_ids(topology, i);
	}
	putchar('\n');
}

static void print_ranges(const struct topology *topology, uint32_t node)
{
	uint32_t shown = 0;
	bool first = true;

	for (uint32_t i = 0; i < topology->ram_count; i++) {
		const struct ram_range *ram = &topology->ram[i];

		if (ram->node != node || ++shown > RANGES_SHOWN)
			continue;
		printf(first ? "  [0x%012lx, 0x%012lx) %10s\n" :
		       "                                   [0x%012lx, 0x%012lx) %10s\n",
		       ram->start_pfn << PAGE_SHIFT, ram->end_pfn << PAGE_SHIFT,
		       size_of_pages(ram->end_pfn - ram->start_pfn).text);
		first = false;
	}
	if (shown > RANGES_SHOWN)
		printf("%35sand %u more ranges (--json names all)\n", "", shown - RANGES_SHOWN);
	if (first)
		puts("  none");
}

static void print_nodes(const struct inspection *inspection)
{
	const struct topology *topology = &inspection->topology;

	printf("Nodes: %u%s\n", topology->node_count,
	       topology->numa ? "" : " (no SRAT: everything is one node)");
	puts(" node        pxm  CPUs         RAM  ranges (end exclusive)");
	for (uint32_t i = 0; i < topology->node_count; i++) {
		printf(" %4u %10u %5u %11s", i, topology->nodes[i].pxm,
		       view_node_cpus(inspection, i), size_of_pages(topology->nodes[i].pages).text);
		print_ranges(topology, i);
	}
	putchar('\n');
}

static void print_not_ram(const struct inspection *inspection)
{
	const struct srat_facts *srat = &inspection->machine.srat;
	uint32_t count;
	struct not_ram *list = not_ram_list(inspection, &count);

	if (count)
		puts("Not RAM when the machine boots");
	for (uint32_t i = 0; i < count && i < RANGES_SHOWN; i++) {
		printf("  %-16s  [0x%012lx, 0x%012lx) %10s", list[i].kind, list[i].start,
		       list[i].end, size_of(list[i].end - list[i].start).text);
		if (list[i].pxm != PXM_NONE)
			printf("  pxm %u", list[i].pxm);
		putchar('\n');
	}
	if (count > RANGES_SHOWN)
		printf("  and %u more ranges (--json names all)\n", count - RANGES_SHOWN);
	if (count)
		putchar('\n');
	free(list);
	if (srat->initiator_count || srat->port_count)
		printf("Devices in the SRAT: %u Generic Initiators, whose domains are nodes, and\n"
		       "%u Generic Ports, whose domains are none\n\n", srat->initiator_count,
		       srat->port_count);
}

static void print_linux(const struct inspection *inspection)
{
	struct as_linux list[AS_LINUX_MAX];
	uint32_t count = as_linux_list(inspection, list);

	if (!count)
		return;
	puts("What Linux does otherwise with these tables");
	for (uint32_t i = 0; i < count; i++) {
		printf("  %s: ", list[i].table);
		print_wrapped(stdout, list[i].effect, 8);
	}
	putchar('\n');
}

/* A SLIT that is there and says nothing of these nodes must not be called absent. */
static const char *distance_source(const struct inspection *inspection)
{
	if (inspection->topology.distance_from_slit)
		return "SLIT";
	if (!inspection->machine.tables.slit.bytes)
		return "no SLIT: 10 local, 20 remote";
	if (!inspection->topology.numa)
		return "the SLIT counts for nothing without an SRAT: 10 local, 20 remote";
	return "the SLIT cannot be used: 10 local, 20 remote";
}

/* Wide matrices are printed as several blocks of columns. */
static void print_distances(const struct inspection *inspection)
{
	const struct topology *topology = &inspection->topology;

	printf("Distances (%s)\n", distance_source(inspection));
	for (uint32_t left = 0; left < topology->node_count; left += MATRIX_COLUMNS) {
		uint32_t right = left + MATRIX_COLUMNS;

		if (right > topology->node_count)
			right = topology->node_count;
		printf(" from\\to");
		for (uint32_t to = left; to < right; to++)
			printf(" %4u", to);
		for (uint32_t from = 0; from < topology->node_count; from++) {
			printf("\n %7u", from);
			for (uint32_t to = left; to < right; to++)
				printf(" %4u", topology->distance[from][to]);
		}
		puts("\n");
	}
}

/* A figure that the HMAT does not give is a dash. */
static void print_figure(uint32_t value)
{
	if (value)
		printf(" %13u", value);
	else
		printf(" %13s", "-");
}

static void print_bandwidths(const struct topology *topology)
{
	if (!topology->bandwidth_from_hmat)
		return;
	puts("Latency and bandwidth (HMAT)\n"
	     " initiator  target       read ns      write ns     read MB/s    write MB/s");
	for (uint32_t from = 0; from < topology->node_count; from++) {
		for (uint32_t to = 0; to < topology->node_count; to++) {
			const struct hmat_pair *pair = &topology->bandwidth[from][to];

			if (!hmat_pair_known(pair))
				continue;
			printf(" %9u %7u", from, to);
			print_figure(pair->read_latency_ns);
			print_figure(pair->write_latency_ns);
			print_figure(pair->read_mbps);
			print_figure(pair->write_mbps);
			putchar('\n');
		}
	}
	putchar('\n');
}

static void print_backing(const struct inspection *inspection)
{
	uint64_t count;
	struct view_backing *backing = view_backing(inspection, &count);

	for (uint64_t i = 0; i < count && i < RANGES_SHOWN; i++)
		printf("  node %3u  [0x%012lx, 0x%012lx) %10s\n", backing[i].node,
		       backing[i].start_pfn << PAGE_SHIFT, backing[i].end_pfn << PAGE_SHIFT,
		       size_of_pages(backing[i].end_pfn - backing[i].start_pfn).text);
	if (count > RANGES_SHOWN)
		printf("  and %lu more ranges (--json names all)\n", count - RANGES_SHOWN);
	free(backing);
}

static void print_memmap(const struct inspection *inspection)
{
	const struct memmap *memmap = &inspection->memmap;

	printf("memmap: %lu sections of 128 MiB, %llu struct pages of 64 bytes, %s\n",
	       memmap->count, memmap->count * SECTION_PAGES,
	       size_of(memmap->count * HUGE_PAGE_BYTES).text);
	if (memmap->remote_sections)
		printf("  %lu sections lie on another node than the one they describe\n",
		       memmap->remote_sections);
	print_backing(inspection);
	putchar('\n');
}

static void print_plan_or_reason(const struct inspection *inspection)
{
	switch (inspection->plan_state) {
	case PLAN_MADE:
		print_memmap(inspection);
		print_plan(inspection);
		print_policies(inspection);
		break;
	case PLAN_NO_RAM:
		puts("No init plan: no RAM is known. Give a memory map with --e820.");
		break;
	case PLAN_TOO_BIG:
		puts("No init plan: more than 64 TiB of RAM in populated sections.");
		break;
	case PLAN_NO_MEMORY:
		printf("No init plan: the memmap of %lu sections does not fit, %s more is "
		       "needed.\n", inspection->memmap.count,
		       size_of_pages(inspection->missing_pages).text);
		break;
	}
}

void print_text(const struct inspection *inspection, const struct table_folder *folder)
{
	print_anomalies(stdout, &inspection->machine.log, folder);
	print_tables(folder);
	print_memory(inspection);
	print_not_ram(inspection);
	print_linux(inspection);
	print_cpus(inspection);
	print_nodes(inspection);
	print_distances(inspection);
	print_bandwidths(&inspection->topology);
	print_plan_or_reason(inspection);
}
