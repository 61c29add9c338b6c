/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/cpus.h"

#include "mm/machine/topology_count.h"
#include "report/machine/clock_spread.h"

struct cpu_row {
	uint32_t number;
	struct cpu cpu;
	const char *state;
};

/* What only a CPU that came online could tell. */
#define ONLINE IF(struct cpu_row, cpu.online), .always_recorded = true

static const struct field fields[] = {
	FIELD(struct cpu_row, number, AS_NUMBER, .name = "cpu", .title = "CPU", .width = 5),
	FIELD(struct cpu_row, cpu.apic_id, AS_HEX, .name = "apic_id", .title = "APIC id",
	      .width = 10),
	FIELD(struct cpu_row, cpu.node, AS_NUMBER, .name = "node", .title = "node", .width = 6),
	FIELD(struct cpu_row, cpu.package, AS_NUMBER, ONLINE, .name = "package", .title = "package",
	      .width = 10),
	FIELD(struct cpu_row, cpu.core, AS_NUMBER, ONLINE, .name = "core", .title = "core",
	      .width = 10),
	FIELD(struct cpu_row, cpu.thread, AS_NUMBER, ONLINE, .name = "thread", .title = "thread",
	      .width = 10),
	FIELD(struct cpu_row, cpu.boot, AS_BOOL, .name = "boot"),
	FIELD(struct cpu_row, cpu.online, AS_BOOL, .name = "online"),
	FIELD(struct cpu_row, cpu.arrival_cycles, AS_MS, ONLINE, .name = "arrival_cycles",
	      .title = "arrived", .unit = "ms", .width = 10, .meaning = "0 for the boot CPU"),
	FIELD(struct cpu_row, cpu.tsc_low, AS_NUMBER, IF(struct cpu_row, cpu.tsc_bounded),
	      .name = "tsc_low_cycles",
	      .meaning = "signed: its time stamp counter minus the boot CPU's is at least this"),
	FIELD(struct cpu_row, cpu.tsc_high, AS_NUMBER, IF(struct cpu_row, cpu.tsc_bounded),
	      .name = "tsc_high_cycles",
	      .meaning = "and at most this; below `tsc_low_cycles`: the two do not keep pace"),
	FIELD(struct cpu_row, state, AS_TEXT, .title = "state", .width = -8),
};
const struct record_type cpu_record = RECORD_TYPE("cpu", "one per enabled CPU", fields);

static struct cpu_row row_of(const struct topology *topology, uint32_t number)
{
	const struct cpu *cpu = &topology->cpus[number];

	return (struct cpu_row){ number, *cpu,
			     cpu->boot ? "boot" : cpu->online ? "online" : "missing" };
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

static void cpus_table(const struct report *report, const struct topology *topology)
{
	struct field_table table;

	field_table_begin(&table, report, FIELDS(fields));
	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		const struct cpu_row row = row_of(topology, i);

		field_table_row(&table, &row);
	}
}

void report_cpus(const struct report *report, const struct topology *topology)
{
	struct cpu_counts counts = topology_count_cpus(topology, NODE_NONE);

	report_heading(report, "CPUs: %u enabled, %u online: packages %u, cores %u, threads %u",
		       topology->cpu_count, counts.online, counts.packages, counts.cores,
		       counts.online);
	missing_cpus(report, topology, topology->cpu_count - counts.online);
	report_clocks(report, topology);
	if (report->verbose)
		cpus_table(report, topology);
}

void report_cpu_records(struct report *report, const struct topology *topology)
{
	for (uint32_t i = 0; i < topology->cpu_count; i++) {
		const struct cpu_row row = row_of(topology, i);

		field_record(&report->records, &cpu_record, &row);
	}
}
