/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/machine.h"

#include "lib/page_units.h"
#include "report/machine/clocks.h"
#include "report/machine/links.h"
#include "report/table.h"
#include "report/text.h"

void report_memory_map(struct report *report, const struct memory_map *map)
{
	static const struct column columns[] = {
		{ "start", "", 18 },
		{ "end (exclusive)", "", 18 },
		{ "size", "KiB", 14 },
		{ "kind", "", -16 },
	};
	struct record_stream *records = &report->records;
	char size[REPORT_CELL];
	struct table table;

	report_heading(report, "memory map: %u ranges, %s usable", map->count,
		       report_size(size, map->usable_pages));
	table_begin(&table, report, columns, 4);
	for (uint32_t i = 0; i < report_rows(report, map->count); i++) {
		const struct memory_range *range = &map->ranges[i];

		table_hex(&table, range->start_pfn * PAGE_BYTES);
		table_hex(&table, range->end_pfn * PAGE_BYTES);
		table_u64(&table, (range->end_pfn - range->start_pfn) * PAGE_BYTES >> 10);
		table_text(&table, memory_type_name(range->type));
	}
	report_rest(report, map->count, "ranges");
	for (uint32_t i = 0; i < map->count; i++) {
		const struct memory_range *range = &map->ranges[i];

		record_begin(records, "range");
		record_u64(records, "start", range->start_pfn * PAGE_BYTES);
		record_u64(records, "end", range->end_pfn * PAGE_BYTES);
		record_text(records, "kind", memory_type_name(range->type));
		record_end(records);
	}
}

struct cpu_counts {
	uint32_t online, cores, packages;
};

/* Whether an online CPU before number `cpu` is of the same core, and of the same package.
 * Quadratic, and still only some milliseconds for the most CPUs there can be. */
static void seen_before(const struct topology *topology, uint32_t cpu, bool *core, bool *package)
{
	const struct cpu *this = &topology->cpus[cpu];

	*core = *package = false;
	for (uint32_t i = 0; i < cpu && !*core; i++) {
		if (!topology->cpus[i].online)
			continue;
		*core = topology->cpus[i].core == this->core;
		*package |= topology->cpus[i].package == this->package;
	}
	*package |= *core;
}

/* Of all nodes, or of one where `node` is not NODE_NONE. */
static struct cpu_counts count_cpus(const struct topology *topology, uint32_t node)
{
	struct cpu_counts counts = { 0 };
	bool core, package;

	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		const struct cpu *cpu = &topology->cpus[i];

		if (!cpu->online || (node != NODE_NONE && cpu->node != node))
			continue;
		seen_before(topology, i, &core, &package);
		counts.online++;
		counts.cores += !core;
		counts.packages += !package;
	}
	return counts;
}

static void nodes_table(const struct report *report, const struct topology *topology)
{
	static const struct column columns[] = {
		{ "node", "", 4 },     { "proximity", "domain", 10 }, { "CPUs", "enabled", 8 },
		{ "CPUs", "online", 8 }, { "cores", "online", 8 },      { "RAM", "MiB", 12 },
		{ "adopted by", "node", 11 },
	};
	struct table table;

	table_begin(&table, report, columns, 7);
	for (uint32_t i = 0; i < report_rows(report, topology->node_count); i++) {
		const struct node *node = &topology->nodes[i];
		struct cpu_counts counts = count_cpus(topology, i);

		table_u64(&table, i);
		table_u64(&table, node->pxm);
		table_u64(&table, node->cpu_count);
		table_u64(&table, counts.online);
		table_u64(&table, counts.cores);
		table_u64(&table, node->pages * PAGE_BYTES >> 20);
		if (!node->adopted)
			table_text(&table, "-");
		else if (node->adopter == NODE_NONE)
			table_text(&table, "none");
		else
			table_u64(&table, node->adopter);
	}
	report_rest(report, topology->node_count, "nodes");
}

static void missing_cpus(const struct report *report, const struct topology *topology,
			 uint32_t missing)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < topology->cpu_count && shown < report_rows(report, missing); i++) {
		if (topology->cpus[i].online)
			continue;
		report_line(report, "missing: CPU %u (APIC id 0x%x, node %u) did not come online",
			    i, topology->cpus[i].apic_id, topology->cpus[i].node);
		shown++;
	}
	report_rest(report, missing, "missing CPUs");
}

/* What only a CPU that came online could tell. */
static void online_cells(struct table *table, const struct cpu *cpu)
{
	if (!cpu->online) {
		for (int i = 0; i < 4; i++)
			table_text(table, "-");
		return;
	}
	table_u64(table, cpu->package);
	table_u64(table, cpu->core);
	table_u64(table, cpu->thread);
	table_ms(table, cpu->arrival_cycles);
}

