#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/page_units.h"
#include "mm/topology.h"
#include "tests/host/random.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))
#define MIB (1ull << 20)

static struct topology topology;
static struct memory_map map;
static struct madt_facts madt;
static struct srat_facts srat;
static struct slit_facts slit;
static struct hmat_facts hmat;
static struct anomaly_log notes;
static struct topology_input input;
static uint64_t seed;

static int clear(void **state)
{
	(void)state;
	memset(&map, 0, sizeof(map));
	memset(&madt, 0, sizeof(madt));
	memset(&srat, 0, sizeof(srat));
	memset(&slit, 0, sizeof(slit));
	memset(&hmat, 0, sizeof(hmat));
	memset(&notes, 0, sizeof(notes));
	memset(&topology, 0xee, sizeof(topology));
	input = (struct topology_input){ .map = &map, .madt = &madt, .srat = &srat };
	return 0;
}

static void add_map(uint64_t start_pfn, uint64_t end_pfn, enum memory_type type)
{
	map.ranges[map.count++] = (struct memory_range){ start_pfn, end_pfn, type };
	if (type == MEMORY_USABLE)
		map.usable_pages += end_pfn - start_pfn;
}

static void add_usable(uint64_t start_pfn, uint64_t end_pfn)
{
	add_map(start_pfn, end_pfn, MEMORY_USABLE);
}

static void add_madt(uint32_t apic_id)
{
	madt.apic_ids[madt.cpu_count++] = apic_id;
}

static void add_srat_cpu(uint32_t apic_id, uint32_t pxm)
{
	srat.cpus[srat.cpu_count++] = (struct srat_cpu){ apic_id, pxm };
}

static void add_srat_bytes(uint64_t start, uint64_t end, uint32_t pxm)
{
	srat.memory[srat.memory_count++] = (struct srat_memory){ .start = start, .end = end, .pxm = pxm };
}

static void add_srat(uint64_t start_pfn, uint64_t end_pfn, uint32_t pxm)
{
	add_srat_bytes(start_pfn * PAGE_BYTES, end_pfn * PAGE_BYTES, pxm);
}

static void join(void)
{
	topology_join(&topology, &input, &notes);
}

static void check_ram(uint32_t i, uint64_t start_pfn, uint64_t end_pfn, uint32_t node)
{
	assert_true(i < topology.ram_count);
	assert_int_equal(topology.ram[i].start_pfn, start_pfn);
	assert_int_equal(topology.ram[i].end_pfn, end_pfn);
	assert_int_equal(topology.ram[i].node, node);
}

static void check_node(uint32_t i, uint32_t pxm, uint64_t pages, uint32_t cpus)
{
	assert_true(i < topology.node_count);
	assert_int_equal(topology.nodes[i].pxm, pxm);
	assert_int_equal(topology.nodes[i].pages, pages);
	assert_int_equal(topology.nodes[i].cpu_count, cpus);
}

static uint32_t count_notes(const char *reason)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < notes.count; i++)
		count += strstr(notes.entries[i].reason, reason) != NULL;
	return count;
}

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
	assert_int_equal(topology_node_of(&topology, 999), 2);
	assert_int_equal(topology_node_of(&topology, 1000), 1);
	assert_int_equal(topology_node_of(&topology, 3999), 1);
	assert_int_equal(topology_node_of(&topology, 4000), NODE_NONE);
	assert_false(topology.nodes[0].adopted);
	assert_true(topology.nodes[1].adopted && topology.nodes[2].adopted);
	assert_int_equal(topology.nodes[3].adopter, 0);
	assert_int_equal(notes.count, 0);
}

/* One range of the map over all nodes; nodes descending and interleaved; two touching ranges of a node. */
static void borders_only_in_the_srat(void **state)
{
	(void)state;
	add_usable(256, 100000);
	add_srat(60000, 100000, 0);
	add_srat(40000, 60000, 1);
	add_srat(30000, 40000, 1);
	add_srat(10000, 30000, 0);
	add_srat(0, 10000, 2);
	join();
	assert_int_equal(topology.ram_count, 4);
	check_ram(0, 256, 10000, 2);
	check_ram(1, 10000, 30000, 0);
	check_ram(2, 30000, 60000, 1);
	check_ram(3, 60000, 100000, 0);
	assert_int_equal(topology.ram_pages, 100000 - 256);
	assert_int_equal(topology.claim_count, 5);
}

static void earlier_ranges_keep_an_overlap(void **state)
{
	(void)state;
	add_usable(0, 1000);
	add_srat(200, 300, 0);
	add_srat(500, 600, 0);
	add_srat(100, 700, 1);
	add_srat(0, 1000, 2);
	join();
	check_ram(0, 0, 100, 2);
	check_ram(1, 100, 200, 1);
	check_ram(2, 200, 300, 0);
	check_ram(3, 300, 500, 1);
	check_ram(4, 500, 600, 0);
	check_ram(5, 600, 700, 1);
	check_ram(6, 700, 1000, 2);
	assert_int_equal(topology.ram_count, 7);
	assert_int_equal(count_notes("overlaps"), 2);
	assert_int_equal(notes.entries[notes.count - 2].offset, 2);
	assert_int_equal(notes.entries[notes.count - 1].offset, 3);
}

