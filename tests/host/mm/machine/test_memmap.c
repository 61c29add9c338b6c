/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/page_units.h"
#include "mm/machine/memmap.h"
#include "tests/host/hand_topology.h"
#include "tests/host/node_of_frame.h"
#include "tests/host/random.h"

static struct topology topology;
static struct early_alloc early;
static struct memmap memmap;
static uint64_t missing;
static uint64_t seed = 0xda942042e4dd58b5;

static bool plan_as(enum place place, enum vmemmap largest)
{
	free(memmap.sections);
	memmap = (struct memmap){ .count = memmap_count_sections(&topology),
				  .remote_sections = 99, .place = place, .largest = largest,
				  .mapped_pages = { 99, 99, 99 } };
	memmap.sections = malloc(memmap.count * sizeof(memmap.sections[0]));
	assert_non_null(memmap.sections);
	missing = 99;
	return memmap_plan(&memmap, &topology, &early, &missing);
}

static bool plan(void)
{
	return plan_as(PLACE_LOCAL, VMEMMAP_2M);
}

static void fresh_alloc(void)
{
	early_alloc_init(&early, topology.ram, topology.ram_count);
}

static uint64_t reserved_pages(void)
{
	return range_list_overlap(&early.reserved, 0, UINT64_MAX);
}

static void check_section(uint64_t i, uint64_t section, uint32_t node, uint32_t backing_node,
			  uint64_t backing_pfn)
{
	assert_int_equal(memmap.sections[i].section, section);
	assert_int_equal(memmap.sections[i].node, node);
	assert_int_equal(memmap.sections[i].backing_node, backing_node);
	assert_int_equal(memmap.sections[i].backing_pfn, backing_pfn);
}

/*	sections  |   0   |   1   |   2   |   3   |   4   |   5   |
 *	RAM        [a) [b  )                [ c         ) [d)
 *	node        0   1                     0            1            */
static void sections_of_ranges_with_borders_inside(void **state)
{
	(void)state;
	hand_nodes(&topology, 2);
	hand_ram(&topology, 1000, 10000, 0);
	hand_ram(&topology, 20000, 40000, 1);
	hand_ram(&topology, 3 * SECTION_PAGES + 5, 5 * SECTION_PAGES, 0);
	hand_ram(&topology, 5 * SECTION_PAGES, 5 * SECTION_PAGES + 1, 1);
	fresh_alloc();
	assert_int_equal(memmap_count_sections(&topology), 5);
	assert_true(plan());
	check_section(0, 0, 0, 0, 5 * SECTION_PAGES - 512);
	check_section(1, 1, 1, 1, 39424);
	check_section(2, 3, 0, 0, 5 * SECTION_PAGES - 1024);
	check_section(3, 4, 0, 0, 5 * SECTION_PAGES - 1536);
	check_section(4, 5, 1, 1, 38912);
	assert_int_equal(memmap.remote_sections, 0);
	assert_int_equal(missing, 0);
	assert_int_equal(memmap_find_section(&memmap, 0), 0);
	assert_int_equal(memmap_find_section(&memmap, 2 * SECTION_PAGES - 1), 1);
	assert_int_equal(memmap_find_section(&memmap, 2 * SECTION_PAGES), 5);
	assert_int_equal(memmap_find_section(&memmap, 5 * SECTION_PAGES), 4);
	assert_int_equal(memmap_find_section(&memmap, 6 * SECTION_PAGES), 5);
	assert_int_equal(memmap_find_section(&memmap, UINT64_MAX), 5);
}

/* B1, 4097 MiB: the last section holds 1 MiB, too little for its own memmap; its node has room. */
static void memory_no_multiple_of_a_section(void **state)
{
	(void)state;
	hand_nodes(&topology, 1);
	hand_ram(&topology, 256, 32 * SECTION_PAGES + 256, 0);
	fresh_alloc();
	assert_true(plan());
	assert_int_equal(memmap.count, 33);
	assert_int_equal(memmap_find_section(&memmap, 32 * SECTION_PAGES + 255), 32);
	check_section(0, 0, 0, 0, 32 * SECTION_PAGES - 512);
}

