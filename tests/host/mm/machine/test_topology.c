/* SPDX-License-Identifier: GPL-2.0-only */
/* Nodes, CPUs, distances and adoption. */
#include "tests/host/node_of_frame.h"
#include "tests/host/topology_facts.h"

static void nothing_but_ram(void **state)
{
	(void)state;
	input = (struct topology_input){ .map = &map, .boot_apic_id = 7 };
	add_usable(1, 160);
	add_map(160, 256, MEMORY_RESERVED);
	add_usable(256, 5000);
	join();
	assert_int_equal(topology.node_count, 1);
	check_node(0, 0, 159 + 4744, 1);
	assert_false(topology.numa || topology.distance_from_slit || topology.bandwidth_from_hmat);
	assert_int_equal(topology.cpus[0].apic_id, 7);
	assert_true(topology.cpus[0].boot && topology.cpus[0].online);
	assert_int_equal(topology.ram_count, 2);
	assert_int_equal(topology.orphan_pages, 0);
	assert_int_equal(topology.distance[0][0], 10);
	assert_int_equal(notes.count, 0);
}

/* An SRAT without a single enabled entry is none; SLIT and HMAT mean nothing then. */
static void empty_srat_is_no_srat(void **state)
{
	static const uint8_t distances[] = { 10, 30, 30, 10 };

	(void)state;
	slit = (struct slit_facts){ 2, distances };
	input.slit = &slit;
	add_usable(0, 1000);
	add_madt(0);
	add_madt(1);
	join();
	assert_int_equal(topology.node_count, 1);
	check_node(0, 0, 1000, 2);
	assert_false(topology.numa || topology.distance_from_slit);
}

static void boot_cpu_neither_first_nor_zero(void **state)
{
	(void)state;
	input.boot_apic_id = 0x20;
	add_usable(0, 1000);
	add_madt(0x30);
	add_madt(0x10);
	add_madt(0x20);
	add_madt(0x11);
	add_srat(0, 1000, 0);
	add_srat_cpu(0x11, 1);
	add_srat_cpu(0x20, 1);
	add_srat_cpu(0x40, 1); /* not in the MADT: disabled */
	add_srat_cpu(0x30, 0);
	add_srat_cpu(0x10, 0);
	add_srat_cpu(0x30, 1); /* again: the first counts */
	join();
	assert_int_equal(topology.cpu_count, 4);
	assert_int_equal(topology.cpus[0].apic_id, 0x20);
	assert_int_equal(topology.cpus[1].apic_id, 0x30);
	assert_int_equal(topology.cpus[2].apic_id, 0x10);
	assert_int_equal(topology.cpus[3].apic_id, 0x11);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(topology.cpus[i].node, i == 0 || i == 3);
		assert_int_equal(topology.cpus[i].boot, i == 0);
		assert_int_equal(topology.cpus[i].online, i == 0);
		assert_int_equal(topology.cpus[i].core, 0);
	}
	assert_int_equal(topology_cpu_by_apic(&topology, 0x11), 3);
	assert_int_equal(topology_cpu_by_apic(&topology, 0x40), CPU_MAX);
	assert_int_equal(notes.count, 1);
	assert_int_equal(notes.entries[0].offset, 5);
	assert_int_equal(notes.entries[0].value, 0x30);
}

static void boot_cpu_missing_in_a_full_madt(void **state)
{
	(void)state;
	input.boot_apic_id = 99999;
	add_usable(0, 1000);
	for (uint32_t i = 0; i < CPU_MAX; i++)
		add_madt(i);
	join();
	assert_int_equal(topology.cpu_count, CPU_MAX);
	assert_int_equal(topology.cpus[0].apic_id, 99999);
	assert_int_equal(topology.cpus[CPU_MAX - 1].apic_id, CPU_MAX - 2);
	assert_int_equal(notes.count, 2);
}

static void stray_cpus_go_to_the_boot_cpus_node(void **state)
{
	(void)state;
	input.boot_apic_id = 2;
	add_usable(0, 1000);
	add_srat(0, 1000, 5);
	add_srat_cpu(2, 9);
	for (uint32_t i = 0; i < 40; i++)
		add_madt(i);
	join();
	check_node(0, 5, 1000, 0);
	check_node(1, 9, 0, 40);
	assert_true(notes.count > 0 && notes.count < 20);
	assert_int_equal(topology.nodes[0].adopter, 1);

	srat.cpu_count = 0; /* the boot CPU itself is a stray */
	join();
	check_node(0, 5, 1000, 40);
	assert_int_equal(topology.node_count, 1);
}

