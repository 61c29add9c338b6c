/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/print_json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "acpi/hmat_lookup.h"
#include "lib/page_units.h"
#include "mm/init/policy.h"
#include "tools/inspect/as_linux.h"
#include "tools/inspect/not_ram.h"
#include "tools/inspect/policies.h"
#include "tools/inspect/view.h"

/* json_pack's "s?" makes a null of a missing string, "I" takes 64 bits with a sign: addresses here
 * are below 2^52. Values of anomalies may be anything and are cut at INT64_MAX. */
static json_int_t clamped(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (json_int_t)value;
}

static json_int_t bytes_of(uint64_t pages)
{
	return (json_int_t)(pages << PAGE_SHIFT);
}

static json_t *integer_or_null(json_int_t value)
{
	return value ? json_integer(value) : json_null();
}

static json_t *tables_json(const struct table_folder *folder)
{
	const struct acpi_tables *tables = &folder->tables;
	const struct {
		const char *name;
		const struct acpi_table *table;
	} all[] = {
		{ "APIC", &tables->madt }, { "SRAT", &tables->srat }, { "SLIT", &tables->slit },
		{ "HMAT", &tables->hmat }, { "CEDT", &tables->cedt }, { "MCFG", &tables->mcfg },
		{ "FACP", &tables->fadt }, { "HPET", &tables->hpet },
	};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].table->bytes)
			json_array_append_new(list, json_pack("{s:s,s:s?,s:I}",
				"signature", all[i].name,
				"file", load_file_of(folder, all[i].table),
				"bytes", (json_int_t)all[i].table->length));
	}
	return list;
}

static json_t *memory_json(const struct memory_map *map)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < map->count; i++)
		json_array_append_new(list, json_pack("{s:I,s:I,s:s}",
			"start", bytes_of(map->ranges[i].start_pfn),
			"end", bytes_of(map->ranges[i].end_pfn),
			"kind", memory_type_name(map->ranges[i].type)));
	return list;
}

static json_t *cpus_json(const struct inspection *inspection)
{
	const struct topology *topology = &inspection->topology;
	uint32_t known = inspection->cpu_source == CPUS_UNKNOWN ? 0 : topology->cpu_count;
	json_t *list = json_array();

	for (uint32_t i = 0; i < known; i++) {
		const struct cpu *cpu = &topology->cpus[i];

		json_array_append_new(list, json_pack("{s:I,s:I,s:I}",
			"apic_id", (json_int_t)cpu->apic_id, "node", (json_int_t)cpu->node,
			"pxm", (json_int_t)topology->nodes[cpu->node].pxm));
	}
	return list;
}

static json_t *ranges_json(const struct topology *topology, uint32_t node)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < topology->ram_count; i++) {
		if (topology->ram[i].node == node)
			json_array_append_new(list, json_pack("{s:I,s:I}",
				"start", bytes_of(topology->ram[i].start_pfn),
				"end", bytes_of(topology->ram[i].end_pfn)));
	}
	return list;
}

static json_t *nodes_json(const struct inspection *inspection)
{
	const struct topology *topology = &inspection->topology;
	json_t *list = json_array();

	for (uint32_t i = 0; i < topology->node_count; i++)
		json_array_append_new(list, json_pack("{s:I,s:I,s:I,s:I,s:o}",
			"node", (json_int_t)i, "pxm", (json_int_t)topology->nodes[i].pxm,
			"cpus", (json_int_t)view_node_cpus(inspection, i),
			"pages", (json_int_t)topology->nodes[i].pages,
			"ranges", ranges_json(topology, i)));
	return list;
}

static json_t *distances_json(const struct topology *topology)
{
	json_t *matrix = json_array();

	for (uint32_t from = 0; from < topology->node_count; from++) {
		json_t *row = json_array();

		for (uint32_t to = 0; to < topology->node_count; to++)
			json_array_append_new(row, json_integer(topology->distance[from][to]));
		json_array_append_new(matrix, row);
	}
	return matrix;
}

