/* SPDX-License-Identifier: GPL-2.0-only */
/* The search for the knee on machines of known speed, and what it may cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/workers/calibration.h"
#include "lib/page_units.h"
#include "tests/host/made_up_clock.h"
#include "tests/host/odd_machine.h"

enum { HZ = 1000000000 };

static struct calibration result;

/* Two nodes of `cpus` each and 2 x 16 GiB; node 2 has no CPUs. */
static struct world *new_world(uint32_t cpus)
{
	struct world *w = world_new();
	struct topology *t = &w->topology;

	fake_ram(t, 256, 128 * SECTION_PAGES + 1000, 0);
	fake_ram(t, 128 * SECTION_PAGES + 1000, 256 * SECTION_PAGES, 1);
	fake_ram(t, 257 * SECTION_PAGES + 5, 261 * SECTION_PAGES - 5, 2);
	add_cpus(w, 0, cpus);
	add_cpus(w, 1, cpus);
	t->node_count = 3;
	t->nodes[2].adopted = true;
	t->nodes[2].adopter = 1;
	for (uint32_t node = 0; node < 3; node++)
		t->nodes[node].pages = 1;
	range_list_add(&w->reserved, 20 * SECTION_PAGES - 1, 20 * SECTION_PAGES + 1);
	world_populate(w, 262);
	use_made_up_clock(w);
	return w;
}

static bool run(struct world *w, uint64_t hz)
{
	struct calibrate_input input = { &w->input, hz, true };

	world_memory(w, calibrate_bytes(&w->input, 0));
	memset(&result, 0xa5, sizeof(result));
	return calibrate_run(&input, w->memory, w->bytes, &result);
}

static uint64_t above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Nothing was begun that was not predicted to fit; what was exceeded is what steps took longer than
 * predicted. */
static void check_time(void)
{
	uint64_t longer = 0;

	assert_in_range(result.step_count, 1, WORKER_POINTS_MAX);
	for (uint32_t i = 0; i < result.step_count; i++) {
		const struct calibrate_step *step = &result.steps[i];

		assert_true(step->predicted_cycles <= step->left_cycles);
		longer += above(step->cycles, step->predicted_cycles);
	}
	assert_true(result.search_cycles <= result.limit_cycles + longer);
	assert_true(result.limit_cycles == result.estimate_cycles / 20);
}

/* ---- shapes --------------------------------------------------------------------------------- */

static uint32_t up_to_3(uint32_t node, uint32_t workers)
{
	(void)node;
	return workers < 3 ? workers * 1000 : 3000;
}

static uint32_t wall_at_1(uint32_t node, uint32_t workers)
{
	(void)node;
	(void)workers;
	return 1000;
}

/* More than 3 are in each other's way. */
static uint32_t falling_after_3(uint32_t node, uint32_t workers)
{
	(void)node;
	return workers <= 3 ? workers * 1000 : 3000 - (workers - 3) * 350;
}

/* 4 do it; whatever the number, up to 2 % more or less. */
static uint32_t noisy_up_to_4(uint32_t node, uint32_t workers)
{
	return (workers < 4 ? workers : 4) * (980 + (workers * 7919 + node * 104729) % 41);
}

static uint32_t not_alike(uint32_t node, uint32_t workers)
{
	return node ? wall_at_1(node, workers) : linear(node, workers);
}

static void check_shape(uint32_t (*speed)(uint32_t, uint32_t), uint32_t knee0, uint32_t knee1)
{
	static const uint32_t steps[] = { 1, 2, 3, 4, 6, 8 };
	struct world *w = new_world(8);
	uint32_t knees[] = { knee0, knee1 };

	made_up.speed = speed;
	assert_true(run(w, HZ));
	for (uint32_t node = 0; node < 2; node++) {
		const struct worker_curve *curve = &result.curves[node];

		assert_null(result.nodes[node].reason);
		assert_true(curve->complete);
		assert_int_equal(curve->count, 6);
		assert_int_equal(result.nodes[node].probes, 6);
		for (uint32_t i = 0; i < 6; i++) {
			assert_int_equal(curve->points[i].workers, steps[i]);
			assert_in_range(curve->points[i].cycles * speed(node, steps[i]) / 80000,
					(1 << 20) - 100, 1 << 20);
		}
		assert_int_equal(worker_curve_knee(curve), knees[node]);
	}
	assert_int_equal(result.curves[2].count, 0);
	check_time();
	assert_int_equal(made_up.steps, 6);
	assert_int_equal(result.touch_cycles, 0);
	assert_int_equal(w->buddy.typed_twice, 0); /* in the last step */
	assert_int_equal(w->buddy.double_frees, 0);
	world_free(w);
}

static void knees_of_known_machines(void **unused)
{
	(void)unused;
	check_shape(linear, 8, 8);
	check_shape(up_to_3, 3, 3);
	check_shape(wall_at_1, 1, 1);
	check_shape(falling_after_3, 3, 3);
	check_shape(noisy_up_to_4, 4, 4);
	check_shape(not_alike, 8, 1);
}