/* A frame belongs to the range with its first byte: 5.5 to 7.25 is frames 6 and 7. */
static void srat_borders_inside_frames(void **state)
{
	(void)state;
	add_usable(0, 20);
	add_srat_bytes(0, 22528, 0);
	add_srat_bytes(22528, 29696, 1);
	add_srat_bytes(29696, 30000, 2); /* no first byte of any frame */
	add_srat_bytes(30000, 20 * PAGE_BYTES, 3);
	join();
	assert_int_equal(topology.ram_count, 3);
	check_ram(0, 0, 6, 0);
	check_ram(1, 6, 8, 1);
	check_ram(2, 8, 20, 3);
	check_node(2, 2, 0, 0);
	assert_false(topology.nodes[2].adopted); /* nothing to adopt */
	assert_int_equal(topology.nodes[2].adopter, NODE_NONE);
	assert_int_equal(count_notes("overlaps"), 0);
}

/*	map   [0 40)   [60  80) [90  100) [110        200)   [300 310)
 *	SRAT  [  0   50)                        [150  200) of node 1; elsewhere nothing
 *	                                                                       */
static void orphans_go_to_the_nearest(void **state)
{
	(void)state;
	add_usable(0, 40);
	add_usable(60, 80);
	add_usable(90, 100);
	add_usable(110, 200);
	add_usable(300, 310);
	add_srat(0, 50, 0);
	add_srat(150, 200, 1);
	add_srat(320, 100000, 2); /* no RAM: nobody's neighbour */
	join();
	check_ram(0, 0, 40, 0);
	check_ram(1, 60, 80, 0);
	check_ram(2, 90, 100, 0); /* 50 pages away from either: the lower */
	check_ram(3, 110, 200, 1);
	check_ram(4, 300, 310, 1);
	assert_int_equal(topology.ram_count, 5);
	assert_int_equal(topology.orphan_pages, 20 + 10 + 40 + 10);
	assert_int_equal(topology.node_count, 3);
}

static void orphans_below_all(void **state)
{
	(void)state;
	add_usable(1, 160);
	add_usable(256, 1000);
	add_usable(1048576, 2000000);
	add_srat(1048576, 2000000, 3);
	add_srat(2000000, 3000000, 1);
	join();
	check_ram(0, 1, 160, 1);
	check_ram(1, 256, 1000, 1);
	check_ram(2, 1048576, 2000000, 1);
	check_node(0, 1, 0, 1);
	assert_int_equal(topology.orphan_pages, 159 + 744);
}

static void srat_that_names_no_ram_that_exists(void **state)
{
	(void)state;
	input.boot_apic_id = 4;
	add_usable(0, 1000);
	add_usable(2000, 3000);
	add_madt(4);
	add_srat_cpu(4, 1);
	add_srat(1ull << 30, 1ull << 32, 0); /* hot-pluggable, far beyond RAM */
	join();
	check_node(0, 0, 0, 0);
	check_node(1, 1, 2000, 1);
	assert_int_equal(topology.orphan_pages, 2000);
	assert_int_equal(topology_node_of(&topology, 1ull << 31), NODE_NONE);
	assert_int_equal(notes.count, 1);
	assert_int_equal(count_notes("no range holds any RAM"), 1);
}

