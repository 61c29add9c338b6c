/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The facts from which topology_join starts, filled by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/page_units.h"
#include "mm/machine/topology.h"

static struct topology topology;
static struct memory_map map;
static struct madt_facts madt;
static struct srat_facts srat;
static struct slit_facts slit;
static struct hmat_facts hmat;
static struct anomaly_log notes;
static struct topology_input input;

static inline int clear(void **state)
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

static inline void add_map(uint64_t start_pfn, uint64_t end_pfn, enum memory_type type)
{
	map.ranges[map.count++] = (struct memory_range){ start_pfn, end_pfn, type };
	if (type == MEMORY_USABLE)
		map.usable_pages += end_pfn - start_pfn;
}

static inline void add_usable(uint64_t start_pfn, uint64_t end_pfn)
{
	add_map(start_pfn, end_pfn, MEMORY_USABLE);
}

static inline void add_madt(uint32_t apic_id)
{
	madt.apic_ids[madt.cpu_count++] = apic_id;
}

static inline void add_srat_cpu(uint32_t apic_id, uint32_t pxm)
{
	srat.cpus[srat.cpu_count++] = (struct srat_cpu){ apic_id, pxm };
}

static inline void add_srat_bytes(uint64_t start, uint64_t end, uint32_t pxm)
{
	srat.memory[srat.memory_count++] = (struct srat_memory){
		.start = start, .end = end, .pxm = pxm };
}

static inline void add_srat(uint64_t start_pfn, uint64_t end_pfn, uint32_t pxm)
{
	add_srat_bytes(start_pfn * PAGE_BYTES, end_pfn * PAGE_BYTES, pxm);
}

static inline void join(void)
{
	topology_join(&topology, &input, &notes);
}

static inline void check_ram(uint32_t i, uint64_t start_pfn, uint64_t end_pfn, uint32_t node)
{
	assert_true(i < topology.ram_count);
	assert_int_equal(topology.ram[i].start_pfn, start_pfn);
	assert_int_equal(topology.ram[i].end_pfn, end_pfn);
	assert_int_equal(topology.ram[i].node, node);
}

static inline void check_node(uint32_t i, uint32_t pxm, uint64_t pages, uint32_t cpus)
{
	assert_true(i < topology.node_count);
	assert_int_equal(topology.nodes[i].pxm, pxm);
	assert_int_equal(topology.nodes[i].pages, pages);
	assert_int_equal(topology.nodes[i].cpu_count, cpus);
}

static inline uint32_t count_notes(const char *reason)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < notes.count; i++)
		count += strstr(notes.entries[i].reason, reason) != NULL;
	return count;
}
