/* SPDX-License-Identifier: GPL-2.0-only */
/* The experiment on threads: which rows there are, that every page is back, and what goes wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/mman.h>

#include "lab/alloc/free_rows.h"
#include "lab/alloc/free.h"
#include "lab/alloc/free_state.h"
#include "lab/alloc/pages_check.h"
#include "tests/host/alloc_world.h"
#include "tests/host/fake_machine.h"

static struct free_results results;
static struct alloc_world a;
static uint64_t bytes_of_ram;

static void open_world(void)
{
	struct world *w = alloc_small_machine();

	alloc_world_open(&a, w);
	w->options.repeat = 2;
	w->options.gather = 3;
	bytes_of_ram = 2 * SECTION_PAGES * PAGE_BYTES;
	a.input.base = mmap(NULL, bytes_of_ram, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	a.input.tsc_hz = 1ull << 40; /* there is always time */
}

static void close_world(void)
{
	munmap(a.input.base, bytes_of_ram);
	alloc_world_close(&a);
}

static bool run(void)
{
	alloc_world_memory(&a, free_bytes(&a.input));
	memset(&results, 0xa5, sizeof(results));
	return free_run(&a.input, a.memory, a.bytes, &results);
}

static void assert_all_back(void)
{
	assert_null(pages_state_fault(&a.input, &a.before));
	for (int node = 0; node < 2; node++)
		assert_false(a.w->buddy.zones[node][ZONE_DMA32].lock.timed);
}

static uint32_t count_rows(enum mapping mapping, uint32_t fragment, enum free_way way)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < results.row_count; i++)
		count += results.rows[i].mapping == mapping &&
			 results.rows[i].fragment == fragment && results.rows[i].way == way;
	return count;
}

/* Three CPUs: with them batch has up to two workers. 2 MiB pages are too few for a chain. */
static void every_row(void **state)
{
	(void)state;
	open_world();
	assert_true(run());
	assert_null(results.fault);
	assert_false(results.time_over[0] || results.time_over[1] || results.size_cut);
	assert_int_equal(results.group_end[FREE_COMPARISON], results.row_count);
	assert_int_equal(results.setting_count, 1);
	assert_int_equal(results.free_pages, a.before.census.free_pages);
	assert_int_equal(results.mappings[MAPPING_4K].pages, results.free_pages * 3 / 4);
	assert_int_equal(results.mappings[MAPPING_2M].pages % 512, 0);
	assert_in_range(results.mappings[MAPPING_2M].pages, results.free_pages * 2 / 3,
			results.free_pages * 3 / 4);
	assert_int_equal(count_rows(MAPPING_4K, 0, FREE_VANILLA), 1);
	assert_int_equal(count_rows(MAPPING_4K, 0, FREE_BATCH), 2);
	assert_int_equal(count_rows(MAPPING_4K, 0, FREE_PIECES), 1 + 3);
	assert_int_equal(count_rows(MAPPING_2M, 0, FREE_VANILLA), 1);
	assert_int_equal(count_rows(MAPPING_2M, 0, FREE_BATCH), 0);
	assert_int_equal(count_rows(MAPPING_2M, 0, FREE_PIECES), 1 + 3);
	assert_int_equal(count_rows(MAPPING_4K, 100, FREE_VANILLA), 1);
	assert_int_equal(count_rows(MAPPING_4K, 100, FREE_BATCH), 1);
	assert_int_equal(count_rows(MAPPING_4K, 100, FREE_PIECES), 2);
	assert_int_equal(count_rows(MAPPING_2M, 100, FREE_VANILLA), 0);
	for (uint32_t i = 0; i < results.row_count; i++) {
		const struct free_row *row = &results.rows[i];

		assert_int_equal(row->count, 2);
		assert_true(row->cycles[0] > 0 && row->cycles[1] > 0);
		assert_int_equal(row->cpus, row->workers + (row->way == FREE_BATCH));
		assert_true(row->locks.acquisitions > 0);
		assert_true(row->locks.longest_hold_cycles > 0);
		assert_true(row->locks.longest_hold_cycles <= 1ull << 40);
		assert_int_equal(row->failures, 0);
		if (row->way == FREE_BATCH)
			assert_int_equal(row->queued, 2 * results.settings[0].chains[0]);
	}
	assert_all_back();
	close_world();
}

