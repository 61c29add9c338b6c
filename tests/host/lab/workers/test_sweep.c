/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/interleave.h"
#include "tests/host/odd_machine.h"

/* One node of `cpus`; RAM enough for `deferred` sections. */
static struct world *world_of(uint32_t cpus, uint64_t deferred)
{
	struct world *w = world_new();

	fake_ram(&w->topology, 1, 159, 0);
	fake_ram(&w->topology, 256, (deferred + 2) * SECTION_PAGES, 0);
	add_cpus(w, 0, cpus);
	world_populate(w, deferred + 2);
	return w;
}

static void assert_steps(const struct world *w, enum sweep_axis axis, const uint64_t *expected,
			 uint32_t count)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < w->sweep.step_count; i++) {
		const struct sweep_step *step = &w->sweep.steps[i];

		if (step->axis != axis)
			continue;
		assert_true(found < count);
		if (axis == SWEEP_CHUNK)
			assert_int_equal(step->chunk_pages, expected[found] << 8);
		else
			assert_int_equal(step->workers, expected[found]);
		assert_true(axis == SWEEP_CHUNK || !step->chunk_pages);
		found++;
	}
	assert_int_equal(found, count);
}

/* Of the first of its samples: workers that took part. */
static uint32_t took_part(const struct world *w, uint32_t step)
{
	for (uint32_t i = 0; i < w->sweep.sample_count; i++)
		if (w->sweep.samples[i].step == step)
			return w->sweep.samples[i].workers;
	fail();
	return 0;
}

/* Workers from one to all, whatever their number; chunks up to what the node has deferred. */
static void test_steps(void **unused)
{
	static const uint64_t workers[] = { 1, 2, 3, 4, 6, 8, 12, 13 };
	static const uint64_t mib[] = { 4, 8, 16, 32, 64, 128, 256 };
	struct world *w = world_of(13, 2);

	(void)unused;
	assert_true(world_sweep(w));
	assert_true(w->sweep.verified);
	assert_steps(w, SWEEP_WORKERS, workers, 8);
	assert_steps(w, SWEEP_CHUNK, mib, 7);
	for (uint32_t i = 8; i < w->sweep.step_count; i++)
		assert_int_equal(w->sweep.steps[i].workers, 13);
	/* two sections of 128 MiB, 64 blocks of 4 MiB, one chunk of 256 MiB */
	assert_int_equal(took_part(w, 7), 2);
	assert_int_equal(took_part(w, 8), 13);
	assert_int_equal(took_part(w, 14), 1);
	world_free(w);
	w = world_of(1, 1);
	assert_true(world_sweep(w));
	assert_steps(w, SWEEP_WORKERS, workers, 1);
	assert_steps(w, SWEEP_CHUNK, mib, 6);
	world_free(w);
	w = world_of(4, 1);
	w->options.split = SPLIT_STATIC;
	assert_true(world_sweep(w));
	assert_true(w->sweep.verified);
	assert_steps(w, SWEEP_WORKERS, workers, 4);
	assert_steps(w, SWEEP_CHUNK, mib, 0);
	world_free(w);
}

/* Of 4096 CPUs and a node of 64 TiB: no more steps than there is room for. Only counted. */
static void test_steps_of_the_largest_machine(void **unused)
{
	struct world *w = world_new();
	uint64_t bytes;

	(void)unused;
	fake_ram(&w->topology, 0, 1ull << 34, 0);
	add_cpus(w, 0, CPU_MAX);
	w->fake.memmap.count = (1ull << 34) / SECTION_PAGES;
	bytes = sweep_bytes(&w->input, 64);
	assert_in_range(bytes, 32 << 20, 160 << 20);
	free(w);
}