/* ---- time ----------------------------------------------------------------------------------- */

/* Where the further workers help as predicted or better, the limit is kept. */
static void the_limit_is_kept(void **unused)
{
	struct world *w = new_world(8);

	(void)unused;
	for (uint64_t wake = 1; wake < 20000000; wake *= 16) {
		use_made_up_clock(w);
		made_up.wake_cycles = wake;
		assert_true(run(w, HZ));
		for (uint32_t i = 0; i < result.step_count; i++)
			assert_true(result.steps[i].cycles <= result.steps[i].predicted_cycles);
		/* beside the meeting, which is not predicted */
		assert_true(result.search_cycles <= result.limit_cycles + 4 * wake);
	}
	/* waking takes longer than all the time: nothing is begun, and the rule has another one */
	assert_int_equal(result.step_count, 0);
	assert_int_equal(result.search_cycles, 0);
	assert_string_equal(result.nodes[1].reason, "5 % of its time is too little for a search");
	assert_int_equal(result.curves[0].count, 0);
	world_free(w);
}

/* Every step takes 500 times as long as its frames in the figure: so does the initialisation. */
static void steps_say_how_long_it_takes(void **unused)
{
	struct world *w = new_world(8);

	(void)unused;
	made_up.step_factor = 500;
	assert_true(run(w, HZ));
	check_time();
	assert_true(result.curves[0].complete);
	assert_true(result.estimate_cycles > 400ull * 80 * 95 * SECTION_PAGES / 8);
	world_free(w);
}

static void make_slow(struct world *w)
{
	(void)w;
	made_up.now += 1000000000;
}

/* The boot CPU was kept away for a second: the search ends after its first step, more workers may
 * or may not have helped. */
static void the_search_ends_midway(void **unused)
{
	struct world *w = new_world(3);
	struct worker_facts facts = { .topology = &w->topology, .curves = result.curves };

	(void)unused;
	w->broken_call = 3 + 1 + 1; /* after three figures and the meeting */
	w->break_it = make_slow;
	assert_true(run(w, HZ));
	check_time();
	assert_int_equal(result.step_count, 1);
	assert_in_range(result.steps[0].cycles, 1000000000, UINT32_MAX);
	for (uint32_t node = 0; node < 2; node++) {
		struct worker_count count = worker_rules_count(&facts, RULE_CALIBRATED, node);

		assert_int_equal(result.curves[node].count, 1);
		assert_false(result.curves[node].complete);
		assert_int_equal(count.used, RULE_CORES);
		assert_non_null(count.reason);
	}
	world_free(w);
}

/* A CPU is lost: no figure is made up from the step. */
static void a_worker_is_lost(void **unused)
{
	(void)unused;
	for (uint32_t call = 3 + 1; call <= 3 + 3; call++) {
		struct world *w = new_world(2);

		w->machine.timeout_cycles = 100000000;
		w->lost_call = call;
		assert_true(run(w, HZ));
		assert_int_equal(result.curves[0].count, call - 4 ? call - 5 : 0);
		assert_false(result.curves[0].complete);
		if (result.step_count)
			assert_int_equal(result.steps[result.step_count - 1].cycles, 0);
		world_free(w);
	}
}

/* ---- frames --------------------------------------------------------------------------------- */

/* A small node beside a large one: its frames are used over again. It is the last, so that a step
 * beyond its end would be seen. */
static void a_small_node_begins_again(void **unused)
{
	struct world *w = world_new();

	(void)unused;
	fake_ram(&w->topology, 256, 150 * SECTION_PAGES, 0);
	fake_ram(&w->topology, 150 * SECTION_PAGES, 153 * SECTION_PAGES, 1);
	add_cpus(w, 0, 2);
	add_cpus(w, 1, 2);
	w->topology.nodes[0].pages = w->topology.nodes[1].pages = 1;
	for (uint64_t pfn = 151 * SECTION_PAGES; pfn < 152 * SECTION_PAGES; pfn += 20 * BLOCK_PAGES)
		range_list_add(&w->reserved, pfn, pfn + 1);
	world_populate(w, 153);
	use_made_up_clock(w);
	assert_true(run(w, HZ));
	assert_int_equal(result.curves[0].count, 2);
	assert_int_equal(result.curves[1].count, 2);
	assert_true(result.curves[1].complete);
	world_free(w);
}

/* Samples take longer the first time: the frames of the search are touched before it, all of them
 * and no more than 5 % and a few blocks; not where the memmap was written before. */