/* Sparse domains 1, 4, 0x10000 and 0xffffffff in no order: nodes by ascending domain. */
static void sparse_proximity_domains(void **state)
{
	(void)state;
	add_usable(0, 4000);
	add_madt(0);
	add_srat(0, 1000, 0x10000);
	add_srat(1000, 2000, 4);
	add_srat(2000, 3000, UINT32_MAX);
	add_srat(3000, 4000, 4);
	add_srat_cpu(0, 1);
	join();
	assert_int_equal(topology.node_count, 4);
	check_node(0, 1, 0, 1);
	check_node(1, 4, 2000, 0);
	check_node(2, 0x10000, 1000, 0);
	check_node(3, UINT32_MAX, 1000, 0);
	assert_int_equal(topology.ram_count, 4);
	assert_int_equal(node_of_frame(&topology, 999), 2);
	assert_int_equal(node_of_frame(&topology, 1000), 1);
	assert_int_equal(node_of_frame(&topology, 3999), 1);
	assert_int_equal(node_of_frame(&topology, 4000), NODE_NONE);
	assert_false(topology.nodes[0].adopted);
	assert_true(topology.nodes[1].adopted && topology.nodes[2].adopted);
	assert_int_equal(topology.nodes[3].adopter, 0);
	assert_int_equal(notes.count, 0);
}

static void more_domains_than_nodes(void **state)
{
	(void)state;
	add_usable(0, 300 * 100);
	add_srat(0, 300 * 100, 1000); /* ignored, so it takes nothing from those behind it */
	for (uint32_t i = 0; i < 300; i++) {
		add_srat((299 - i) * 100, (300 - i) * 100, 299 - i);
		add_madt(i);
		add_srat_cpu(i, i);
	}
	join();
	assert_int_equal(topology.node_count, NODE_MAX);
	check_node(0, 0, 100, 1 + 44);
	check_node(254, 254, 100, 1);
	check_node(255, 255, 100 + 44 * 100, 1);
	assert_int_equal(topology.orphan_pages, 44 * 100);
	assert_int_equal(topology.ram_count, 256);
	assert_int_equal(notes.count, 1 + 8);
}

static void distances_of_a_slit_with_faults(void **state)
{
	/* indexed by domain; domain 1 is no node, domain 5 is beyond the matrix */
	static const uint8_t distances[] = { 12, 99, 9,   30,
					     99, 99, 99,  99,
					     0,  99, 10,  10,
					     31, 99, 255, 10 };

	(void)state;
	slit = (struct slit_facts){ 4, distances };
	input.slit = &slit;
	add_usable(0, 1000);
	add_srat(0, 1000, 0);
	add_srat_cpu(0, 2);
	add_srat_cpu(1, 3);
	add_srat_cpu(2, 5);
	join();
	assert_true(topology.distance_from_slit);
	const uint8_t expected[4][4] = {
		{ 10, 20, 30, 20 }, { 20, 10, 10, 20 }, { 31, 255, 10, 20 }, { 20, 20, 20, 10 } };
	for (uint32_t i = 0; i < 4; i++)
		assert_memory_equal(topology.distance[i], expected[i], 4);
}

static void no_slit(void **state)
{
	(void)state;
	add_usable(0, 1000);
	add_srat(0, 500, 0);
	add_srat(500, 1000, 1);
	join();
	assert_false(topology.distance_from_slit);
	assert_int_equal(topology.distance[0][1], 20);
	assert_int_equal(topology.distance[1][1], 10);
}

/* Nodes 0, 1, 2 with CPUs, 3 memory only. */
static void four_nodes(const uint8_t *distances)
{
	slit = (struct slit_facts){ 4, distances };
	input.slit = &slit;
	input.hmat = &hmat;
	add_usable(0, 4000);
	for (uint32_t i = 0; i < 4; i++)
		add_srat(i * 1000, i * 1000 + 1000, i);
	for (uint32_t i = 0; i < 3; i++) {
		add_madt(i);
		add_srat_cpu(i, i);
	}
}

static void adopted_by_the_nearest_seen_from_the_cpus(void **state)
{
	static const uint8_t distances[] = { 10, 20, 20, 30,
					     20, 10, 20, 30,
					     20, 20, 10, 15,
					     11, 30, 30, 10 };

	(void)state;
	four_nodes(distances);
	join();
	assert_true(topology.nodes[3].adopted);
	assert_int_equal(topology.nodes[3].adopter, 2);
	assert_false(topology.nodes[0].adopted);
	assert_int_equal(topology.nodes[0].adopter, NODE_NONE);
}

static void adopters_have_cpus(void **state)
{
	static const uint8_t distances[] = { 10, 11, 30,
					     11, 10, 30,
					     30, 30, 10 };

	(void)state;
	slit = (struct slit_facts){ 3, distances };
	input.slit = &slit;
	add_usable(0, 2000);
	add_srat(0, 1000, 0);
	add_srat(1000, 2000, 1);
	add_srat_cpu(0, 2);
	add_madt(0);
	join();
	assert_int_equal(topology.nodes[0].adopter, 2);
	assert_int_equal(topology.nodes[1].adopter, 2);
}

