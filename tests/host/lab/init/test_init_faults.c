/* SPDX-License-Identifier: GPL-2.0-only */
/* What goes wrong in a run, on purpose or because the machine is broken, and how it is told. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/host/odd_machine.h"

/* Calls of run() in a good run: poison, workers, oracle; after the exercise the oracle again. */
enum { CALLS_FIRST = 4, CALLS_LATER = 3, CALL_WORKERS = 2, CALL_ORACLE = 3, CALL_ORACLE_AGAIN = 4 };

static void assert_stopped(const struct world *w, uint32_t runs)
{
	assert_false(w->results.verified);
	assert_int_equal(w->results.run_count, runs);
	assert_false(w->results.runs[runs - 1].good);
	assert_false(w->results.growth.done);
}

static void test_altered_page_is_caught(void **unused)
{
	struct world *w = world_usual();
	const struct run_sample *run;

	(void)unused;
	w->options.inject = INJECT_PAGE;
	w->options.repeat = 3;
	assert_true(world_run(w));
	assert_stopped(w, 1);
	run = &w->results.runs[0];
	assert_true(run->tiled);
	assert_int_equal(run->totals.mismatches, 1);
	assert_int_equal(run->totals.first_bad_pfn, 13 * SECTION_PAGES - 6);
	assert_string_equal(run->totals.first_bad_field, "node");
	assert_false(run->allocator.exercised);
	world_free(w);
}

static void test_chunk_claimed_twice_is_caught(void **unused)
{
	struct world *w = world_usual();
	const struct run_sample *run;

	(void)unused;
	w->options.inject = INJECT_CHUNK;
	assert_true(world_run(w));
	assert_stopped(w, 1);
	run = &w->results.runs[0];
	assert_false(run->tiled);
	assert_int_equal(run->totals.mismatches, 0);
	assert_int_equal(run->bad_pfn, w->results.plans[0]->jobs[0].job.start);
	assert_true(run->pages > w->results.plans[0]->deferred_pages);
	world_free(w);
}

static void damage_page(struct world *w)
{
	w->fake.memmap.base[6 * SECTION_PAGES + 3].memcg_data = 1;
}

static void test_damage_in_a_later_run_stops_there(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->options.repeat = 4;
	w->break_it = damage_page;
	w->broken_call = CALLS_FIRST + CALLS_LATER + CALL_ORACLE; /* padata's first */
	assert_true(world_run(w));
	assert_stopped(w, 3);
	assert_int_equal(w->results.runs[2].totals.first_bad_pfn, 6 * SECTION_PAGES + 3);
	assert_string_equal(w->results.runs[2].totals.first_bad_field, "other");
	world_free(w);
}

/* As after an exercise that did not put everything back. */
static void test_damage_during_the_exercise_is_caught(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->break_it = damage_page;
	w->broken_call = CALL_ORACLE_AGAIN;
	assert_true(world_run(w));
	assert_stopped(w, 1);
	assert_true(w->results.runs[0].allocator.exercised);
	assert_int_equal(w->results.runs[0].totals.mismatches, 1);
	world_free(w);
}

static void untype(struct world *w)
{
	w->buddy.pageblocks[7 * SECTION_PAGES >> PAGEBLOCK_ORDER] = MIGRATE_UNTYPED;
}

static void miscount(struct world *w)
{
	w->buddy.zones[1][ZONE_DMA32].managed_pages++;
}

static void lose_block(struct world *w)
{
	assert_int_not_equal(buddy_alloc_node(&w->buddy, 1, 0), BUDDY_NONE);
}

static void read_poison(struct world *w)
{
	w->buddy.poison_reads++;
}

static void type_twice(struct world *w)
{
	w->buddy.typed_twice++;
}

static void free_twice(struct world *w)
{
	w->buddy.double_frees++;
}

/* Each before the oracle looks, in the first run. */
static void test_broken_allocators_are_caught(void **unused)
{
	static void (*const faults[])(struct world *w) = {
		untype, miscount, lose_block, read_poison, type_twice, free_twice,
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct world *w = world_usual();
		const struct allocator_sample *a;

		w->break_it = faults[i];
		w->broken_call = CALL_ORACLE;
		assert_true(world_run(w));
		assert_stopped(w, 1);
		a = &w->results.runs[0].allocator;
		assert_false(a->exercised);
		assert_int_equal(a->pageblocks != a->expected_pageblocks, i == 0);
		assert_int_equal(a->census.managed_pages == a->expected_free_pages, i != 1);
		assert_int_equal(a->census.free_pages != a->expected_free_pages, i == 2);
		assert_int_equal(a->poison_reads, i == 3);
		assert_int_equal(a->typed_twice, i == 4);
		assert_int_equal(a->double_frees, i == 5);
		world_free(w);
	}
}

