/* SPDX-License-Identifier: GPL-2.0-only */
/* What the clock covers: from the moment at which all workers have met to the end of a node's last
 * chunk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/cpu.h"
#include "tests/host/odd_machine.h"

/* Calls of run() by policy padata's first run, after the baseline's cold and warm ones. */
enum { CALL_WORKERS = 2, CALL_PADATA_WORKERS = 4 + 3 + 2 };

/* One node of two CPUs, with two free ranges that both of them work on. */
static struct world *world_of_two_ranges(void)
{
	struct world *w = world_new();

	fake_ram(&w->topology, 0, 8 * SECTION_PAGES, 0);
	add_cpus(w, 0, 2);
	range_list_add(&w->reserved, 4 * SECTION_PAGES, 4 * SECTION_PAGES + 1);
	world_populate(w, 8);
	w->options.split = SPLIT_STATIC;
	return w;
}

/* ---- from when ------------------------------------------------------------------------------ */

enum { IDLE_CYCLES = 100000000 };

static uint64_t posted_tsc, started_tsc, joined_tsc;

static void idle(void)
{
	posted_tsc = tsc_ordered();
	while (tsc_ordered() < posted_tsc + IDLE_CYCLES)
		cpu_pause();
	started_tsc = tsc_ordered();
}

/* The first run's workers start late. */
static void start_late(void *context, const uint32_t *cpus, uint32_t count,
		       void (*function)(void *argument, uint32_t index), void *argument)
{
	struct world *w = context;
	bool late = w->run_calls + 1 == CALL_WORKERS;

	if (late)
		idle();
	machine_run(context, cpus, count, function, argument);
	if (late)
		joined_tsc = tsc_ordered();
}

/* Bounds that hold on any machine, however busy. */
static void test_waking_is_not_in_it(void **unused)
{
	struct world *w = world_of_two_ranges();
	const struct run_sample *run;

	(void)unused;
	w->machine.run = start_late;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	run = &w->results.runs[0];
	assert_true(run->wake_cycles >= started_tsc - posted_tsc);
	assert_true(run->cycles && run->cycles <= joined_tsc - started_tsc);
	world_free(w);
}

static void start_others_late(void *context, const uint32_t *cpus, uint32_t count,
			      void (*function)(void *argument, uint32_t index), void *argument)
{
	idle();
	machine_start_others(context, cpus, count, function, argument);
}

/* Who allocates in the background waits for its first success from the decision to wake others. */
static void test_first_success_counts_from_the_decision(void **unused)
{
	struct world *w = world_of_two_ranges();

	(void)unused;
	choose(w, POLICY_ASYNC);
	w->options.repeat = 1;
	w->machine.start = start_others_late;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	/* growth has begun late, too, and perhaps later than this */
	assert_true(run_of(w, POLICY_ASYNC, 1)->async.first_success_cycles >= IDLE_CYCLES);
	world_free(w);
}

/* ---- until when ----------------------------------------------------------------------------- */

/* A clock that leaps with each reading that a worker takes, and is further on for the second one:
 * leaps of worker 0 are 1, 2, 3 ..., of worker 1 11, 12, 13 ... */
enum { LEAP_BITS = 40, AHEAD = 10 };

static void (*worker_function)(void *argument, uint32_t index);
static __thread uint64_t leaps;
static __thread bool is_worker;

static void leaping_worker(void *argument, uint32_t index)
{
	is_worker = true;
	leaps = index * AHEAD;
	worker_function(argument, index);
}

static void run_leaping(void *context, const uint32_t *cpus, uint32_t count,
			void (*function)(void *argument, uint32_t index), void *argument)
{
	struct world *w = context;
	bool leaping = w->run_calls + 1 == CALL_PADATA_WORKERS;

	worker_function = function;
	machine_run(context, cpus, count, leaping ? leaping_worker : function, argument);
}

static uint64_t leaping_now(void *context)
{
	(void)context;
	if (is_worker)
		leaps++;
	return tsc_ordered() + (leaps << LEAP_BITS);
}

/* Each worker reads the clock after its chunk of each of the two ranges, and at its end. The node
 * is done with worker 1's second chunk, at its second reading. */
static void test_the_last_chunk_of_the_last_worker_ends_it(void **unused)
{
	struct world *w = world_of_two_ranges();
	const struct init_results *r = &w->results;
	const struct run_sample *run;

	(void)unused;
	w->machine.run = run_leaping;
	w->machine.now = leaping_now;
	assert_true(world_run(w));
	assert_true(r->verified);
	run = run_of(w, POLICY_PADATA, 1);
	assert_int_equal(run->workers, 2);
	assert_int_equal(plan_of(w, POLICY_PADATA)->job_count, 2);
	assert_int_equal(run->cycles >> LEAP_BITS, AHEAD + 2);
	assert_int_equal(r->cpus[r->cpu_count - 2].cycles >> LEAP_BITS, 3);
	assert_int_equal(r->cpus[r->cpu_count - 1].cycles >> LEAP_BITS, AHEAD + 3);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waking_is_not_in_it),
		cmocka_unit_test(test_first_success_counts_from_the_decision),
		cmocka_unit_test(test_the_last_chunk_of_the_last_worker_ends_it),
	};

	return cmocka_run_group_tests_name("lab_clock", tests, NULL, NULL);
}