static void only_what_is_asked_for(void **state)
{
	(void)state;
	open_world();
	memset(a.w->options.free_chosen, 0, sizeof(a.w->options.free_chosen));
	a.w->options.free_chosen[FREE_PIECES] = true;
	a.w->options.mapping_chosen[MAPPING_2M] = false;
	a.w->options.fragment = 30;
	a.w->options.size_mib = 16;
	assert_true(run());
	assert_null(results.fault);
	assert_int_equal(results.row_count, 1 + 4); /* vanilla always: the others are compared */
	assert_int_equal(results.rows[0].way, FREE_VANILLA);
	for (uint32_t i = 0; i < results.row_count; i++)
		assert_int_equal(results.rows[i].fragment, 30);
	assert_int_equal(results.mappings[MAPPING_4K].entries, 4096);
	/* more than there is */
	a.w->options.size_mib = UINT32_MAX;
	assert_true(run());
	assert_null(results.fault);
	assert_true(results.size_cut);
	assert_int_equal(results.mappings[MAPPING_4K].entries, results.free_pages * 15 / 16);
	assert_all_back();
	close_world();
}

static void settings_of_the_series(void **state)
{
	struct free_setting settings[FREE_SETTINGS_MAX];
	struct options options = { 0 };

	(void)state;
	assert_int_equal(free_settings(&options, settings), 2);
	assert_int_equal(settings[0].gather, 515);
	assert_int_equal(settings[0].max_active, 256);
	assert_int_equal(settings[1].gather, 1030);
	assert_int_equal(settings[1].max_active, 64);
	options.max_active = 7;
	assert_int_equal(free_settings(&options, settings), 1);
	assert_int_equal(settings[0].gather, 515);
	assert_int_equal(settings[0].max_active, 7);
	options.gather = 9;
	options.max_active = 0;
	assert_int_equal(free_settings(&options, settings), 1);
	assert_int_equal(settings[0].gather, 9);
	assert_int_equal(settings[0].max_active, 256);
}

/* max_active bounds the workers; one CPU has none. */
static void workers_are_bounded(void **state)
{
	(void)state;
	open_world();
	a.w->options.max_active = 1;
	a.w->options.repeat = 1;
	assert_true(run());
	assert_int_equal(count_rows(MAPPING_4K, 0, FREE_BATCH), 1);
	for (uint32_t i = 1; i < a.w->topology.cpu_count; i++)
		a.w->topology.cpus[i].online = false;
	a.w->options.max_active = 0;
	assert_true(run());
	assert_null(results.fault);
	assert_int_equal(count_rows(MAPPING_4K, 0, FREE_BATCH), 0);
	assert_int_equal(count_rows(MAPPING_4K, 0, FREE_PIECES), 2);
	a.w->topology.cpus[0].online = false;
	assert_false(run());
	a.w->topology.cpus[0].online = true;
	alloc_world_memory(&a, free_bytes(&a.input) - 64);
	assert_false(free_run(&a.input, a.memory, a.bytes, &results));
	close_world();
}

/* Each repetition begins with another row, and they end when the time is over. */
struct turns {
	uint32_t count, total;
	char first[2][16];
};

static void note_turn(void *context, const struct lab_progress *progress)
{
	struct turns *t = context;

	assert_int_equal(progress->experiment, EXPERIMENT_FREE);
	assert_int_equal(progress->index, t->count++);
	t->total = progress->count;
	if (progress->index == 0)
		snprintf(t->first[0], 16, "%s", progress->way);
	if (progress->index == progress->count / 2)
		snprintf(t->first[1], 16, "%s", progress->way);
}