/* The cold run finds the memmap as it was, every other one finds poison. */
static uint64_t flags_found;

static void look(struct world *w)
{
	flags_found = w->fake.memmap.base[6 * SECTION_PAGES].flags;
}

static void test_only_the_cold_run_is_not_poisoned(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->break_it = look;
	w->broken_call = CALL_WORKERS;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_true(flags_found == 0);
	w->run_calls = 0;
	w->broken_call = CALLS_FIRST + CALL_WORKERS;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_true(flags_found == UINT64_MAX);
	world_free(w);
}

static void test_lost_worker_ends_the_run_in_time(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->machine.timeout_cycles = 50000000;
	w->lost_call = CALL_WORKERS;
	assert_true(world_run(w));
	assert_stopped(w, 1);
	assert_true(w->results.runs[0].timed_out);
	assert_false(w->results.runs[0].tiled);
	assert_int_equal(w->results.node_count + w->results.cpu_count, 0);
	/* the others did not begin without it */
	assert_true(w->fake.memmap.base[6 * SECTION_PAGES].flags == 0);
	world_free(w);
}

/* Under async the boot CPU does not wait for ever either. */
static void lose_started(void *context, const uint32_t *cpus, uint32_t count,
			 void (*function)(void *argument, uint32_t index), void *argument)
{
	machine_start_others(context, cpus, count - 1, function, argument);
}

static void test_lost_worker_in_the_background(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	choose(w, POLICY_ASYNC);
	w->machine.timeout_cycles = 500000000;
	w->machine.start = lose_started;
	assert_true(world_run(w));
	assert_stopped(w, 3);
	assert_true(w->results.runs[2].timed_out);
	world_free(w);
}

/* A CPU whose clock is behind gets 0 cycles, not 2^64. */
static void test_clock_behind_is_clamped(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->slow_clock = 1ull << 35;
	assert_true(world_run(w));
	assert_true(w->results.verified);
	for (uint32_t i = 0; i < w->results.cpu_count; i++)
		assert_int_equal(w->results.cpus[i].cycles, 0);
	for (uint32_t i = 0; i < w->results.node_count; i++)
		assert_int_equal(w->results.nodes[i].cycles, 0);
	world_free(w);
}

static void test_no_cpu_online(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	for (uint32_t i = 0; i < w->topology.cpu_count; i++)
		w->topology.cpus[i].online = false;
	assert_false(world_run(w));
	assert_false(w->results.verified);
	assert_false(world_sweep(w));
	assert_false(w->sweep.verified);
	world_free(w);
}

/* Every size that is too small is refused before anything is written behind its end. */
static void test_too_little_memory(void **unused)
{
	struct world *w = world_usual();
	uint64_t bytes = init_bytes(&w->input, 0), sweep = sweep_bytes(&w->input, 0);

	(void)unused;
	for (uint64_t size = 0; size < bytes || size < sweep; size += 64 + size / 256 * 64) {
		void *memory = aligned_alloc(64, size ? size : 64);

		if (size < bytes)
			assert_false(init_run(&w->input, memory, size, &w->results));
		if (size < sweep)
			assert_false(sweep_run(&w->input, memory, size, &w->sweep));
		free(memory);
	}
	assert_false(init_run(&w->input, NULL, 0, &w->results));
	world_free(w);
}

/* The bound is asked for before the last reservations are made, this memory among them. */
static void test_bound_allows_for_later_reservations(void **unused)
{
	struct world *w = world_usual();
	uint64_t bytes = init_bytes(&w->input, 60);

	(void)unused;
	for (uint64_t i = 0; i < 60; i++)
		range_list_add(&w->reserved, 300 + i * 5000, 301 + i * 5000 + i);
	world_memory(w, bytes);
	assert_true(init_run(&w->input, w->memory, bytes, &w->results));
	assert_true(w->results.verified);
	assert_true(bytes >= init_bytes(&w->input, 0));
	assert_run_good(w, run_of(w, POLICY_PADATA, 1));
	world_free(w);
}

/* ---- policy ktask --------------------------------------------------------------------------- */

/* Who first touches the page in the middle of a chunk stays there for a while; others do not. */
static void *stall_page;
static _Atomic uint32_t stalls;
static uint32_t stall_us;