/* Node 0 has room for one section; then comes node 2, which is nearer than node 1. */
static void the_nearest_that_has_room(void **state)
{
	(void)state;
	hand_nodes(&topology, 4);
	topology.distance[0][1] = 21;
	topology.distance[0][2] = 16;
	topology.distance[0][3] = 11; /* but it has no RAM */
	hand_ram(&topology, 0, 3 * SECTION_PAGES, 0);
	hand_ram(&topology, 3 * SECTION_PAGES, 4 * SECTION_PAGES, 1);
	hand_ram(&topology, 4 * SECTION_PAGES, 4 * SECTION_PAGES + 700, 2);
	fresh_alloc();
	/* frames 256 to 511 of node 0 are free, and 512 more, not aligned */
	assert_true(early_alloc_reserve(&early, 0, 1));
	assert_true(range_list_add(&early.reserved, 512, 1024));
	assert_true(range_list_add(&early.reserved, 1536, 3 * SECTION_PAGES));
	assert_true(plan());
	check_section(0, 0, 0, 0, 1024);
	check_section(1, 1, 0, 2, 4 * SECTION_PAGES);
	check_section(2, 2, 0, 1, 4 * SECTION_PAGES - 512);
	check_section(3, 3, 1, 1, 4 * SECTION_PAGES - 1024);
	check_section(4, 4, 2, 1, 4 * SECTION_PAGES - 1536);
	assert_int_equal(memmap.remote_sections, 3);
}

static void out_of_memory_says_how_much(void **state)
{
	(void)state;
	hand_nodes(&topology, 2);
	hand_ram(&topology, 0, 10 * SECTION_PAGES, 0);
	hand_ram(&topology, 10 * SECTION_PAGES, 10 * SECTION_PAGES + 512, 1);
	fresh_alloc();
	assert_true(range_list_add(&early.reserved, 2048, 10 * SECTION_PAGES));
	assert_false(plan()); /* 3 blocks above 1 MiB in node 0, one in node 1; 11 sections */
	assert_int_equal(missing, 7 * 512);
}

static void no_ram_at_all(void **state)
{
	(void)state;
	hand_nodes(&topology, 1);
	fresh_alloc();
	assert_true(plan());
	assert_int_equal(memmap.count, 0);
	assert_int_equal(memmap_find_section(&memmap, 0), 0);
}

/* 64 TiB in 64 nodes, node numbers descending: 524,288 sections, each backed by its own node. */
static void sixty_four_tib(void **state)
{
	const uint64_t tib_pages = 1ull << 28;

	(void)state;
	hand_nodes(&topology, 64);
	for (uint64_t i = 0; i < 64; i++)
		hand_ram(&topology, i * tib_pages, (i + 1) * tib_pages, 63 - (uint32_t)i);
	fresh_alloc();
	assert_true(early_alloc_reserve(&early, 0, 1 << 20));
	assert_true(plan());
	assert_int_equal(memmap.count, 524288);
	assert_int_equal(memmap.remote_sections, 0);
	check_section(0, 0, 63, 63, tib_pages - 512);
	check_section(524287, 524287, 0, 0, 64 * tib_pages - 8192 * 512);
}

/* -- placement -------------------------------------------------------------------------------- */

static void check_mapped(uint64_t pages_4k, uint64_t pages_2m, uint64_t pages_1g)
{
	assert_int_equal(memmap.mapped_pages[VMEMMAP_4K], pages_4k);
	assert_int_equal(memmap.mapped_pages[VMEMMAP_2M], pages_2m);
	assert_int_equal(memmap.mapped_pages[VMEMMAP_1G], pages_1g);
}

/* Three nodes of two sections each, node 3 without RAM. */
static void four_nodes(void)
{
	hand_nodes(&topology, 4);
	for (uint32_t node = 0; node < 3; node++)
		hand_ram(&topology, 2 * node * SECTION_PAGES, 2 * (node + 1) * SECTION_PAGES, node);
	fresh_alloc();
}

static void check_backing_nodes(const uint32_t *nodes)
{
	for (uint64_t i = 0; i < memmap.count; i++)
		assert_int_equal(memmap.sections[i].backing_node, nodes[i]);
}

