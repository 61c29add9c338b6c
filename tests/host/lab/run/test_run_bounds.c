/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the memory that an experiment asks for is enough for its plans, whatever the machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/run/memory.h"
#include "lab/run/timed_run.h"
#include "tests/host/odd_machine.h"

/* The memmap of these machines is never touched. */
static struct memmap_section sections[4096];

static uint64_t random_below(uint64_t limit)
{
	return (uint64_t)rand() % limit;
}

/* Up to 4 nodes whose RAM alternates, with holes, and reservations anywhere. */
static struct world *world_at_random(void)
{
	struct world *w = world_new();
	uint64_t at = random_below(300), next = 0;
	uint32_t nodes = 1 + (uint32_t)random_below(4), ranges = 1 + (uint32_t)random_below(12);

	for (uint32_t i = 0; i < ranges && at < 2000 * SECTION_PAGES; i++) {
		uint64_t size = 1 + random_below(random_below(4) ? 20 * SECTION_PAGES : 5000);

		fake_ram(&w->topology, at, at + size, (uint32_t)random_below(nodes));
		for (uint64_t s = at / SECTION_PAGES; s * SECTION_PAGES < at + size; s++)
			if (s >= next) {
				sections[w->fake.memmap.count++].section = s;
				next = s + 1;
			}
		at += size + (random_below(2) ? random_below(100 * SECTION_PAGES) : 0);
	}
	for (uint32_t node = 0; node < nodes; node++)
		add_cpus(w, node, (uint32_t)random_below(20) + !node);
	for (uint64_t i = random_below(200); i > 0; i--) {
		uint64_t start = random_below(at / SECTION_PAGES + 1) * SECTION_PAGES;

		range_list_add(&w->reserved, start, start + 1 + random_below(3000));
	}
	w->fake.memmap.sections = sections;
	return w;
}

static void check_rules(struct world *w, const struct init_rules *rules)
{
	struct lab_needs needs = { rules->chunk_pages, PASSES_MAX, false };
	struct arena arena = { 0 };
	struct lab_capacity c;
	struct init_plan *plan;
	struct lab *lab;

	lab_capacity(&w->input, 0, &needs, &c);
	lab_take_plan(&arena, &c);
	lab_take(&arena, &w->input, &c);
	arena = (struct arena){ aligned_alloc(64, arena.used), arena.used, 0 };
	plan = lab_take_plan(&arena, &c);
	lab = lab_take(&arena, &w->input, &c);
	assert_non_null(lab);
	assert_true(init_plan_build(plan, &w->topology, &w->fake.memmap, &w->reserved, rules));
	assert_true(lab_plan_fits(lab, plan, rules->policy));
	free(arena.memory);
}

static void test_plans_fit(void **unused)
{
	(void)unused;
	srand(3);
	for (int i = 0; i < 40; i++) {
		struct world *w = world_at_random();

		for (int policy = 0; policy < POLICY_COUNT; policy++) {
			struct init_rules rules = {
				.policy = (enum policy)policy,
				.threads = (uint32_t)random_below(8),
				.chunk_pages = random_below(3) ? BLOCK_PAGES << random_below(8) : 0,
				.split = random_below(4) ? SPLIT_DYNAMIC : SPLIT_STATIC,
			};

			check_rules(w, &rules);
		}
		free(w);
	}
}

/* From 4 GiB on each section is a job of its own, in chunks of 4 MiB: each has a claim to spare. */
static void test_a_job_in_each_section(void **unused)
{
	struct world *w = world_new();
	struct init_rules rules = { .policy = POLICY_PADATA, .chunk_pages = BLOCK_PAGES };

	(void)unused;
	fake_ram(&w->topology, 32 * SECTION_PAGES, 232 * SECTION_PAGES, 0);
	add_cpus(w, 0, 3);
	for (uint64_t i = 0; i < 200; i++) {
		uint64_t start = (32 + i) * SECTION_PAGES;

		range_list_add(&w->reserved, start - 1, start + 1);
		sections[i].section = 32 + i;
	}
	w->fake.memmap.sections = sections;
	w->fake.memmap.count = 200;
	check_rules(w, &rules);
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans_fit),
		cmocka_unit_test(test_a_job_in_each_section),
	};

	return cmocka_run_group_tests_name("lab_bounds", tests, NULL, NULL);
}