/* Each step once per repetition; its samples, one per node with a deferred part. */
static void test_steps_are_interleaved(void **unused)
{
	struct world *w = world_usual();
	const struct sweep_results *r = &w->sweep;

	(void)unused;
	w->options.repeat = 3;
	assert_true(world_sweep(w));
	assert_true(r->verified && r->last.good);
	assert_int_equal(r->steps[2].workers, 3);
	assert_int_equal(r->sample_count, 3 * r->step_count * 3);
	assert_int_equal(w->progress_count, 3 * r->step_count);
	for (uint32_t i = 0; i < r->sample_count; i++) {
		const struct step_sample *s = &r->samples[i];
		const struct lab_progress *p = &w->progress[i / 3];
		uint32_t cpus = s->node == 0 ? 2 : 3, asked = r->steps[s->step].workers;

		assert_int_equal(s->repetition, i / 3 / r->step_count);
		assert_int_equal(s->step, interleave(r->step_count, s->repetition,
						     i / 3 % r->step_count));
		assert_int_equal(s->node, i % 3);
		assert_true(s->cycles && s->pages > SECTION_PAGES / 2);
		assert_true(s->workers >= 1 && s->workers <= cpus && s->workers <= asked);
		assert_true(p->experiment == EXPERIMENT_SWEEP && p->policy == POLICY_ZONE);
		assert_true(p->workers == asked && p->index == i / 3);
		assert_int_equal(p->chunk_pages, r->steps[s->step].chunk_pages);
		assert_int_equal(p->count, 3 * r->step_count);
		assert_int_equal(p->repetition, s->repetition);
	}
	assert_int_equal(r->last.totals.pages[FRAME_FREE], r->expected.pages[FRAME_FREE]);
	world_free(w);
}

/* Who worked with two workers: one CPU of each core. */
static _Atomic uint32_t seen[8];
static uint32_t steps_seen;

static void run_and_look(void *context, const uint32_t *cpus, uint32_t count,
			 void (*function)(void *argument, uint32_t index), void *argument)
{
	struct world *w = context;

	/* poison, workers, oracle: of the second step */
	if (w->progress_count == 2 && steps_seen++ == 1)
		for (uint32_t i = 0; i < count; i++)
			seen[cpus[i]]++;
	machine_run(context, cpus, count, function, argument);
}

static void test_cores_before_siblings(void **unused)
{
	struct world *w = world_of(4, 4);

	(void)unused;
	w->topology.cpus[1].core = 0;
	w->topology.cpus[2].core = 1;
	w->topology.cpus[3].core = 1;
	w->machine.run = run_and_look;
	assert_true(world_sweep(w));
	assert_true(w->sweep.verified);
	assert_int_equal(w->sweep.steps[1].workers, 2);
	assert_true(seen[0] == 1 && seen[2] == 1 && !seen[1] && !seen[3]);
	world_free(w);
}

static void damage_page(struct world *w)
{
	w->fake.memmap.base[3 * SECTION_PAGES].refcount = 7;
}

/* The first run makes four calls, for the exercise; the others three. */
static void test_a_bad_step_ends_the_sweep(void **unused)
{
	struct world *w = world_of(3, 2);

	(void)unused;
	w->break_it = damage_page;
	w->broken_call = 4 + 3 + 3;
	assert_true(world_sweep(w));
	assert_false(w->sweep.verified);
	assert_false(w->sweep.last.good);
	assert_int_equal(w->sweep.last_step, interleave(w->sweep.step_count, 0, 2));
	assert_int_equal(w->sweep.sample_count, 3);
	assert_int_equal(w->sweep.last.totals.first_bad_pfn, 3 * SECTION_PAGES);
	world_free(w);
}

static void test_faults_on_purpose(void **unused)
{
	struct world *w = world_of(2, 2);

	(void)unused;
	w->options.inject = INJECT_CHUNK;
	assert_true(world_sweep(w));
	assert_false(w->sweep.verified || w->sweep.last.tiled);
	w->options.inject = INJECT_PAGE;
	assert_true(world_sweep(w));
	assert_false(w->sweep.verified);
	assert_int_equal(w->sweep.last.totals.mismatches, 1);
	assert_int_equal(w->sweep.last_step, 0);
	world_free(w);
}

static void test_small_descriptors(void **unused)
{
	struct world *w = world_of(3, 2);

	(void)unused;
	w->options.page_size = 16;
	assert_true(world_sweep(w));
	assert_true(w->sweep.verified);
	assert_int_equal(w->sweep.page_size, 16);
	world_free(w);
}

static void test_nothing_deferred(void **unused)
{
	struct world *w = world_new();

	(void)unused;
	fake_ram(&w->topology, 1, 20000, 0);
	add_cpus(w, 0, 3);
	world_populate(w, 1);
	assert_true(world_sweep(w));
	assert_true(w->sweep.verified);
	assert_int_equal(w->sweep.step_count, 3);
	assert_int_equal(w->sweep.sample_count, 0);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_steps_of_the_largest_machine),
		cmocka_unit_test(test_steps_are_interleaved),
		cmocka_unit_test(test_cores_before_siblings),
		cmocka_unit_test(test_a_bad_step_ends_the_sweep),
		cmocka_unit_test(test_faults_on_purpose),
		cmocka_unit_test(test_small_descriptors),
		cmocka_unit_test(test_nothing_deferred),
	};

	return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
