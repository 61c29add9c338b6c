/* SPDX-License-Identifier: GPL-2.0-only */
/* The comparison of all rules' numbers of workers, on a machine of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/workers/compare_rules.h"
#include "tests/host/odd_machine.h"

static struct compare_results results;
static uint32_t workers[RULE_COUNT][NODE_MAX];

/* The clock jumps when this run begins; UINT32_MAX: never. */
static uint32_t jump_at;
static _Atomic uint64_t ahead;

static uint64_t jumping_clock(void *context)
{
	(void)context;
	return tsc_ordered() + ahead;
}

static void jump(void *context, const struct lab_progress *progress)
{
	(void)context;
	assert_int_equal(progress->experiment, EXPERIMENT_SWEEP);
	assert_true(progress->index < progress->count);
	if (progress->index == jump_at)
		ahead += 1ull << 50;
}

static void set_workers(enum worker_rule rule, uint32_t node0, uint32_t node1, uint32_t node2)
{
	workers[rule][0] = node0;
	workers[rule][1] = node1;
	workers[rule][2] = node2;
}

/* 2 and 3 CPUs; node 2 has none, and node 1's serve it. */
static struct world *new_world(void)
{
	struct world *w = world_usual();

	for (uint32_t node = 0; node < 3; node++)
		w->topology.nodes[node].pages = 1;
	w->machine.now = jumping_clock;
	w->input.progress = jump;
	w->options.repeat = 3;
	jump_at = UINT32_MAX;
	ahead = 0;
	set_workers(RULE_QUARTER, 1, 1, 1);
	set_workers(RULE_ALL, 2, 3, 3);
	set_workers(RULE_CORES, 2, 2, 2);
	set_workers(RULE_HMAT, 1, 2, 1);
	set_workers(RULE_CALIBRATED, 2, 2, 2);
	set_workers(RULE_AUTO, 2, 2, 2);
	return w;
}

static bool run(struct world *w, uint64_t limit_cycles)
{
	struct compare_input input = { &w->input, (const uint32_t (*)[NODE_MAX])workers,
				       limit_cycles };

	world_memory(w, compare_bytes(&w->input, 0));
	memset(&results, 0xa5, sizeof(results));
	return compare_run(&input, w->memory, w->bytes, &results);
}

static uint32_t samples_of(uint32_t step)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < results.sample_count; i++)
		count += results.samples[i].step == step;
	return count;
}

/* Every node in every run, with as many workers as were asked for and have something to do. */
static void check_samples(const struct world *w, uint32_t repetitions)
{
	assert_int_equal(results.sample_count, results.step_count * repetitions * 3);
	for (uint32_t i = 0; i < results.sample_count; i++) {
		const struct step_sample *sample = &results.samples[i];
		uint32_t asked;

		assert_int_equal(sample->node, i % 3);
		assert_int_equal(sample->repetition, i / 3 / results.step_count);
		asked = results.steps[sample->step].workers[sample->node];
		assert_int_equal(sample->workers, asked < 2 ? asked : 2); /* windows for two */
		assert_true(sample->pages > 0 && sample->cycles > 0);
	}
	for (uint32_t step = 0; step < results.step_count; step++)
		assert_int_equal(samples_of(step), repetitions * 3);
	assert_int_equal(results.wanted, w->options.repeat);
	assert_int_equal(results.repetitions, repetitions);
}

/* quarter is the sweep's 1, all its 3, cores and calibrated its 2; hmat has one of its own, and so
 * has auto, which shares the node without CPUs. */
static void steps(void **unused)
{
	static const uint32_t swept[] = { 1, 3, 2, 0, 0 };
	static const struct store_choice best[CORE_KINDS_MAX] = { { STORE_NT128, STORE_NT128 } };
	struct world *w = new_world();

	(void)unused;
	w->input.stores = (struct store_choice){ STORE_STOSQ, STORE_NTI };
	w->input.best_stores = best; /* policy auto's, not the comparison's */
	assert_true(run(w, UINT64_MAX));
	assert_true(results.verified);
	assert_int_equal(results.store, STORE_NTI);
	assert_int_equal(results.step_count, 5);
	for (uint32_t step = 0; step < 5; step++) {
		assert_int_equal(results.steps[step].swept, swept[step]);
		assert_int_equal(results.steps[step].shared, step == 4);
	}
	for (uint32_t rule = 0; rule < RULE_COUNT; rule++)
		assert_int_equal(results.rule_steps[rule],
				 ((uint32_t[]){ 0, 1, 2, 3, 2, 4 })[rule]);
	assert_int_equal(results.left_out, 0);
	check_samples(w, 3);
	world_free(w);
}

/* The numbers of the sweep that no rule gives come last, the largest first. threads= would make
 * all alike. */
