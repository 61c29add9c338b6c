/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of a run by themselves: filling the memmap, and giving back what was allocated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/run/hoard.h"
#include "lab/run/timed_run.h"
#include "tests/host/odd_machine.h"

/* The call that fills the memmap for the first warm run, after a cold one with its exercise. */
enum { CALL_POISON = 5 };

static uint64_t filled;

static uint64_t count_filled(const struct world *w)
{
	const struct memmap *memmap = &w->fake.memmap;
	uint64_t count = 0;

	for (uint64_t i = 0; i < memmap->count; i++)
		count += memmap->base[memmap->sections[i].section * SECTION_PAGES].flags ==
			 UINT64_MAX;
	return count;
}

/* The first CPU is done before the others begin. */
static void first_alone(void *context, const uint32_t *cpus, uint32_t count,
			void (*function)(void *argument, uint32_t index), void *argument)
{
	struct world *w = context;

	if (w->run_calls + 1 != CALL_POISON) {
		machine_run(context, cpus, count, function, argument);
		return;
	}
	w->run_calls++;
	function(argument, 0);
	filled = count_filled(w);
	for (uint32_t i = 1; i < count; i++)
		function(argument, i);
	assert_int_equal(count_filled(w), w->fake.memmap.count);
}

/* However fast it is, a CPU fills its own share, the same before every run. */
static void test_each_cpu_fills_its_share(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->machine.run = first_alone;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_int_equal(filled, (w->fake.memmap.count + 4) / 5);
	world_free(w);
}

/* As from an allocator that hands out a page twice: a -> b -> a -> b -> ... */
static void test_giving_back_ends(void **unused)
{
	struct world *w = world_usual();
	struct lab lab = { .input = &w->input };
	struct hoard hoard = { BUDDY_NONE, 0, 0 };
	uint64_t a, b;

	(void)unused;
	choose(w, POLICY_NODE);
	assert_true(world_run(w));
	a = buddy_alloc_node(&w->buddy, 0, 0);
	b = buddy_alloc_node(&w->buddy, 0, 0);
	hoard_add(&lab, &hoard, a);
	hoard_add(&lab, &hoard, b);
	hoard_add(&lab, &hoard, a);
	hoard_give_back(&lab, &hoard);
	assert_int_equal(hoard.blocks, 0);
	assert_int_equal(w->buddy.double_frees, 1);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_cpu_fills_its_share),
		cmocka_unit_test(test_giving_back_ends),
	};

	return cmocka_run_group_tests_name("lab_parts", tests, NULL, NULL);
}
