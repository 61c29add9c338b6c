/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mm/buddy/buddy_zones.h"
#include "tests/host/hand_topology.h"

static struct topology topology;
static struct buddy buddy;

static void check_zone(uint32_t node, enum zone type, uint64_t start_pfn, uint64_t end_pfn)
{
	assert_int_equal(buddy.zones[node][type].start_pfn, start_pfn);
	assert_int_equal(buddy.zones[node][type].end_pfn, end_pfn);
}

/*	16 MiB       4 GiB
 *	  |    hole    |
 *	[ node 0 ) [ 0     [1) hole [ 0 )     */
static void a_range_across_borders_and_a_hole(void **state)
{
	(void)state;
	hand_nodes(&topology, 2);
	hand_ram(&topology, 1, 0xc0000, 0);
	hand_ram(&topology, 0xff000, 0x180000, 0);
	hand_ram(&topology, 0x180000, 0x200000, 1);
	hand_ram(&topology, 0x300000, 0x300001, 0);
	memset(&buddy, 0xa5, sizeof(buddy));
	buddy_set_zones(&buddy, &topology);
	check_zone(0, ZONE_DMA, 1, 0x1000);
	check_zone(0, ZONE_DMA32, 0x1000, 0x100000);
	check_zone(0, ZONE_NORMAL, 0x100000, 0x300001);
	check_zone(1, ZONE_DMA, 0, 0);
	check_zone(1, ZONE_DMA32, 0, 0);
	check_zone(1, ZONE_NORMAL, 0x180000, 0x200000);
	check_zone(NODE_MAX - 1, ZONE_NORMAL, 0, 0);
}

static void no_ram_no_zone(void **state)
{
	(void)state;
	hand_nodes(&topology, 3);
	memset(&buddy, 0xa5, sizeof(buddy));
	buddy_set_zones(&buddy, &topology);
	for (uint32_t type = 0; type < ZONE_COUNT; type++)
		check_zone(1, (enum zone)type, 0, 0);
}

/* The DMA zone ends where the RAM below 16 MiB ends, the last frame below 4 GiB is in DMA32. */
static void borders_to_the_frame(void **state)
{
	(void)state;
	hand_nodes(&topology, 1);
	hand_ram(&topology, 5, 0xfff, 0);
	hand_ram(&topology, 0xfffff, 0x100001, 0);
	memset(&buddy, 0, sizeof(buddy));
	buddy_set_zones(&buddy, &topology);
	check_zone(0, ZONE_DMA, 5, 0xfff);
	check_zone(0, ZONE_DMA32, 0xfffff, 0x100000);
	check_zone(0, ZONE_NORMAL, 0x100000, 0x100001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_across_borders_and_a_hole),
		cmocka_unit_test(no_ram_no_zone),
		cmocka_unit_test(borders_to_the_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