static void all_numbers(void **unused)
{
	static const uint32_t swept[] = { 7, 6, 4, 3, 2, 1 };
	struct world *w = new_world();

	(void)unused;
	add_cpus(w, 1, 4); /* 7 */
	w->options.repeat = 1;
	w->options.threads = 1;
	for (int rule = 0; rule < RULE_COUNT; rule++)
		set_workers((enum worker_rule)rule, 2, 7, 7);
	assert_true(run(w, UINT64_MAX));
	assert_true(results.verified);
	assert_int_equal(results.step_count, 7);
	assert_true(results.steps[1].shared);
	assert_int_equal(results.steps[0].swept, swept[0]);
	for (uint32_t step = 2; step < 7; step++) {
		assert_int_equal(results.steps[step].swept, swept[step - 1]);
		assert_int_equal(results.steps[step].workers[0],
				 swept[step - 1] < 2 ? swept[step - 1] : 2);
		assert_int_equal(results.steps[step].workers[1], swept[step - 1]);
	}
	/* a node has no use for more than it has sections */
	for (uint32_t i = 0; i < results.sample_count; i++)
		assert_in_range(results.samples[i].workers, 1,
				results.steps[results.samples[i].step]
					.workers[results.samples[i].node]);
	world_free(w);
}

/* No time at all: each rule has its run, the sweep's own steps have none. */
static void the_rules_have_their_runs(void **unused)
{
	struct world *w = new_world();

	(void)unused;
	set_workers(RULE_QUARTER, 2, 2, 2);
	assert_true(run(w, 0));
	assert_true(results.verified);
	assert_int_equal(results.step_count, 4);
	assert_int_equal(results.left_out, 1); /* 1 worker a node */
	check_samples(w, 1);
	world_free(w);
}

/* A run of the sweep takes a day: those with fewer workers would take longer. */
static void the_sweep_is_cut(void **unused)
{
	struct world *w = new_world();

	(void)unused;
	add_cpus(w, 1, 4);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		set_workers((enum worker_rule)rule, 2, 7, 7);
	jump_at = 3; /* all, auto, 6, then 4 */
	assert_true(run(w, 3ull << 49)); /* as much and a half: not with 3 workers */
	assert_true(results.verified);
	assert_int_equal(results.step_count, 4);
	assert_int_equal(results.steps[3].swept, 4);
	assert_int_equal(results.left_out, 3);
	assert_int_equal(results.repetitions, 1);
	assert_true(results.cycles >= 1ull << 50);
	assert_true(results.limit_cycles == 3ull << 49);
	world_free(w);
}

/* The second repetition takes a day, which leaves no time for a third. */
static void repetitions_are_cut(void **unused)
{
	struct world *w = new_world();

	(void)unused;
	jump_at = 6;
	assert_true(run(w, 3ull << 49));
	assert_true(results.verified);
	assert_int_equal(results.step_count, 5);
	assert_int_equal(results.left_out, 0);
	check_samples(w, 2);
	world_free(w);
}

static void the_first_bad_run_ends_it(void **unused)
{
	struct world *w = new_world();

	(void)unused;
	w->options.repeat = 1;
	assert_true(run(w, UINT64_MAX)); /* how many calls there are to a run: as many in each */
	w->machine.timeout_cycles = 100000000;
	w->lost_call = w->run_calls + 2; /* after poisoning, the workers of the first run */
	assert_true(run(w, UINT64_MAX));
	assert_false(results.verified);
	assert_true(results.last.timed_out);
	assert_int_equal(results.sample_count, 0);
	assert_int_equal(results.repetitions, 0);
	world_free(w);
}

static void smaller_descriptors(void **unused)
{
	struct world *w = new_world();

	(void)unused;
	w->options.page_size = 16;
	assert_true(run(w, UINT64_MAX));
	assert_true(results.verified);
	assert_int_equal(results.page_size, 16);
	check_samples(w, 3);
	world_free(w);
}

static void too_little(void **unused)
{
	struct world *w = new_world();
	struct compare_input input = { &w->input, (const uint32_t (*)[NODE_MAX])workers, 0 };
	uint64_t bytes = compare_bytes(&w->input, 0);

	(void)unused;
	world_memory(w, bytes);
	assert_false(compare_run(&input, w->memory, bytes - 64, &results));
	for (uint32_t i = 0; i < w->topology.cpu_count; i++)
		w->topology.cpus[i].online = false;
	assert_false(compare_run(&input, w->memory, bytes, &results));
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps),
		cmocka_unit_test(all_numbers),
		cmocka_unit_test(the_rules_have_their_runs),
		cmocka_unit_test(the_sweep_is_cut),
		cmocka_unit_test(repetitions_are_cut),
		cmocka_unit_test(the_first_bad_run_ends_it),
		cmocka_unit_test(smaller_descriptors),
		cmocka_unit_test(too_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
