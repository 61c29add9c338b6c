/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/alloc/crew.h"
#include "lab/alloc/fill.h"
#include "lab/alloc/input.h"
#include "lab/alloc/pages_check.h"
#include "mm/buddy/buddy_census.h"
#include "tests/host/odd_machine.h"

/* ---- memory as after boot ---- */

static bool fill(struct world *w, struct run_sample *run)
{
	world_memory(w, fill_bytes(&w->input, 0));
	return fill_run(&w->input, w->memory, w->bytes, run);
}

static void test_fill(void **unused)
{
	struct world *w = world_usual();
	struct run_sample run;
	struct buddy_census census;

	(void)unused;
	w->options.page_size = 40; /* the experiments on the allocator need struct pages */
	assert_true(fill(w, &run));
	assert_true(run.good && run.policy == POLICY_ZONE && run.allocator.exercised);
	buddy_census(&w->buddy, &w->fake.memmap, &census);
	assert_int_equal(census.faults, 0);
	assert_int_equal(census.lazy_blocks, 0);
	assert_int_equal(census.free_pages, w->topology.ram_pages - 15 - 3993 - 2 - 5);
	assert_int_equal(census.managed_pages, census.free_pages);
	world_free(w);
}

static void test_fill_finds_a_fault(void **unused)
{
	struct world *w = world_usual();
	struct run_sample run;

	(void)unused;
	w->options.inject = INJECT_PAGE;
	assert_false(fill(w, &run));
	assert_int_equal(run.totals.mismatches, 1);
	world_free(w);
}

static void test_fill_needs_its_memory(void **unused)
{
	struct world *w = world_usual();
	struct run_sample run;

	(void)unused;
	world_memory(w, fill_bytes(&w->input, 0) - 64);
	assert_false(fill_run(&w->input, w->memory, w->bytes, &run));
	world_free(w);
}

/* ---- who takes part ---- */

static void assert_crew(const struct topology *t, enum crew_place place, uint32_t count,
			const uint32_t *expected, uint32_t expected_count)
{
	uint32_t cpus[16];

	memset(cpus, 0xff, sizeof(cpus));
	assert_int_equal(crew_choose(t, place, count, cpus), expected_count);
	assert_memory_equal(cpus, expected, expected_count * sizeof(*cpus));
	assert_int_equal(cpus[expected_count], UINT32_MAX);
}

/* CPUs 0 to 2 on node 0; on node 1: 3 4 5 6 7, where 4 and 6 are siblings of 3, 5 is offline. */
static struct world *world_of_siblings(void)
{
	struct world *w = world_usual();
	struct topology *t = &w->topology;

	t->cpu_count = 0;
	t->nodes[0].cpu_count = t->nodes[1].cpu_count = 0;
	add_cpus(w, 0, 3);
	add_cpus(w, 1, 5);
	t->cpus[4].core = t->cpus[6].core = t->cpus[3].core;
	t->cpus[5].online = false;
	return w;
}

static void test_crew_of_one_node(void **unused)
{
	static const uint32_t expected[] = { 3, 7, 4, 6 };
	static const uint32_t third[] = { 8, 9, 10, 11, 12 };
	struct world *w = world_of_siblings();

	(void)unused;
	for (uint32_t count = 0; count <= 4; count++)
		assert_crew(&w->topology, CREW_NODE, count, expected, count);
	assert_crew(&w->topology, CREW_NODE, 9, expected, 4);
	/* more CPUs, but no RAM of their own */
	add_cpus(w, 3, 5);
	assert_crew(&w->topology, CREW_NODE, 9, expected, 4);
	for (uint32_t node = 0; node < 3; node++)
		w->topology.nodes[node].pages = 0;
	assert_crew(&w->topology, CREW_NODE, 9, third, 5);
	world_free(w);
}

static void test_crew_across_nodes(void **unused)
{
	static const uint32_t expected[] = { 0, 3, 1, 7, 2, 4, 6 };
	struct world *w = world_of_siblings();

	(void)unused;
	for (uint32_t count = 0; count <= 7; count++)
		assert_crew(&w->topology, CREW_ACROSS, count, expected, count);
	assert_crew(&w->topology, CREW_ACROSS, 15, expected, 7);
	for (uint32_t cpu = 0; cpu < w->topology.cpu_count; cpu++)
		w->topology.cpus[cpu].online = false;
	assert_crew(&w->topology, CREW_ACROSS, 15, expected, 0);
	assert_crew(&w->topology, CREW_NODE, 15, expected, 0);
	world_free(w);
}