/* Column 3 of a read latency matrix of three initiators; 0 is no data. */
static void adopt_with_latencies(uint8_t a, uint8_t b, uint8_t c, uint32_t adopter)
{
	static const uint8_t distances[] = { 10, 20, 20, 30,
					     20, 10, 20, 30,
					     20, 20, 10, 30,
					     30, 30, 30, 10 };
	static const uint8_t initiators[] = { 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0 };
	static const uint8_t targets[] = { 3, 0, 0, 0 };
	uint8_t entries[] = { a, 0, b, 0, c, 0 };

	clear(NULL);
	four_nodes(distances);
	hmat.revision = 2;
	hmat.matrix_count = 1;
	hmat.matrices[0] = (struct hmat_matrix){ HMAT_READ_LATENCY, 1000, 3, 1,
						 initiators, targets, entries };
	join();
	assert_int_equal(topology.nodes[3].adopter, adopter);
	assert_int_equal(topology.bandwidth_from_hmat, a || b || c);
	assert_int_equal(topology.bandwidth[1][3].read_latency_ns, b);
	assert_int_equal(topology.bandwidth[3][1].read_latency_ns, 0);
}

static void ties_go_by_latency_then_number(void **state)
{
	(void)state;
	adopt_with_latencies(0, 0, 0, 0);
	adopt_with_latencies(90, 80, 70, 2);
	adopt_with_latencies(90, 80, 80, 1);
	adopt_with_latencies(0, 80, 0, 1);
	adopt_with_latencies(80, 80, 0, 0);
}

/* Node 1 has no RAM, node 2 has been tried; node 3 is nearer to 0 than 4 is. */
static void nearest_ram(void **state)
{
	static const uint8_t distances[] = { 10, 11, 12, 13, 14,
					     11, 10, 20, 20, 20,
					     12, 20, 10, 20, 20,
					     13, 20, 20, 10, 10,
					     14, 20, 20, 10, 10 };
	bool tried[5] = { false, false, true, false, false };

	(void)state;
	slit = (struct slit_facts){ 5, distances };
	input.slit = &slit;
	add_usable(0, 5000);
	for (uint32_t i = 0; i < 5; i++)
		if (i == 1)
			add_srat_cpu(0, 1);
		else
			add_srat(i * 1000, i * 1000 + 1000, i);
	map.ranges[0].end_pfn = 1000;
	add_usable(2000, 5000);
	join();
	assert_int_equal(topology_nearest_ram(&topology, 0, tried), 0);
	assert_int_equal(topology_nearest_ram(&topology, 4, tried), 4);
	tried[0] = true;
	assert_int_equal(topology_nearest_ram(&topology, 0, tried), 3);
	assert_int_equal(topology_nearest_ram(&topology, 1, tried), 3);
	tried[3] = true;
	assert_int_equal(topology_nearest_ram(&topology, 0, tried), 4);
	tried[4] = true;
	assert_int_equal(topology_nearest_ram(&topology, 0, tried), NODE_NONE);
}

/* The largest tables there can be, in the worst order. */
static void largest_tables(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 4096; i++)
		add_usable(i * 10, i * 10 + 9);
	for (uint32_t i = 0; i < SRAT_MEMORY_MAX; i++)
		add_srat(20000 - 19 * i, 20001 + 19 * i, i % 200);
	for (uint32_t i = 0; i < CPU_MAX; i++) {
		add_madt((i * 2654435761u) >> 4);
		add_srat_cpu(((CPU_MAX - 1 - i) * 2654435761u) >> 4, i % 200);
	}
	input.boot_apic_id = madt.apic_ids[CPU_MAX - 1];
	join();
	assert_int_equal(topology.cpu_count, CPU_MAX);
	assert_int_equal(topology.node_count, 200);
	assert_int_equal(topology.cpus[0].node, 0);
	for (uint32_t i = 1; i < CPU_MAX; i++) {
		assert_int_equal(topology.cpus[i].apic_id, madt.apic_ids[i - 1]);
		assert_int_equal(topology.cpus[i].node, (CPU_MAX - i) % 200);
	}
	assert_int_equal(topology.claim_count, 2 * SRAT_MEMORY_MAX - 1);
	assert_int_equal(topology.ram_pages, 4096 * 9);
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_but_ram),
		TEST(empty_srat_is_no_srat),
		TEST(boot_cpu_neither_first_nor_zero),
		TEST(boot_cpu_missing_in_a_full_madt),
		TEST(stray_cpus_go_to_the_boot_cpus_node),
		TEST(sparse_proximity_domains),
		TEST(more_domains_than_nodes),
		TEST(distances_of_a_slit_with_faults),
		TEST(no_slit),
		TEST(adopted_by_the_nearest_seen_from_the_cpus),
		TEST(adopters_have_cpus),
		TEST(ties_go_by_latency_then_number),
		TEST(nearest_ram),
		TEST(largest_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