static void remote_is_the_farthest_with_ram(void **state)
{
	(void)state;
	four_nodes();
	topology.distance[0][2] = 40;
	topology.distance[0][3] = 99;
	topology.distance[2][1] = 11;
	assert_true(plan_as(PLACE_REMOTE, VMEMMAP_2M));
	/* node 1: both others are 20 away, and 2 is the next by number */
	check_backing_nodes((uint32_t[]){ 2, 2, 2, 2, 0, 0 });
	assert_int_equal(memmap.remote_sections, 6);
	check_mapped(0, 6, 0);
}

static void remote_goes_nearer_when_full(void **state)
{
	(void)state;
	four_nodes();
	topology.distance[0][2] = 40;
	assert_true(range_list_add(&early.reserved, 4 * SECTION_PAGES + 512, 6 * SECTION_PAGES));
	assert_true(plan_as(PLACE_REMOTE, VMEMMAP_2M));
	check_backing_nodes((uint32_t[]){ 2, 1, 0, 0, 0, 0 });
}

static void a_single_node_is_its_own_remote(void **state)
{
	(void)state;
	hand_nodes(&topology, 1);
	hand_ram(&topology, 0, 2 * SECTION_PAGES, 0);
	fresh_alloc();
	assert_true(plan_as(PLACE_REMOTE, VMEMMAP_2M));
	check_backing_nodes((uint32_t[]){ 0, 0 });
	assert_int_equal(memmap.remote_sections, 0);
}

static void interleave_takes_turns(void **state)
{
	(void)state;
	four_nodes();
	assert_true(plan_as(PLACE_INTERLEAVE, VMEMMAP_4K));
	check_backing_nodes((uint32_t[]){ 0, 1, 2, 0, 1, 2 });
	assert_int_equal(memmap.remote_sections, 4);
	check_mapped(6 * 512, 0, 0);
	fresh_alloc();
	assert_true(range_list_add(&early.reserved, 2 * SECTION_PAGES, 4 * SECTION_PAGES - 512));
	assert_true(plan_as(PLACE_INTERLEAVE, VMEMMAP_2M));
	check_backing_nodes((uint32_t[]){ 0, 1, 2, 0, 2, 0 });
}

#define GIB_PAGES 0x40000ull

/*	addresses   0        64 GiB       128 GiB     192 GiB
 *	RAM         [ 0   ] [ 0 ] hole [0] [ 0  ][  1  ]
 *	pages       1 GiB    1 GiB          2 MiB, two nodes        */
static void gib_pages_where_64_gib_are_of_one_node(void **state)
{
	const uint64_t block = 64 * GIB_PAGES;

	(void)state;
	hand_nodes(&topology, 2);
	hand_ram(&topology, 0, block, 0);
	hand_ram(&topology, block, block + 3 * GIB_PAGES, 0);
	hand_ram(&topology, 2 * block - GIB_PAGES, 2 * block + 5 * GIB_PAGES, 0);
	hand_ram(&topology, 2 * block + 5 * GIB_PAGES, 3 * block, 1);
	fresh_alloc();
	assert_true(plan_as(PLACE_LOCAL, VMEMMAP_1G));
	check_mapped(0, 512, 2);
	assert_int_equal(memmap.remote_sections, 0);
	check_section(0, 0, 0, 0, 2 * block + 4 * GIB_PAGES);
	check_section(511, 511, 0, 0, 2 * block + 5 * GIB_PAGES - 512);
	/* behind the hole the place in the GiB goes by the address */
	check_section(512 + 3 * 8, 1024 - 8, 0, 0, 2 * block + 4 * GIB_PAGES - 8 * 512);
	assert_int_equal(memmap.sections[512 + 32].mapping, VMEMMAP_2M);
	assert_int_equal(memmap.sections[512 + 31].mapping, VMEMMAP_1G);
	assert_int_equal(reserved_pages(), 2 * GIB_PAGES + 512 * 512);
}