/* Its own node's memory; node 0, whose RAM is gone, has node 2 nearer than node 1. */
static void test_memory_of_a_cpu(void **unused)
{
	struct world *w = world_of_siblings();
	struct topology *t = &w->topology;

	(void)unused;
	for (uint32_t cpu = 0; cpu < t->cpu_count; cpu++)
		if (t->nodes[t->cpus[cpu].node].pages)
			assert_int_equal(crew_memory_node(t, cpu), t->cpus[cpu].node);
	t->nodes[0].pages = 0;
	t->nodes[1].pages = 1;
	t->nodes[2].pages = 1;
	t->distance[0][1] = 21;
	t->distance[0][2] = 20;
	for (uint32_t cpu = 0; cpu < t->cpu_count; cpu++)
		if (t->cpus[cpu].node == 0)
			assert_int_equal(crew_memory_node(t, cpu), 2);
	world_free(w);
}

/* Every CPU once, whatever the machine: one of 4096 of which each fourth shares a core. */
static void test_crew_of_many(void **unused)
{
	struct world *w = world_new();
	static uint32_t cpus[CPU_MAX];
	static bool seen[CPU_MAX];
	uint32_t count;

	(void)unused;
	for (uint32_t node = 0; node < NODE_MAX; node++)
		add_cpus(w, node, CPU_MAX / NODE_MAX);
	for (uint32_t cpu = 0; cpu < CPU_MAX; cpu += 4)
		w->topology.cpus[cpu].core = w->topology.cpus[cpu + 1].core;
	count = crew_choose(&w->topology, CREW_ACROSS, CPU_MAX, cpus);
	assert_int_equal(count, CPU_MAX);
	for (uint32_t i = 0; i < count; i++) {
		assert_false(seen[cpus[i]]);
		seen[cpus[i]] = true;
		assert_int_equal(w->topology.cpus[cpus[i]].node, i % NODE_MAX);
	}
	free(w);
}

static void test_crew_sizes(void **unused)
{
	static const uint32_t sizes[][7] = {
		{ 0, 0 },	{ 1, 1, 0 },	      { 2, 1, 2, 0 },	       { 3, 1, 2, 3, 0 },
		{ 4, 1, 2, 4, 0 }, { 6, 1, 2, 4, 6, 0 }, { 17, 1, 2, 4, 8, 16, 17 },
	};

	(void)unused;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t all = sizes[i][0], count = 0;

		for (int at = 1; at < 7 && (at == 1 || count); at++) {
			count = crew_next(count, all);
			assert_int_equal(count, sizes[i][at]);
		}
		assert_int_equal(crew_next(all, all), 0);
	}
}

/* ---- together ---- */

struct calls {
	struct crew_start *crew;
	_Atomic uint32_t count[8];
	uint64_t go[8];
};

static void note_call(void *argument, uint32_t index)
{
	struct calls *calls = argument;

	calls->count[index]++;
	calls->go[index] = calls->crew->go_tsc;
}

static struct crew_start *crew_new(void)
{
	struct crew_start *crew = aligned_alloc(64, sizeof(*crew));

	memset(crew, 0xa5, sizeof(*crew));
	return crew;
}

static void test_crew_starts_together(void **unused)
{
	struct world *w = world_of_siblings();
	struct calls calls = { .crew = crew_new() };
	uint32_t cpus[8];
	uint32_t count = crew_choose(&w->topology, CREW_ACROSS, 8, cpus);

	(void)unused;
	for (int round = 1; round <= 2; round++) {
		assert_true(crew_run(calls.crew, &w->machine, cpus, count, note_call, &calls));
		for (uint32_t i = 0; i < count; i++) {
			assert_int_equal(calls.count[i], round);
			assert_true(calls.go[i] && calls.go[i] == calls.crew->go_tsc);
		}
	}
	assert_int_equal(calls.crew->late, 0);
	free(calls.crew);
	world_free(w);
}

static void test_crew_does_not_wait_for_ever(void **unused)
{
	struct world *w = world_of_siblings();
	struct calls calls = { .crew = crew_new() };
	uint32_t cpus[8];

	(void)unused;
	crew_choose(&w->topology, CREW_ACROSS, 3, cpus);
	w->machine.timeout_cycles = 1000000;
	w->lost_call = 1;
	assert_false(crew_run(calls.crew, &w->machine, cpus, 3, note_call, &calls));
	assert_int_equal(calls.crew->late, 2);
	assert_int_equal(calls.count[0] + calls.count[1] + calls.count[2], 0);
	/* the only one */
	w->lost_call = 2;
	assert_false(crew_run(calls.crew, &w->machine, cpus, 1, note_call, &calls));
	free(calls.crew);
	world_free(w);
}

/* ---- nothing lost ---- */

struct checked {
	struct world *w;
	struct page_allocator allocator;
	struct alloc_input input;
	struct pages_state before;
	uint64_t *bitmap, words;
};

