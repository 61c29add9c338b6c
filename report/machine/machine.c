/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/machine.h"

#include "report/machine/cpus.h"
#include "report/machine/links.h"
#include "report/machine/nodes.h"

void report_topology(struct report *report, const struct topology *topology)
{
	char size[REPORT_CELL];

	report_heading(report, "nodes: %u %s; %s of RAM", topology->node_count,
		       topology->numa ? "from the SRAT" : "(no usable SRAT)",
		       report_size(size, topology->ram_pages));
	report_machine_nodes(report, topology);
	if (topology->orphan_pages)
		report_line(report, "%s of RAM in no SRAT range: given to the nearest node",
			    report_size(size, topology->orphan_pages));
	report_cpus(report, topology);
	report_distances(report, topology);
	report_bandwidths(report, topology);
	report_machine_node_records(report, topology);
	report_cpu_records(report, topology);
	report_link_records(report, topology);
}

static const char *apic_mode_name(uint32_t x2apic)
{
	return x2apic ? "x2apic" : "xapic";
}

struct bringup_row {
	struct bringup_facts facts;
	uint64_t direct_gib_pages;
};

static const struct field bringup_fields[] = {
	FIELD(struct bringup_row, facts.x2apic, AS_WORD, WORDS(apic_mode_name, 2),
	      .name = "apic_mode"),
	FIELD(struct bringup_row, facts.started, AS_NUMBER, .name = "started",
	      .meaning = "without the boot CPU"),
	FIELD(struct bringup_row, facts.arrived, AS_NUMBER, .name = "arrived",
	      .meaning = "without the boot CPU"),
	FIELD(struct bringup_row, facts.cycles, AS_MS, .name = "cycles",
	      .meaning = "from the first start-up message to the end of waiting"),
	FIELD(struct bringup_row, direct_gib_pages, AS_NUMBER, .name = "direct_gib_pages",
	      .meaning = "pages of 1 GiB of the direct map"),
};
const struct record_type bringup_record = RECORD_TYPE("bringup", "once", bringup_fields);

void report_bringup(struct report *report, const struct bringup_facts *facts,
		    uint64_t direct_gib_pages)
{
	const struct bringup_row row = { *facts, direct_gib_pages };
	char took[REPORT_CELL];

	report_heading(report, "start of the other CPUs: %u of %u arrived, %s ms, %s; "
		       "direct map: %lu pages of 1 GiB", facts->arrived, facts->started,
		       report_ms(report, took, facts->cycles), facts->x2apic ? "x2APIC" : "xAPIC",
		       direct_gib_pages);
	field_record(&report->records, &bringup_record, &row);
}