static void first_touches(void **unused)
{
	struct world *w = new_world(2);
	struct page *base = w->fake.memmap.base;
	uint64_t start = 33 * SECTION_PAGES, touched = 0;

	(void)unused;
	memset(base + start, 0xff, 16 * SECTION_PAGES * sizeof(*base));
	made_up.first_touch_cycles = 3000000;
	made_up.touches = true;
	w->machine.timeout_cycles = 1000;
	w->lost_call = 3 + 2; /* the meeting: there are no steps */
	assert_true(run(w, HZ));
	assert_true(result.nodes[0].touch_first && result.nodes[1].touch_first);
	assert_true(result.touch_cycles > 0);
	for (uint64_t pfn = start; pfn < start + 16 * SECTION_PAGES; pfn += 64)
		touched += (uint8_t)base[pfn].flags == 0;
	/* of 95 sections above 4 GiB */
	assert_in_range(touched * 64, 95 * SECTION_PAGES / 20, 5 * SECTION_PAGES);
	use_made_up_clock(w);
	made_up.first_touch_cycles = 3000000;
	w->input.memmap_written = true;
	w->lost_call = 0;
	w->machine.timeout_cycles = 1ull << 40;
	assert_true(run(w, HZ));
	assert_int_equal(result.touch_cycles, 0);
	assert_true(result.curves[0].complete);
	world_free(w);
}

static void held_to_what_was_touched(void **unused)
{
	struct world *w = new_world(4);

	(void)unused;
	made_up.first_touch_cycles = 3000000;
	made_up.touches = true;
	assert_true(run(w, HZ));
	assert_true(result.touch_cycles > 0);
	for (uint32_t node = 0; node < 2; node++) {
		assert_true(result.curves[node].complete);
		assert_int_equal(worker_curve_knee(&result.curves[node]), 4);
	}
	check_time();
	world_free(w);
}

/* All that the search wrote is done afresh by the runs, which then pass their checks, with the
 * numbers of workers that were given. */
static void runs_after_it_are_good(void **unused)
{
	static uint32_t counts[NODE_MAX] = { 1, 2, 1 };
	struct world *w = world_usual();

	(void)unused;
	use_made_up_clock(w);
	made_up.wake_cycles = 0;
	assert_true(run(w, HZ));
	w->machine.now = machine_now;
	w->machine.run = machine_run;
	skip_exercise(w);
	w->options.policy_chosen[POLICY_CALIBRATED] = true;
	w->options.policy_chosen[POLICY_CORES] = true;
	w->input.worker_counts[POLICY_CALIBRATED] = counts;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	for (uint32_t i = 0; i < w->results.node_count; i++) {
		const struct init_node_sample *s = &w->results.nodes[i];

		if (s->policy == POLICY_CALIBRATED)
			assert_int_equal(s->workers, counts[s->node]);
	}
	world_free(w);
}

static void other_descriptors(void **unused)
{
	struct world *w = new_world(2);

	(void)unused;
	w->options.page_size = 16;
	assert_true(run(w, HZ));
	assert_true(result.curves[0].complete);
	world_free(w);
}

/* ---- the figure's time ---------------------------------------------------------------------- */

/* From 60 ns a page to 9 us: the figure takes less than 50 ms, whatever the machine; beyond, one
 * block is all that is tried. */
static void the_figure_on_slow_machines(void **unused)
{
	struct world *w = new_world(2);
	bool slow = false, given_up = false;

	(void)unused;
	for (uint64_t cycles = 60; cycles < 40000; cycles = cycles * 4 / 3) {
		const struct calibrated_node *n = &result.nodes[1];

		use_made_up_clock(w);
		made_up.page_cycles = cycles;
		assert_true(run(w, HZ));
		if (!n->sample.count) {
			given_up = true;
			assert_string_equal(n->reason,
					    "the CPU is so slow that one sample takes too long");
			assert_int_equal(result.core_mbps[1], 0);
			assert_true(n->core_cycles <= 200 + 1024 * cycles);
			assert_true(1024 * cycles > HZ / 1000 * 9);
			continue;
		}
		assert_false(given_up);
		assert_true(n->core_cycles < HZ / 1000 * 50);
		slow |= n->sample_pages == CALIBRATE_SLOW_PAGES;
		assert_true(slow == (n->sample_pages == CALIBRATE_SLOW_PAGES));
		assert_int_equal(n->sample.median, cycles * n->sample_pages);
		assert_int_equal(result.core_mbps[1], 64000 / cycles);
	}
	assert_true(slow && given_up);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knees_of_known_machines),
		cmocka_unit_test(the_limit_is_kept),
		cmocka_unit_test(steps_say_how_long_it_takes),
		cmocka_unit_test(the_search_ends_midway),
		cmocka_unit_test(a_worker_is_lost),
		cmocka_unit_test(a_small_node_begins_again),
		cmocka_unit_test(first_touches),
		cmocka_unit_test(held_to_what_was_touched),
		cmocka_unit_test(runs_after_it_are_good),
		cmocka_unit_test(other_descriptors),
		cmocka_unit_test(the_figure_on_slow_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