static void rows_take_turns(void **state)
{
	struct turns turns = { 0 };

	(void)state;
	open_world();
	a.w->options.size_mib = 8;
	a.w->options.fragment = 1;
	a.input.progress = note_turn;
	a.input.progress_context = &turns;
	assert_true(run());
	assert_int_equal(turns.count, 2 * results.row_count);
	assert_int_equal(turns.total, turns.count);
	assert_string_equal(turns.first[0], "vanilla");
	assert_string_not_equal(turns.first[1], "vanilla");
	memset(&turns, 0, sizeof(turns));
	a.input.tsc_hz = 1;
	a.w->options.fragment = 0;
	assert_true(run());
	assert_null(results.fault);
	assert_true(results.time_over[0] && results.time_over[1]);
	assert_int_equal(turns.count, results.group_end[FREE_ASKED_FOR]);
	for (uint32_t i = 0; i < results.row_count; i++)
		assert_int_equal(results.rows[i].count, i < results.group_end[FREE_ASKED_FOR]);
	close_world();
}

static void note_way(void *context, const struct lab_progress *progress)
{
	char *ways = context;

	if (progress->index >= results.group_end[FREE_ASKED_FOR])
		strcat(strcat(ways, progress->way), " ");
}

/* What is quick first: there may not be time for all. */
static void order_of_the_comparison(void **state)
{
	char ways[256] = "";

	(void)state;
	open_world();
	a.w->options.size_mib = 8;
	a.w->options.repeat = 1;
	a.w->options.mapping_chosen[MAPPING_2M] = false;
	a.input.progress = note_way;
	a.input.progress_context = ways;
	assert_true(run());
	assert_null(results.fault);
	assert_int_equal(strncmp(ways, "vanilla owned pieces pieces ", 28), 0);
	close_world();
}

/* ---- what goes wrong ---- */

static void refused_frees_are_named(void **state)
{
	static const struct { enum inject inject; enum free_fault_kind kind; } cases[] = {
		{ INJECT_DOUBLE_FREE, FREE_FAULT_DOUBLE },
		{ INJECT_FREE_RESERVED, FREE_FAULT_RESERVED },
		{ INJECT_FREE_ORDER, FREE_FAULT_ORDER },
	};

	(void)state;
	for (int i = 0; i < 3; i++) {
		open_world();
		a.w->options.size_mib = 8;
		a.w->options.inject = cases[i].inject;
		assert_true(run());
		assert_string_equal(results.fault, "a free was refused");
		assert_int_equal(results.fault_row, 0);
		assert_int_equal(results.rows[1].count, 0);
		assert_int_equal(results.free_fault.kind, cases[i].kind);
		assert_int_equal(results.free_fault.order, 0);
		if (cases[i].kind == FREE_FAULT_RESERVED)
			assert_true(results.free_fault.pfn < 300);
		close_world();
	}
}

/* Each way by itself: vanilla, which then is only compared with, is not disturbed. */
static void every_way_refuses(void **state)
{
	static const enum inject faults[] = { INJECT_DOUBLE_FREE, INJECT_FREE_RESERVED,
					      INJECT_FREE_ORDER };

	(void)state;
	for (int way = 0; way < FREE_COUNT; way++)
		for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
			for (int i = 0; i < 3; i++) {
				open_world();
				memset(a.w->options.free_chosen, 0,
				       sizeof(a.w->options.free_chosen));
				memset(a.w->options.mapping_chosen, 0,
				       sizeof(a.w->options.mapping_chosen));
				a.w->options.free_chosen[way] = true;
				a.w->options.mapping_chosen[mapping] = true;
				a.w->options.gather = 1;
				a.w->options.size_mib = 16;
				a.w->options.inject = faults[i];
				assert_true(run());
				if (mapping == MAPPING_2M && way == FREE_BATCH) {
					assert_null(results.fault); /* has no rows */
					close_world();
					continue;
				}
				assert_string_equal(results.fault, "a free was refused");
				assert_int_equal(results.rows[results.fault_row].way, way);
				assert_int_equal(results.fault_row, way == FREE_VANILLA ? 0 : 1);
				assert_true(results.free_fault.kind != FREE_FAULT_NONE);
				close_world();
			}
}

