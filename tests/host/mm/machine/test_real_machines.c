/* SPDX-License-Identifier: GPL-2.0-only */
/* From the bytes of real tables and maps to the topology and the plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/hand_plan.h"
#include "tests/host/node_of_frame.h"
#include "tests/host/real_data.h"
#include "tools/inspect/alloc.c"
#include "tools/inspect/e820_text.c"
#include "tools/inspect/e820_words.c"

#define S SECTION_PAGES

static struct boot_memory entries[BOOT_MEMORY_MAX];
static struct memory_map_scratch scratch;
static struct memory_map map;
static struct madt_facts madt;
static struct srat_facts srat;
static struct slit_facts slit;
static struct topology topology;
static struct anomaly_log notes;
static struct early_alloc early;
static struct hand_plan hand;
static uint8_t files[3][1 << 20];

static FILE *open_file(const char *machine, const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s/%s", real_data_folder(), machine, file);
	return fopen(path, "rb");
}

static struct acpi_table read_table(const char *machine, const char *file, uint8_t *into)
{
	FILE *in = open_file(machine, file);
	struct acpi_table table = { 0 };

	if (!in)
		return table;
	table.bytes = into;
	table.length = (uint32_t)fread(into, 1, sizeof(files[0]), in);
	fclose(in);
	return table;
}

static void read_map(const char *machine)
{
	FILE *in = open_file(machine, "e820.txt");
	char error[128];
	uint32_t count;

	assert_non_null(in);
	assert_true(e820_text_parse(in, entries, BOOT_MEMORY_MAX, &count, error, sizeof(error)));
	fclose(in);
	assert_true(memory_map_build(&map, entries, count, &scratch, &notes));
}

static void join(const char *machine, const char *srat_file, uint32_t boot_apic_id)
{
	struct acpi_table madt_table = read_table(machine, "apic.dat", files[0]);
	struct acpi_table srat_table = read_table(machine, srat_file, files[1]);
	struct acpi_table slit_table = read_table(machine, "slit.dat", files[2]);
	struct topology_input input = { .map = &map, .boot_apic_id = boot_apic_id };

	memset(&notes, 0, sizeof(notes));
	read_map(machine);
	if (madt_parse(&madt_table, &madt, &notes))
		input.madt = &madt;
	assert_true(srat_parse(&srat_table, &srat, &notes));
	input.srat = &srat;
	if (slit_parse(&slit_table, &slit, &notes))
		input.slit = &slit;
	topology_join(&topology, &input, &notes);
	for (uint32_t i = 0; i < topology.cpu_count; i++)
		topology.cpus[i].online = true;
}

static void build_plan(void)
{
	struct range_list reserved = { 0 };
	struct init_rules rules = { .policy = POLICY_PADATA };

	assert_true(hand_plan_build(&hand, &topology, &reserved, &rules));
}

static void eight_nodes_of_h8qg6(void **state)
{
	(void)state;
	if (real_data_missing())
		skip();
	join("server-supermicro-h8qg6-8node", "srat.dat", 0x20);
	assert_int_equal(notes.count, 0);
	assert_int_equal(topology.node_count, 8);
	assert_int_equal(topology.cpu_count, 64);
	assert_int_equal(topology.cpus[0].apic_id, 0x20);
	assert_int_equal(topology.orphan_pages, 0);
	assert_int_equal(topology.nodes[0].pages, 4193788 + 1); /* Linux drops page 0 */
	for (uint32_t node = 0; node < 8; node++) {
		if (node)
			assert_int_equal(topology.nodes[node].pages, 4194304);
		assert_int_equal(topology.nodes[node].cpu_count, 8);
		assert_int_equal(topology.distance[0][node],
				 ((const uint8_t[]){ 10, 16, 16, 22, 16, 22, 16, 22 })[node]);
	}
	assert_int_equal(topology.cpus[8].node, 1);
	assert_int_equal(node_of_frame(&topology, 0x428000), 1);
	assert_int_equal(node_of_frame(&topology, 0x427fff), 0);
}

/* One job a node: all that node 0 has below 4 GiB is a lower zone, hence early. */
static void plan_of_h8qg6(void **state)
{
	(void)state;
	if (real_data_missing())
		skip();
	join("server-supermicro-h8qg6-8node", "srat.dat", 0x20);
	build_plan();
	assert_int_equal(hand.plan.nodes[0].first_deferred_pfn, 0x100000 + S);
	assert_int_equal(hand.plan.nodes[0].job_count, 1);
	for (uint32_t node = 1; node < 8; node++) {
		const struct init_node *facts = &hand.plan.nodes[node];

		assert_int_equal(facts->first_deferred_pfn,
				 0x428000 + (node - 1) * 0x400000ull + S);
		assert_int_equal(facts->deferred_pages, 4194304 - S);
		assert_int_equal(facts->job_count, 1);
		assert_int_equal(facts->worker_count, 8);
	}
	assert_int_equal(hand.plan.visit_count, 64);
}

/* 12 TB: one entry of the map spans 15 nodes, whose borders only the SRAT knows. */
static void sixteen_sockets(void **state)
{
	struct memmap memmap = { 0 };
	uint64_t missing, sum = 0;

	(void)state;
	if (real_data_missing())
		skip();
	join("server-hp-16socket-12tb", "srat-reconstructed.dat", 0);
	assert_int_equal(topology.node_count, 16);
	for (uint32_t node = 1; node < 16; node++)
		assert_int_equal(topology.nodes[node].pages, 0xc000000 - (node == 1));
	assert_int_equal(node_of_frame(&topology, 0xc2000000 - 1), 15);
	assert_int_equal(node_of_frame(&topology, 0xe000000), NODE_NONE); /* ACPI NVS */

	early_alloc_init(&early, topology.ram, topology.ram_count);
	memmap.count = memmap_count_sections(&topology);
	memmap.sections = malloc(memmap.count * sizeof(memmap.sections[0]));
	assert_true(memmap_plan(&memmap, &topology, &early, &missing));
	assert_int_equal(memmap.count, 16 + (0xc080000ull - 0x100000 + 15 * 0xc000000ull) / S);
	assert_int_equal(memmap.remote_sections, 0);
	free(memmap.sections);

	build_plan();
	for (uint32_t node = 0; node < 16; node++)
		sum += hand.plan.nodes[node].early_pages + hand.plan.nodes[node].deferred_pages;
	assert_int_equal(sum, hand.memmap.count * S);
	assert_int_equal(hand.plan.nodes[15].deferred_pages, 0xc000000 - S);
	assert_int_equal(hand.plan.nodes[1].first_deferred_pfn, 0xe000000 + 2 * S);
}

/* The SRAT knows nothing below 4 GiB: that RAM is given to the one node there is. */
static void srat_only_above_4g(void **state)
{
	(void)state;
	if (real_data_missing())
		skip();
	join("old-x86-srat-only-above-4g", "srat-reconstructed.dat", 0);
	assert_int_equal(topology.node_count, 1);
	assert_true(topology.orphan_pages > 0);
	assert_int_equal(topology.nodes[0].pages, map.usable_pages);
}

static int release(void **state)
{
	(void)state;
	hand_plan_free(&hand);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_nodes_of_h8qg6),
		cmocka_unit_test(plan_of_h8qg6),
		cmocka_unit_test(sixteen_sockets),
		cmocka_unit_test(srat_only_above_4g),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
