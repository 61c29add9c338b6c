/* SPDX-License-Identifier: GPL-2.0-only */
/* All policies on machines at random: descending nodes, nodes of several regions, borders and holes
 * inside blocks of 4 MiB, sections with a few frames, CPUs that stayed away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/odd_machine.h"

enum { MACHINES = 6, SECTIONS_MAX = 14 };

static uint64_t random_below(uint64_t limit)
{
	return (uint64_t)rand() % limit;
}

static bool chance(uint64_t one_in)
{
	return random_below(one_in) == 0;
}

/* Mostly a size that something ends at. */
static uint64_t random_size(void)
{
	static const uint64_t units[] = { 1, 7, PAGEBLOCK_PAGES, BLOCK_PAGES, SECTION_PAGES };
	uint64_t size = (1 + random_below(5)) * units[random_below(5)];

	return chance(3) ? size + random_below(3000) : size;
}

/* Neighbours of one node are one range: a frame stays between them. */
static uint64_t behind(const struct topology *t, uint64_t at, uint32_t node)
{
	const struct ram_range *last = t->ram_count ? &t->ram[t->ram_count - 1] : NULL;

	return last && last->end_pfn == at && last->node == node ? at + 1 : at;
}

static void add_ram(struct world *w, uint32_t nodes, bool descending)
{
	const uint64_t end = SECTIONS_MAX * SECTION_PAGES;
	uint64_t at = chance(2) ? 1 : random_size() % 5000;

	while (w->topology.ram_count < 200) {
		uint32_t node = descending ? nodes - 1 - (uint32_t)(at * nodes / end) :
					     (uint32_t)random_below(nodes);
		uint64_t size = random_size();

		at = behind(&w->topology, at, node);
		if (at >= end)
			break;
		size = size < end - at ? size : end - at;
		fake_ram(&w->topology, at, at + size, node);
		at += size;
		if (chance(3))
			at += random_size();
		if (at >= end)
			break;
	}
}

static void add_reservations(struct world *w)
{
	for (uint64_t i = random_below(40); i > 0; i--) {
		uint64_t start = random_below(SECTIONS_MAX * SECTION_PAGES);

		range_list_add(&w->reserved, start, start + random_size() % 4000 + 1);
	}
}

static struct world *world_at_random(void)
{
	struct world *w = world_new();
	uint32_t nodes = 1 + (uint32_t)random_below(4);

	add_ram(w, nodes, chance(3));
	add_cpus(w, (uint32_t)random_below(nodes), 1);
	for (uint32_t node = 0; node < nodes; node++)
		add_cpus(w, node, (uint32_t)random_below(5));
	for (uint32_t i = 1; i < w->topology.cpu_count; i++) {
		w->topology.cpus[i].core = i / 2;
		w->topology.cpus[i].online = !chance(6);
	}
	add_reservations(w);
	world_populate(w, SECTIONS_MAX + 6);
	choose_all(w);
	w->options.chunk_mib = chance(2) ? 4u << random_below(6) : 0;
	w->options.threads = chance(3) ? 1 + (uint32_t)random_below(4) : 0;
	w->options.split = chance(4) ? SPLIT_STATIC : SPLIT_DYNAMIC;
	if (!chance(6))
		skip_exercise(w);
	return w;
}

static void fail_run(const struct world *w, unsigned machine)
{
	const struct run_sample *run = &w->results.runs[w->results.run_count - 1];
	const struct allocator_sample *a = &run->allocator;

	fail_msg("machine %u, policy %s, repetition %u: timed out %d, tiled %d, mismatches %lu "
		 "from %lx (%s), free %lu, managed %lu of %lu, faults %lu from %lx, pageblocks %lu "
		 "of %lu, poison %lu, typed %lu, double %lu; growth %d",
		 machine, policy_name(run->policy), run->repetition, run->timed_out, run->tiled,
		 run->totals.mismatches, run->totals.first_bad_pfn,
		 run->totals.first_bad_field ? run->totals.first_bad_field : "-",
		 a->census.free_pages, a->census.managed_pages, a->expected_free_pages,
		 a->census.faults, a->census.first_bad_pfn, a->pageblocks, a->expected_pageblocks,
		 a->poison_reads, a->typed_twice, a->double_frees, w->results.growth.good);
}

/* LAB_RANDOM_SEED=n begins with the nth machine. */
static void test_random_machines(void **unused)
{
	const char *seed = getenv("LAB_RANDOM_SEED");
	unsigned first = seed ? (unsigned)atoi(seed) : 1;

	(void)unused;
	for (unsigned i = first; i < first + MACHINES; i++) {
		struct world *w;

		srand(i);
		w = world_at_random();
		assert_true(world_run(w));
		if (!w->results.verified)
			fail_run(w, i);
		for (uint32_t r = 0; r < w->results.run_count; r++)
			assert_run_good(w, &w->results.runs[r]);
		if (chance(2))
			w->options.page_size = 8;
		assert_true(world_sweep(w));
		if (!w->sweep.verified)
			fail_msg("sweep of machine %u", i);
		world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_machines),
	};

	return cmocka_run_group_tests_name("lab_random", tests, NULL, NULL);
}