/* A page is lost, or appears, behind the experiment's back: before the run in which the second row
 * is measured. */
static void lose_a_page(struct world *w)
{
	assert_true(buddy_alloc_node(&w->buddy, 1, 0) != BUDDY_NONE);
}

static void lost_pages_are_missed(void **state)
{
	(void)state;
	open_world();
	a.w->options.size_mib = 8;
	a.w->broken_call = a.w->run_calls + 2 + 1; /* build, free, build */
	a.w->break_it = lose_a_page;
	assert_true(run());
	assert_string_equal(results.fault, "pages were lost");
	assert_int_equal(results.fault_row, 1);
	close_world();
}

/* Memory goes when the page tables above the leaf tables are there already: all but so many pages
 * of a node, in blocks as large as there are. */
static struct { uint64_t pfn; uint32_t order; } gone[40000];
static uint32_t gone_count;
static uint64_t left_pages;

static void take_from_node(struct world *w, uint32_t node)
{
	uint64_t pages = 0, pfn;

	for (uint32_t order = ORDER_COUNT; order-- > 0;)
		for (; (pfn = buddy_alloc_node(&w->buddy, node, order)) != BUDDY_NONE;) {
			gone[gone_count].pfn = pfn;
			gone[gone_count++].order = order;
		}
	while (gone_count && pages < left_pages) {
		gone_count--;
		pages += 1ull << gone[gone_count].order;
		buddy_free(&w->buddy, gone[gone_count].pfn, gone[gone_count].order);
	}
}

static void take_nearly_all(struct world *w)
{
	take_from_node(w, 0);
	take_from_node(w, 1);
}

static void memory_ends_while_mapping(void **state)
{
	static const uint64_t left[] = { 0, 1, 600, 5000 };

	(void)state;
	for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
		for (int i = 0; i < 4; i++) {
			open_world();
			memset(a.w->options.mapping_chosen, 0,
			       sizeof(a.w->options.mapping_chosen));
			a.w->options.mapping_chosen[mapping] = true;
			a.w->broken_call = a.w->run_calls + 1;
			a.w->break_it = take_nearly_all;
			left_pages = left[i];
			gone_count = 0;
			assert_true(run());
			assert_string_equal(results.fault, "there was no memory for the mapping");
			assert_int_equal(results.fault_row, 0);
			while (gone_count) {
				gone_count--;
				buddy_free(&a.w->buddy, gone[gone_count].pfn,
					   gone[gone_count].order);
			}
			assert_all_back();
			close_world();
		}
}

static void somebody_does_not_come(void **state)
{
	static const char *const faults[] = { "not all CPUs came to build the mapping",
					      "not all CPUs came to free the mapping" };

	(void)state;
	for (uint32_t call = 0; call < 2; call++) {
		open_world();
		a.w->options.size_mib = 8;
		a.w->options.mapping_chosen[MAPPING_2M] = false;
		a.w->machine.timeout_cycles = 3000000000;
		/* vanilla: build and free; then batch with two CPUs */
		a.w->lost_call = a.w->run_calls + (call ? 4 : 1);
		assert_true(run());
		assert_string_equal(results.fault, faults[call]);
		assert_int_equal(results.fault_row, call);
		close_world();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row),
		cmocka_unit_test(only_what_is_asked_for),
		cmocka_unit_test(settings_of_the_series),
		cmocka_unit_test(workers_are_bounded),
		cmocka_unit_test(rows_take_turns),
		cmocka_unit_test(order_of_the_comparison),
		cmocka_unit_test(refused_frees_are_named),
		cmocka_unit_test(every_way_refuses),
		cmocka_unit_test(lost_pages_are_missed),
		cmocka_unit_test(memory_ends_while_mapping),
		cmocka_unit_test(somebody_does_not_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
