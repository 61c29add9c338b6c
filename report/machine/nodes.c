/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/nodes.h"

#include "lib/format.h"
#include "lib/page_units.h"
#include "lib/string.h"
#include "mm/machine/topology_count.h"

struct machine_node {
	uint32_t number;
	struct node node;
	struct cpu_counts cpus;
	uint64_t mib;
	uint32_t adopter; /* NODE_NONE: it has CPUs of its own, or nobody adopts it */
	char adopted_by[12];
};

static const struct field fields[] = {
	FIELD(struct machine_node, number, AS_NUMBER, .name = "node", .title = "node", .width = 4),
	FIELD(struct machine_node, node.pxm, AS_NUMBER, .name = "pxm", .title = "proximity",
	      .unit = "domain", .width = 10),
	FIELD(struct machine_node, node.cpu_count, AS_NUMBER, .name = "cpus", .title = "CPUs",
	      .unit = "enabled", .width = 8, .meaning = "enabled"),
	FIELD(struct machine_node, cpus.online, AS_NUMBER, .name = "cpus_online", .title = "CPUs",
	      .unit = "online", .width = 8),
	FIELD(struct machine_node, cpus.cores, AS_NUMBER, .title = "cores", .unit = "online",
	      .width = 8),
	FIELD(struct machine_node, node.pages, AS_NUMBER, .name = "pages", .meaning = "RAM"),
	FIELD(struct machine_node, mib, AS_NUMBER, .title = "RAM", .unit = "MiB", .width = 12),
	FIELD(struct machine_node, adopter, AS_NUMBER, .none_is_minus_one = true, .name = "adopter",
	      .meaning = "the node whose CPUs work for it, which has none; or -1"),
	FIELD(struct machine_node, adopted_by, AS_TEXT, .title = "adopted by", .unit = "node",
	      .width = 11),
};
const struct record_type node_record = RECORD_TYPE("node", "one per node", fields);

static struct machine_node row_of(const struct topology *topology, uint32_t number)
{
	const struct node *node = &topology->nodes[number];
	struct machine_node row = {
		.number = number,
		.node = *node,
		.cpus = topology_count_cpus(topology, number),
		.mib = node->pages * PAGE_BYTES >> 20,
		.adopter = node->adopted ? node->adopter : NODE_NONE,
	};

	if (row.adopter != NODE_NONE)
		format(row.adopted_by, sizeof(row.adopted_by), "%u", row.adopter);
	else
		string_copy(row.adopted_by, node->adopted ? "none" : "-", sizeof(row.adopted_by));
	return row;
}

void report_machine_nodes(const struct report *report, const struct topology *topology)
{
	struct field_table table;

	field_table_begin(&table, report, FIELDS(fields));
	for (uint32_t i = 0; i < report_rows(report, topology->node_count); i++) {
		const struct machine_node row = row_of(topology, i);

		field_table_row(&table, &row);
	}
	report_rest(report, topology->node_count, "nodes");
}

struct ram_row {
	uint64_t start, end;
	uint32_t node;
};

static const struct field ram_fields[] = {
	FIELD(struct ram_row, start, AS_HEX, .name = "start"),
	FIELD(struct ram_row, end, AS_HEX, .name = "end", .meaning = "exclusive"),
	FIELD(struct ram_row, node, AS_NUMBER, .name = "node"),
};
const struct record_type ram_record =
	RECORD_TYPE("ram", "one per range of RAM and its node", ram_fields);

void report_machine_node_records(struct report *report, const struct topology *topology)
{
	for (uint32_t i = 0; i < topology->node_count; i++) {
		const struct machine_node row = row_of(topology, i);

		field_record(&report->records, &node_record, &row);
	}
	for (uint32_t i = 0; i < topology->ram_count; i++) {
		const struct ram_range *ram = &topology->ram[i];
		const struct ram_row row = { ram->start_pfn * PAGE_BYTES,
					     ram->end_pfn * PAGE_BYTES, ram->node };

		field_record(&report->records, &ram_record, &row);
	}
}