static void cpus_table(const struct report *report, const struct topology *topology)
{
	static const struct column columns[] = {
		{ "CPU", "", 5 },	{ "APIC id", "", 10 }, { "node", "", 6 },
		{ "package", "", 10 }, { "core", "", 10 },    { "thread", "", 10 },
		{ "arrived", "ms", 10 }, { "state", "", -8 },
	};
	struct table table;

	table_begin(&table, report, columns, 8);
	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		const struct cpu *cpu = &topology->cpus[i];

		table_u64(&table, i);
		table_hex(&table, cpu->apic_id);
		table_u64(&table, cpu->node);
		online_cells(&table, cpu);
		table_text(&table, cpu->boot ? "boot" : cpu->online ? "online" : "missing");
	}
}

static uint32_t online_of(const struct topology *topology, uint32_t node)
{
	uint32_t online = 0;

	for (uint32_t i = 0; i < topology->cpu_count; i++)
		online += topology->cpus[i].online && topology->cpus[i].node == node;
	return online;
}

static void node_records(struct record_stream *records, const struct topology *topology)
{
	for (uint32_t i = 0; i < topology->node_count; i++) {
		const struct node *node = &topology->nodes[i];
		bool adopted = node->adopted && node->adopter != NODE_NONE;

		record_begin(records, "node");
		record_u64(records, "node", i);
		record_u64(records, "pxm", node->pxm);
		record_u64(records, "cpus", node->cpu_count);
		record_u64(records, "cpus_online", online_of(topology, i));
		record_u64(records, "pages", node->pages);
		record_i64(records, "adopter", adopted ? (int64_t)node->adopter : -1);
		record_end(records);
	}
	for (uint32_t i = 0; i < topology->ram_count; i++) {
		record_begin(records, "ram");
		record_u64(records, "start", topology->ram[i].start_pfn * PAGE_BYTES);
		record_u64(records, "end", topology->ram[i].end_pfn * PAGE_BYTES);
		record_u64(records, "node", topology->ram[i].node);
		record_end(records);
	}
}

static void cpu_records(struct record_stream *records, const struct topology *topology)
{
	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		const struct cpu *cpu = &topology->cpus[i];

		record_begin(records, "cpu");
		record_u64(records, "cpu", i);
		record_u64(records, "apic_id", cpu->apic_id);
		record_u64(records, "node", cpu->node);
		record_u64(records, "package", cpu->package);
		record_u64(records, "core", cpu->core);
		record_u64(records, "thread", cpu->thread);
		record_bool(records, "boot", cpu->boot);
		record_bool(records, "online", cpu->online);
		record_u64(records, "arrival_cycles", cpu->arrival_cycles);
		if (cpu->tsc_bounded) {
			record_i64(records, "tsc_low_cycles", cpu->tsc_low);
			record_i64(records, "tsc_high_cycles", cpu->tsc_high);
		}
		record_end(records);
	}
}

void report_topology(struct report *report, const struct topology *topology)
{
	struct cpu_counts counts = count_cpus(topology, NODE_NONE);
	char size[REPORT_CELL];

	report_heading(report, "nodes: %u %s; %s of RAM", topology->node_count,
		       topology->numa ? "from the SRAT" : "(no usable SRAT)",
		       report_size(size, topology->ram_pages));
	nodes_table(report, topology);
	if (topology->orphan_pages)
		report_line(report, "%s of RAM in no SRAT range: given to the nearest node",
			    report_size(size, topology->orphan_pages));
	report_heading(report, "CPUs: %u enabled, %u online: packages %u, cores %u, threads %u",
		       topology->cpu_count, counts.online, counts.packages, counts.cores,
		       counts.online);
	missing_cpus(report, topology, topology->cpu_count - counts.online);
	report_clocks(report, topology);
	if (report->verbose)
		cpus_table(report, topology);
	report_distances(report, topology);
	report_bandwidths(report, topology);
	node_records(&report->records, topology);
	cpu_records(&report->records, topology);
	report_link_records(report, topology);
}

void report_bringup(struct report *report, const struct report_bringup *facts)
{
	struct record_stream *records = &report->records;
	char took[REPORT_CELL];

	report_heading(report, "start of the other CPUs: %u of %u arrived, %s ms, %s; "
		       "direct map: %lu pages of 1 GiB", facts->arrived, facts->started,
		       report_ms(report, took, facts->cycles), facts->x2apic ? "x2APIC" : "xAPIC",
		       facts->direct_gib_pages);
	record_begin(records, "bringup");
	record_text(records, "apic_mode", facts->x2apic ? "x2apic" : "xapic");
	record_u64(records, "started", facts->started);
	record_u64(records, "arrived", facts->arrived);
	record_u64(records, "cycles", facts->cycles);
	record_u64(records, "direct_gib_pages", facts->direct_gib_pages);
	record_end(records);
}