static void checked_open(struct checked *c)
{
	struct run_sample run;

	c->w = world_usual();
	assert_true(fill(c->w, &run));
	c->allocator = (struct page_allocator){ .buddy = &c->w->buddy };
	c->input = (struct alloc_input){ .machine = &c->w->machine,
					 .topology = &c->w->topology,
					 .memmap = &c->w->fake.memmap,
					 .options = &c->w->options,
					 .allocator = &c->allocator };
	pages_state_read(&c->input, &c->before);
	c->words = pages_bitmap_words(&c->w->topology);
	c->bitmap = malloc(c->words * sizeof(*c->bitmap));
}

static void checked_close(struct checked *c)
{
	free(c->bitmap);
	world_free(c->w);
}

static const char *fault_of(struct checked *c)
{
	return pages_state_fault(&c->input, &c->before);
}

static const char *full_fault_of(struct checked *c)
{
	return pages_take_all_fault(&c->input, &c->before, c->bitmap, c->words);
}

/* The order of the frees does not matter. */
static void test_all_back(void **unused)
{
	struct checked c;
	uint64_t pfns[64];

	(void)unused;
	checked_open(&c);
	assert_null(fault_of(&c));
	for (uint32_t i = 0; i < 64; i++)
		pfns[i] = buddy_alloc_node(&c.w->buddy, 1, i % 4);
	for (uint32_t i = 0; i < 64; i++)
		buddy_free(&c.w->buddy, pfns[i * 37 % 64], i * 37 % 64 % 4);
	assert_null(fault_of(&c));
	assert_null(full_fault_of(&c));
	assert_null(pages_take_all_fault(&c.input, &c.before, NULL, 0));
	checked_close(&c);
}

static void test_a_page_lost(void **unused)
{
	struct checked c;
	uint64_t pfn;

	(void)unused;
	checked_open(&c);
	pfn = buddy_alloc_node(&c.w->buddy, 1, 0);
	assert_string_equal(fault_of(&c), "pages were lost");
	assert_string_equal(full_fault_of(&c), "pages were lost");
	buddy_free(&c.w->buddy, pfn, 0);
	assert_null(fault_of(&c));
	buddy_free(&c.w->buddy, pfn, 0);
	assert_string_equal(fault_of(&c), "the zones were given a page that was free");
	checked_close(&c);
}

/* As many as before, but others. */
static void test_other_pages(void **unused)
{
	struct checked c;
	uint64_t first, second;

	(void)unused;
	checked_open(&c);
	first = buddy_alloc_node(&c.w->buddy, 1, 0);
	pages_state_read(&c.input, &c.before);
	second = buddy_alloc_node(&c.w->buddy, 1, 0);
	buddy_free(&c.w->buddy, first, 0);
	assert_string_equal(fault_of(&c), "the free blocks are not those that serial frees leave");
	buddy_free(&c.w->buddy, second, 0);
	assert_string_equal(fault_of(&c), "more pages are free than were before");
	checked_close(&c);
}

static void test_damage(void **unused)
{
	struct checked c;
	uint64_t pfn;

	(void)unused;
	checked_open(&c);
	c.w->buddy.zones[1][ZONE_DMA32].managed_pages++;
	assert_string_equal(fault_of(&c), "the count of managed pages changed");
	c.w->buddy.zones[1][ZONE_DMA32].managed_pages--;
	pfn = c.w->topology.ram[3].start_pfn + 7; /* the first block of the last node */
	c.w->fake.memmap.base[pfn & ~1023ull].private_data++;
	c.w->buddy.poison_reads++;
	assert_non_null(fault_of(&c));
	checked_close(&c);
}

/* A page inside a free block goes to the zone once more. */
static void test_a_frame_twice(void **unused)
{
	struct checked c;
	uint64_t pfn;

	(void)unused;
	checked_open(&c);
	pfn = buddy_alloc_node(&c.w->buddy, 1, ORDER_MAX);
	buddy_free(&c.w->buddy, pfn, ORDER_MAX);
	c.w->fake.memmap.base[pfn + 3].refcount = 1;
	buddy_free(&c.w->buddy, pfn + 3, 0);
	assert_string_equal(full_fault_of(&c), "the free lists are damaged");
	checked_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_fill_finds_a_fault),
		cmocka_unit_test(test_fill_needs_its_memory),
		cmocka_unit_test(test_crew_of_one_node),
		cmocka_unit_test(test_crew_across_nodes),
		cmocka_unit_test(test_memory_of_a_cpu),
		cmocka_unit_test(test_crew_of_many),
		cmocka_unit_test(test_crew_sizes),
		cmocka_unit_test(test_crew_starts_together),
		cmocka_unit_test(test_crew_does_not_wait_for_ever),
		cmocka_unit_test(test_all_back),
		cmocka_unit_test(test_a_page_lost),
		cmocka_unit_test(test_other_pages),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_a_frame_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