static void no_ram_in_the_map(void **state)
{
	(void)state;
	add_map(0, 1000, MEMORY_RESERVED);
	add_srat(0, 1000, 0);
	add_srat_cpu(0, 0);
	add_madt(0);
	join();
	assert_int_equal(topology.ram_count, 0);
	assert_int_equal(topology_node_of(&topology, 5), NODE_NONE);
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

static void adopted_by_the_nearest_in_its_own_row(void **state)
{
	static const uint8_t distances[] = { 10, 20, 20, 11,
					     20, 10, 20, 30,
					     20, 20, 10, 30,
					     30, 30, 15, 10 };

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

/* ---- random machines against a model of every frame ---- */

enum { FRAMES = 400 };

struct model {
	bool usable[FRAMES];
	uint32_t claim[FRAMES]; /* node by SRAT, NODE_NONE: none */
	uint32_t node[FRAMES];
};

static void random_facts(void)
{
	uint64_t at = random_next(&seed) % 20;

	clear(NULL);
	while (at < FRAMES - 60) {
		uint64_t end = at + 1 + random_next(&seed) % 60;
		bool usable = random_next(&seed) % 4 != 0;

		if (map.count && map.ranges[map.count - 1].end_pfn == at &&
		    map.ranges[map.count - 1].type == (usable ? MEMORY_USABLE : MEMORY_RESERVED))
			map.ranges[map.count - 1].end_pfn = end;
		else
			add_map(at, end, usable ? MEMORY_USABLE : MEMORY_RESERVED);
		at = end + (random_next(&seed) % 2 ? random_next(&seed) % 30 : 0);
	}
	for (uint64_t i = random_next(&seed) % 8; i > 0; i--) {
		uint64_t start = random_next(&seed) % (FRAMES * 4096);
		uint64_t end = start + random_next(&seed) % (200 * 4096);

		if (random_next(&seed) % 2) {
			start &= ~4095ull;
			end &= ~4095ull;
		}
		add_srat_bytes(start, end < start ? start : end,
			       (uint32_t)(random_next(&seed) % 4 * 7));
	}
	add_srat_cpu(0, (uint32_t)(random_next(&seed) % 4 * 7));
	add_madt(0);
}

static uint32_t model_node(uint32_t pxm)
{
	for (uint32_t i = 0; i < topology.node_count; i++)
		if (topology.nodes[i].pxm == pxm)
			return i;
	return NODE_NONE;
}

static void model_claims(struct model *m)
{
	for (uint64_t f = 0; f < FRAMES; f++) {
		m->usable[f] = false;
		for (uint32_t i = 0; i < map.count; i++)
			m->usable[f] |= map.ranges[i].type == MEMORY_USABLE &&
					map.ranges[i].start_pfn <= f && f < map.ranges[i].end_pfn;
		m->claim[f] = NODE_NONE;
		for (uint32_t i = srat.memory_count; i-- > 0;)
			if (srat.memory[i].start <= f * 4096 && f * 4096 < srat.memory[i].end)
				m->claim[f] = model_node(srat.memory[i].pxm);
	}
}

static bool is_orphan(const struct model *m, int64_t f)
{
	return f >= 0 && f < FRAMES && m->usable[f] && m->claim[f] == NODE_NONE;
}

/* The node of orphan frame f: its whole run goes to the nearer side. */
static uint32_t orphan_node(const struct model *m, int64_t f)
{
	int64_t first = f, last = f, lower, upper;

	while (is_orphan(m, first - 1))
		first--;
	while (is_orphan(m, last + 1))
		last++;
	for (lower = first; lower >= 0 && (!m->usable[lower] || m->claim[lower] == NODE_NONE);)
		lower--;
	for (upper = last; upper < FRAMES && (!m->usable[upper] || m->claim[upper] == NODE_NONE);)
		upper++;
	if (lower < 0 && upper == FRAMES)
		return topology.cpus[0].node;
	if (upper == FRAMES || (lower >= 0 && first - lower <= upper - last))
		return m->claim[lower];
	return m->claim[upper];
}

static void check_model(const struct model *m)
{
	uint64_t pages[NODE_MAX] = { 0 }, orphans = 0;

	for (uint64_t f = 0; f < FRAMES; f++) {
		uint32_t expected = NODE_NONE;

		if (m->usable[f])
			expected = is_orphan(m, (int64_t)f) ? orphan_node(m, (int64_t)f) : m->claim[f];
		assert_int_equal(topology_node_of(&topology, f), expected);
		orphans += is_orphan(m, (int64_t)f);
		if (expected != NODE_NONE)
			pages[expected]++;
	}
	for (uint32_t i = 0; i < topology.node_count; i++)
		assert_int_equal(topology.nodes[i].pages, pages[i]);
	assert_int_equal(topology.orphan_pages, orphans);
	for (uint32_t i = 1; i < topology.ram_count; i++)
		assert_false(topology.ram[i - 1].end_pfn == topology.ram[i].start_pfn &&
			     topology.ram[i - 1].node == topology.ram[i].node);
}

static void agrees_with_a_model_of_every_frame(void **state)
{
	static struct model m;

	(void)state;
	seed = 0x2545f4914f6cdd1d;
	for (int round = 0; round < 600; round++) {
		random_facts();
		join();
		model_claims(&m);
		check_model(&m);
	}
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
		TEST(borders_only_in_the_srat),
		TEST(earlier_ranges_keep_an_overlap),
		TEST(srat_borders_inside_frames),
		TEST(orphans_go_to_the_nearest),
		TEST(orphans_below_all),
		TEST(srat_that_names_no_ram_that_exists),
		TEST(no_ram_in_the_map),
		TEST(more_domains_than_nodes),
		TEST(distances_of_a_slit_with_faults),
		TEST(no_slit),
		TEST(adopted_by_the_nearest_in_its_own_row),
		TEST(adopters_have_cpus),
		TEST(ties_go_by_latency_then_number),
		TEST(nearest_ram),
		TEST(largest_tables),
		TEST(agrees_with_a_model_of_every_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