static json_t *bandwidths_json(const struct topology *topology)
{
	json_t *list = json_array();

	for (uint32_t from = 0; from < topology->node_count; from++) {
		for (uint32_t to = 0; to < topology->node_count; to++) {
			const struct hmat_pair *pair = &topology->bandwidth[from][to];

			if (!hmat_pair_known(pair))
				continue;
			json_array_append_new(list, json_pack(
				"{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}",
				"initiator", (json_int_t)from, "target", (json_int_t)to,
				"initiator_pxm", (json_int_t)topology->nodes[from].pxm,
				"target_pxm", (json_int_t)topology->nodes[to].pxm,
				"read_mbps", (json_int_t)pair->read_mbps,
				"write_mbps", (json_int_t)pair->write_mbps,
				"read_latency_ns", (json_int_t)pair->read_latency_ns,
				"write_latency_ns", (json_int_t)pair->write_latency_ns));
		}
	}
	return list;
}

static json_t *anomalies_json(const struct anomaly_log *log, const struct table_folder *folder)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < log->count; i++) {
		const struct anomaly *entry = &log->entries[i];

		json_array_append_new(list, json_pack("{s:s,s:I,s:s,s:I,s:s?}",
			"table", entry->table, "offset", clamped(entry->offset),
			"reason", entry->reason, "value", clamped(entry->value),
			"file", load_file_of_anomaly(folder, log, i)));
	}
	return list;
}

static json_t *backing_json(const struct inspection *inspection)
{
	json_t *list = json_array();
	struct view_backing *backing;
	uint64_t count;

	if (inspection->plan_state != PLAN_MADE)
		return list;
	backing = view_backing(inspection, &count);
	for (uint64_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{s:I,s:I,s:I}",
			"start", bytes_of(backing[i].start_pfn),
			"end", bytes_of(backing[i].end_pfn), "node", (json_int_t)backing[i].node));
	free(backing);
	return list;
}

static json_t *memmap_json(const struct inspection *inspection)
{
	const struct memmap *memmap = &inspection->memmap;

	return json_pack("{s:I,s:I,s:I,s:I,s:I,s:o}",
			 "sections", (json_int_t)memmap->count,
			 "pages", (json_int_t)(memmap->count * SECTION_PAGES),
			 "bytes", (json_int_t)(memmap->count * SECTION_PAGES * STRUCT_PAGE_BYTES),
			 "remote_sections", (json_int_t)memmap->remote_sections,
			 "missing_pages", clamped(inspection->missing_pages),
			 "backing", backing_json(inspection));
}

static json_t *node_plan_json(const struct inspection *inspection, uint32_t node)
{
	const struct node *of = &inspection->topology.nodes[node];
	const struct init_node *plan = &inspection->plan.nodes[node];
	struct view_sections view = view_node_sections(inspection, node);

	return json_pack("{s:s,s:I,s:I,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}",
			 "policy", policy_name(inspection->policy), "node", (json_int_t)node,
			 "workers", (json_int_t)plan->worker_count,
			 "why", policy_why(inspection, node).text,
			 "jobs", (json_int_t)plan->job_count,
			 "chunk_pages", (json_int_t)view_node_chunk(&inspection->plan, node),
			 "early_pages", (json_int_t)plan->early_pages,
			 "deferred_pages", (json_int_t)plan->deferred_pages,
			 "free_pages", (json_int_t)plan->free_pages,
			 "reserved_pages", (json_int_t)plan->reserved_pages,
			 "hole_pages", (json_int_t)plan->hole_pages,
			 "memmap_sections", (json_int_t)view.sections,
			 "memmap_bytes", (json_int_t)(view.sections * HUGE_PAGE_BYTES),
			 "memmap_remote_sections", (json_int_t)view.remote,
			 "adopter", of->adopted && of->adopter != NODE_NONE ?
				(json_int_t)of->adopter : -1);
}

static json_t *plan_json(const struct inspection *inspection)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < inspection->topology.node_count; i++) {
		if (inspection->plan_state == PLAN_MADE)
			json_array_append_new(list, node_plan_json(inspection, i));
	}
	return list;
}

