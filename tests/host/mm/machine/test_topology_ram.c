/* SPDX-License-Identifier: GPL-2.0-only */
/* RAM and the nodes it belongs to. */
#include "tests/host/node_of_frame.h"
#include "tests/host/random.h"
#include "tests/host/topology_facts.h"

static uint64_t seed;

/* One range of the map over all nodes, which descend and interleave; two ranges of a node touch. */
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
	assert_int_equal(node_of_frame(&topology, 1ull << 31), NODE_NONE);
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
	assert_int_equal(node_of_frame(&topology, 5), NODE_NONE);
	assert_int_equal(notes.count, 0);
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
			expected = is_orphan(m, (int64_t)f) ? orphan_node(m, (int64_t)f) :
				   m->claim[f];
		assert_int_equal(node_of_frame(&topology, f), expected);
		orphans += is_orphan(m, (int64_t)f);
		if (expected != NODE_NONE)
			pages[expected]++;
	}
	for (uint32_t i = 0; i < topology.node_count; i++)
		assert_int_equal(topology.nodes[i].pages, pages[i]);
	assert_int_equal(topology.orphan_pages, orphans);
	for (uint32_t i = 1; i < topology.ram_count; i++) {
		assert_true(topology.ram[i - 1].end_pfn <= topology.ram[i].start_pfn);
		assert_false(topology.ram[i - 1].end_pfn == topology.ram[i].start_pfn &&
			     topology.ram[i - 1].node == topology.ram[i].node);
	}
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
		TEST(borders_only_in_the_srat),
		TEST(earlier_ranges_keep_an_overlap),
		TEST(srat_borders_inside_frames),
		TEST(orphans_go_to_the_nearest),
		TEST(orphans_below_all),
		TEST(srat_that_names_no_ram_that_exists),
		TEST(no_ram_in_the_map),
		TEST(agrees_with_a_model_of_every_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
