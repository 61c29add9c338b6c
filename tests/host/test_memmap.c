#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/page_units.h"
#include "mm/memmap.h"
#include "tests/host/hand_topology.h"
#include "tests/host/random.h"

static struct topology topology;
static struct early_alloc early;
static struct memmap memmap;
static uint64_t missing;
static uint64_t seed = 0xda942042e4dd58b5;

static bool plan(void)
{
	free(memmap.sections);
	memmap = (struct memmap){ .count = memmap_count_sections(&topology),
				  .remote_sections = 99 };
	memmap.sections = malloc(memmap.count * sizeof(memmap.sections[0]));
	assert_non_null(memmap.sections);
	missing = 99;
	return memmap_plan(&memmap, &topology, &early, &missing);
}

static void fresh_alloc(void)
{
	early_alloc_init(&early, topology.ram, topology.ram_count);
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
	assert_true(range_list_add(&early.reserved, 512, 3 * SECTION_PAGES));
	/* frames 256 to 511 of node 0 are free, and 512 more, not aligned */
	assert_true(early_alloc_reserve(&early, 0, 1));
	assert_true(range_list_remove(&early.reserved, 1024, 1536));
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
		assert_int_equal(topology_node_of(&topology, section->backing_pfn),
				 section->backing_node);
		assert_int_equal(topology_node_of(&topology, section->backing_pfn + 511),
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
	assert_int_equal(early.reserved.count ? range_list_total(&early.reserved) : 0, 512 * i);
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
		cmocka_unit_test(random_machines),
	};

	return cmocka_run_group_tests(tests, NULL, free_sections);
}