static json_t *policies_json(const struct inspection *inspection)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < POLICY_COUNT && inspection->plan_state == PLAN_MADE; i++) {
		const char *unplanned = policy_unplanned(inspection, i);
		struct policy_outline outline = { 0 };

		if (!unplanned)
			outline = policy_outline(inspection, i);
		json_array_append_new(list, json_pack("{s:s,s:I,s:I,s:I,s:I,s:I,s:o,s:s?}",
			"policy", policy_name(i), "cpus_at_work", (json_int_t)outline.cpus,
			"most_workers", (json_int_t)outline.most,
			"jobs", (json_int_t)outline.jobs,
			"chunk_pages", (json_int_t)outline.chunk_pages,
			"cpu_pages", (json_int_t)outline.cpu_pages,
			"least_ns", integer_or_null(clamped(outline.least_ps / 1000)),
			"unplanned", unplanned));
	}
	return list;
}

static json_t *not_ram_json(const struct inspection *inspection)
{
	json_t *list = json_array();
	uint32_t count;
	struct not_ram *ranges = not_ram_list(inspection, &count);

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{s:s,s:I,s:I,s:I}",
			"kind", ranges[i].kind, "start", clamped(ranges[i].start),
			"end", clamped(ranges[i].end), "pxm",
			ranges[i].pxm == PXM_NONE ? -1 : (json_int_t)ranges[i].pxm));
	free(ranges);
	return list;
}

static json_t *domains_json(const uint32_t *pxms, uint32_t count)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, json_integer(pxms[i]));
	return list;
}

static json_t *linux_json(const struct inspection *inspection)
{
	struct as_linux entries[AS_LINUX_MAX];
	uint32_t count = as_linux_list(inspection, entries);
	json_t *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{s:s,s:s}", "table", entries[i].table,
						      "effect", entries[i].effect));
	return list;
}

static json_t *given_json(const struct given *given)
{
	return json_pack("{s:I,s:o,s:o,s:o}", "address_bits", (json_int_t)given->address_bits,
			 "threads_per_core", integer_or_null(given->threads_per_core),
			 "core_mbps", integer_or_null(given->core_mbps),
			 "page_ps", integer_or_null((json_int_t)given->page_ps));
}

static json_t *inspection_json(const struct inspection *inspection,
			       const struct table_folder *folder)
{
	static const char *const ram_sources[] = { "none", "e820", "srat" };
	static const char *const cpu_sources[] = { "none", "madt", "srat" };
	const struct topology *topology = &inspection->topology;
	const struct srat_facts *srat = &inspection->machine.srat;
	bool known = inspection->cpu_source != CPUS_UNKNOWN;

	return json_pack("{s:o,s:s,s:o,s:s,s:I,s:I,s:o,s:b,s:I,s:I,"
			 "s:o,s:b,s:o,s:b,s:o,s:I,s:o,s:o,s:o,"
			 "s:o,s:o,s:o,s:o,s:o,s:o}",
			 "tables", tables_json(folder),
			 "ram_source", ram_sources[inspection->ram_source],
			 "memory", memory_json(&inspection->machine.map),
			 "cpu_source", cpu_sources[inspection->cpu_source],
			 "boot_apic_id_assumed", (json_int_t)topology->cpus[0].apic_id,
			 "cpus_enabled", (json_int_t)(known ? topology->cpu_count : 0),
			 "cpus", cpus_json(inspection),
			 "numa", topology->numa,
			 "pages", (json_int_t)topology->ram_pages,
			 "orphan_pages", (json_int_t)topology->orphan_pages,
			 "nodes", nodes_json(inspection),
			 "distances_from_slit", topology->distance_from_slit,
			 "distances", distances_json(topology),
			 "bandwidths_from_hmat", topology->bandwidth_from_hmat,
			 "bandwidths", bandwidths_json(topology),
			 "anomalies_dropped", (json_int_t)inspection->machine.log.dropped,
			 "anomalies", anomalies_json(&inspection->machine.log, folder),
			 "memmap", memmap_json(inspection),
			 "plan", plan_json(inspection),
			 "policies", policies_json(inspection),
			 "not_ram", not_ram_json(inspection),
			 "generic_initiators", domains_json(srat->initiators,
							    srat->initiator_count),
			 "generic_ports", domains_json(srat->ports, srat->port_count),
			 "linux", linux_json(inspection),
			 "given", given_json(&inspection->given));
}

bool print_json(const struct inspection *inspection, const struct table_folder *folder)
{
	json_t *root = inspection_json(inspection, folder);
	bool printed = root && json_dumpf(root, stdout, JSON_INDENT(2)) == 0 &&
		       putchar('\n') != EOF;

	json_decref(root);
	return printed;
}