static void stall(int number, siginfo_t *info, void *context)
{
	uint8_t *address = info->si_addr, *page = stall_page;

	(void)number;
	(void)context;
	if (address < page || address >= page + 4096) {
		signal(SIGSEGV, SIG_DFL); /* a fault of the code: it comes again */
		return;
	}
	if (!stalls++)
		usleep(stall_us);
	mprotect(stall_page, 4096, PROT_READ | PROT_WRITE);
}

static void set_stall(struct world *w)
{
	stalls = 0;
	stall_page = w->fake.memmap.base + 4 * SECTION_PAGES + 8 * BLOCK_PAGES + 512;
	mprotect(stall_page, 4096, PROT_NONE);
}

static void set_long_stall(struct world *w)
{
	set_stall(w);
	w->machine.timeout_cycles = 1 << 27;
}

/* One of two workers is held up inside a chunk. */
static struct world *world_stalled(uint32_t us, void (*set)(struct world *w))
{
	struct sigaction action = { .sa_sigaction = stall, .sa_flags = SA_SIGINFO }, before;
	struct world *w = world_new();

	stall_us = us;
	fake_ram(&w->topology, 256, 6 * SECTION_PAGES, 0);
	add_cpus(w, 0, 5);
	world_populate(w, 6);
	choose(w, POLICY_KTASK);
	w->options.chunk_mib = 4;
	w->break_it = set;
	w->broken_call = CALLS_FIRST + CALLS_LATER + CALL_WORKERS;
	sigaction(SIGSEGV, &action, &before);
	assert_true(world_run(w));
	sigaction(SIGSEGV, &before, NULL);
	return w;
}

/* The other must not free the chunk meanwhile. */
static void test_the_second_pass_waits_for_the_first(void **unused)
{
	struct world *w = world_stalled(100000, set_stall);

	(void)unused;
	assert_true(w->results.verified);
	assert_int_equal(run_of(w, POLICY_KTASK, 1)->workers, 2);
	assert_int_equal(stalls, 1);
	world_free(w);
}

static void test_the_second_pass_does_not_wait_for_ever(void **unused)
{
	struct world *w = world_stalled(400000, set_long_stall);

	(void)unused;
	assert_stopped(w, 3);
	assert_true(w->results.runs[2].timed_out);
	world_free(w);
}

/* ---- policy lazy ---------------------------------------------------------------------------- */

/* At the moment when all memory is allocated somebody else changes the count. */
static struct world *watched;
static uint32_t meddled;

static uint64_t now_and_meddle(void *context)
{
	uint64_t managed = 0, blocks = 0;

	for (uint32_t node = 0; node < 3; node++)
		for (int type = 0; type < ZONE_COUNT; type++) {
			managed += watched->buddy.zones[node][type].managed_pages;
			for (int order = 0; order < ORDER_COUNT; order++)
				blocks += watched->buddy.zones[node][type].area[order].blocks;
		}
	if (managed && !blocks && !meddled++)
		watched->buddy.zones[1][ZONE_DMA32].managed_pages++;
	return machine_now(context);
}

static void test_change_by_first_use_is_caught(void **unused)
{
	struct world *w = watched = world_usual();

	(void)unused;
	skip_exercise(w);
	choose(w, POLICY_LAZY);
	for (uint32_t i = 1; i < w->topology.cpu_count; i++)
		w->topology.cpus[i].online = false; /* who else would look while others work */
	w->machine.now = now_and_meddle;
	assert_true(world_run(w));
	assert_stopped(w, 2);
	assert_int_equal(meddled, 1);
	assert_int_equal(w->results.runs[1].allocator.census.managed_pages,
			 w->results.runs[1].allocator.expected_free_pages);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_altered_page_is_caught),
		cmocka_unit_test(test_chunk_claimed_twice_is_caught),
		cmocka_unit_test(test_damage_in_a_later_run_stops_there),
		cmocka_unit_test(test_damage_during_the_exercise_is_caught),
		cmocka_unit_test(test_broken_allocators_are_caught),
		cmocka_unit_test(test_only_the_cold_run_is_not_poisoned),
		cmocka_unit_test(test_lost_worker_ends_the_run_in_time),
		cmocka_unit_test(test_lost_worker_in_the_background),
		cmocka_unit_test(test_the_second_pass_waits_for_the_first),
		cmocka_unit_test(test_the_second_pass_does_not_wait_for_ever),
		cmocka_unit_test(test_change_by_first_use_is_caught),
		cmocka_unit_test(test_clock_behind_is_clamped),
		cmocka_unit_test(test_no_cpu_online),
		cmocka_unit_test(test_too_little_memory),
		cmocka_unit_test(test_bound_allows_for_later_reservations),
	};

	return cmocka_run_group_tests_name("init_faults", tests, NULL, NULL);
}