static void a_node_without_a_free_gib(void **state)
{
	(void)state;
	hand_nodes(&topology, 2);
	hand_ram(&topology, GIB_PAGES / 2, GIB_PAGES * 2 - 1, 0);
	hand_ram(&topology, 64 * GIB_PAGES, 66 * GIB_PAGES, 1);
	fresh_alloc();
	assert_true(plan_as(PLACE_LOCAL, VMEMMAP_1G));
	check_mapped(0, 12, 1);
	assert_int_equal(memmap.remote_sections, 0);
	fresh_alloc();
	assert_true(plan_as(PLACE_REMOTE, VMEMMAP_1G));
	check_mapped(0, 16, 1);
	assert_int_equal(memmap.sections[0].mapping, VMEMMAP_1G);
	assert_int_equal(memmap.sections[0].backing_node, 1);
	fresh_alloc();
	assert_true(plan_as(PLACE_INTERLEAVE, VMEMMAP_1G)); /* both times the turn of node 0 */
	check_mapped(0, 28, 0);
}

enum { UNIVERSE = 24 };

static void random_machine(uint8_t *first_node)
{
	uint64_t at = random_next(&seed) % 40000;

	memset(first_node, 0xff, UNIVERSE);
	hand_nodes(&topology, 4);
	while (at < UNIVERSE * SECTION_PAGES) {
		uint64_t reach = random_next(&seed) % 2 ? 3000 : 90000;
		uint64_t end = at + 1 + random_next(&seed) % reach;
		uint32_t node = random_next(&seed) % 4;

		if (end > UNIVERSE * SECTION_PAGES)
			end = UNIVERSE * SECTION_PAGES;
		for (uint64_t s = at / SECTION_PAGES; s * SECTION_PAGES < end; s++)
			if (first_node[s] == 0xff)
				first_node[s] = (uint8_t)node;
		hand_ram(&topology, at, end, node);
		at = end + (random_next(&seed) % 2 ? random_next(&seed) % 70000 : 0);
	}
	fresh_alloc();
}

static void check_random_plan(const uint8_t *first_node)
{
	uint64_t i = 0;

	for (uint64_t s = 0; s < UNIVERSE; s++) {
		const struct memmap_section *section = &memmap.sections[i];

		if (first_node[s] == 0xff)
			continue;
		assert_int_equal(section->section, s);
		assert_int_equal(section->node, first_node[s]);
		assert_int_equal(section->backing_pfn % 512, 0);
		assert_true(section->backing_pfn >= 256);
		assert_int_equal(node_of_frame(&topology, section->backing_pfn),
				 section->backing_node);
		assert_int_equal(node_of_frame(&topology, section->backing_pfn + 511),
				 section->backing_node);
		for (uint64_t j = 0; j < i; j++)
			assert_int_not_equal(memmap.sections[j].backing_pfn, section->backing_pfn);
		if (section->backing_node != section->node)
			assert_int_equal(EARLY_ALLOC_NONE,
					 early_alloc_pages(&early, 512, 512, section->node,
							   UINT64_MAX));
		i++;
	}
	assert_int_equal(i, memmap.count);
	assert_int_equal(reserved_pages(), 512 * i);
}

static void random_machines(void **state)
{
	uint8_t first_node[UNIVERSE];

	(void)state;
	for (int round = 0; round < 500; round++) {
		random_machine(first_node);
		if (topology.ram_pages > 60000 && plan())
			check_random_plan(first_node);
	}
}

static int free_sections(void **state)
{
	(void)state;
	free(memmap.sections);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_of_ranges_with_borders_inside),
		cmocka_unit_test(memory_no_multiple_of_a_section),
		cmocka_unit_test(the_nearest_that_has_room),
		cmocka_unit_test(out_of_memory_says_how_much),
		cmocka_unit_test(no_ram_at_all),
		cmocka_unit_test(sixty_four_tib),
		cmocka_unit_test(remote_is_the_farthest_with_ram),
		cmocka_unit_test(remote_goes_nearer_when_full),
		cmocka_unit_test(a_single_node_is_its_own_remote),
		cmocka_unit_test(interleave_takes_turns),
		cmocka_unit_test(gib_pages_where_64_gib_are_of_one_node),
		cmocka_unit_test(a_node_without_a_free_gib),
		cmocka_unit_test(random_machines),
	};

	return cmocka_run_group_tests(tests, NULL, free_sections);
}
