/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/alloc/pcp_cells.h"
#include "tests/host/pcp_fixture.h"

/* ---- cells ---- */

static uint32_t count_cells(const struct pcp_cell *cells, uint32_t count, enum pcp_bench bench,
			    enum crew_place place)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++)
		found += cells[i].bench == bench && cells[i].place == place;
	return found;
}

/* Three CPUs on the largest node, five in all; pairs: one, and two of different nodes. */
static void test_cells(void **unused)
{
	static const uint32_t crews[2] = { 3, 5 }, pairs[2] = { 1, 2 };
	struct pcp_cell cells[128];
	uint32_t count = pcp_cells(crews, pairs, NULL);

	(void)unused;
	assert_int_equal(count, 11 + 14 + 5 + 2 * 11 + 3 * 11 + 8 + 5 + 2 + 4);
	assert_int_equal(pcp_cells(crews, pairs, cells), count);
	assert_int_equal(count_cells(cells, count, PCP_ORDERS, CREW_NODE), 11);
	assert_int_equal(count_cells(cells, count, PCP_OUTSTANDING, CREW_NODE), 14 + 2);
	assert_int_equal(count_cells(cells, count, PCP_OUTSTANDING, CREW_ACROSS), 3);
	assert_int_equal(count_cells(cells, count, PCP_PARALLEL, CREW_NODE), 22);
	assert_int_equal(count_cells(cells, count, PCP_PARALLEL, CREW_ACROSS), 33);
	assert_int_equal(count_cells(cells, count, PCP_BULK, CREW_NODE), 8 + 2);
	assert_int_equal(count_cells(cells, count, PCP_BULK, CREW_ACROSS), 3);
	assert_int_equal(count_cells(cells, count, PCP_CROSS, CREW_NODE), 2);
	assert_int_equal(count_cells(cells, count, PCP_CROSS, CREW_ACROSS), 4);
	for (uint32_t i = 0; i < count; i++) {
		const struct pcp_cell *c = &cells[i];

		assert_true(!i || c->bench >= cells[i - 1].bench);
		assert_in_range(c->workers, 1, c->place == CREW_NODE ? 3 : 5);
		if (c->bench == PCP_PARALLEL || c->bench == PCP_CROSS)
			assert_true(c->workers > 1);
		if (c->workers > 1 && c->bench == PCP_OUTSTANDING)
			assert_int_equal(c->batch, PCP_OUTSTANDING_EACH);
		assert_in_range(c->batch, 1, c->bench == PCP_BULK ? 128 : 8192);
		assert_true(c->bench != PCP_CROSS || c->order == 0 || c->order == 3);
	}
	assert_int_equal(cells[10].order, ORDER_MAX);
	assert_int_equal(cells[24].batch, 8192);
}

/* No node is left: nothing is across. */
static void test_cells_of_one_node(void **unused)
{
	static const uint32_t crews[2] = { 4, 4 }, pairs[2] = { 2, 0 };
	static const uint32_t one[2] = { 1, 1 }, none[2] = { 0, 0 };

	(void)unused;
	assert_int_equal(pcp_cells(crews, pairs, NULL), 11 + 14 + 2 + 22 + 8 + 2 + 4);
	assert_int_equal(pcp_cells(one, none, NULL), 11 + 14 + 8);
}

static void test_pairs(void **unused)
{
	struct world *w = world_usual();
	static const uint32_t crew[] = { 0, 2, 1, 3, 4 };

	(void)unused;
	assert_int_equal(pcp_cross_pairs(&w->topology, CREW_ACROSS, crew, 5), 2);
	assert_int_equal(pcp_cross_pairs(&w->topology, CREW_NODE, crew + 3, 2), 1);
	assert_int_equal(pcp_cross_pairs(&w->topology, CREW_ACROSS, crew + 3, 2), 0);
	assert_int_equal(pcp_cross_pairs(&w->topology, CREW_NODE, crew, 1), 0);
	assert_int_equal(pcp_cross_pairs(&w->topology, CREW_NODE, crew, 0), 0);
	world_free(w);
}

/* ---- the experiment ---- */

struct turns {
	enum pcp ways[200];
	uint32_t count, total;
};

static void note_turn(void *context, const struct lab_progress *progress)
{
	struct turns *t = context;

	assert_int_equal(progress->experiment, EXPERIMENT_PCP);
	assert_int_equal(progress->index, t->count);
	t->total = progress->count;
	for (int pcp = 0; pcp < PCP_COUNT; pcp++)
		if (!strcmp(pcp_name((enum pcp)pcp), progress->way))
			t->ways[t->count] = (enum pcp)pcp;
	t->count++;
}

/* One CPU: two workloads less. Each repetition begins with another way. */
static void test_turns(void **unused)
{
	static const enum pcp expected[] = { PCP_NONE, PCP_ORDER0, PCP_NONE, PCP_ORDER0,
					     PCP_NONE, PCP_ORDER0, PCP_ORDER0, PCP_NONE,
					     PCP_ORDER0, PCP_NONE, PCP_ORDER0, PCP_NONE };
	struct alloc_world a;
	struct pcp_results r;
	struct turns turns = { .count = 0 };

	(void)unused;
	alloc_world_open(&a, alloc_small_machine());
	for (uint32_t cpu = 1; cpu < a.w->topology.cpu_count; cpu++)
		a.w->topology.cpus[cpu].online = false;
	a.w->options.repeat = 6;
	for (int pcp = PCP_HIGH; pcp < PCP_COUNT; pcp++)
		a.w->options.pcp_chosen[pcp] = false;
	a.input.progress = note_turn;
	a.input.progress_context = &turns;
	assert_true(run(&a, &r));
	assert_null(r.fault);
	assert_int_equal(r.cell_count, 11 + 14 + 8);
	assert_int_equal(r.repeat, 6);
	assert_int_equal(turns.count, 3 * 6 * 2);
	assert_int_equal(turns.total, turns.count);
	assert_int_equal(r.repetitions, 6);
	for (int twice = 0; twice < 3; twice++)
		assert_memory_equal(turns.ways + twice * 12, expected, sizeof(expected));
	alloc_world_close(&a);
}

/* Blocks of 4 MiB for one of two CPUs at most: no figure, and no fault. */
static void test_too_little_memory(void **unused)
{
	struct world *w = world_new();
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	fake_ram(&w->topology, 0, 2048, 0);
	range_list_add(&w->reserved, 0, 1024);
	add_cpus(w, 0, 2);
	world_populate(w, 1);
	alloc_world_open(&a, w);
	assert_true(run(&a, &r));
	if (r.fault)
		fail_msg("%s, way %s, bench %d", r.fault, pcp_name(r.fault_way), r.fault_bench);
	for (uint32_t cell = 0; cell < r.cell_count; cell++) {
		const struct pcp_cell *c = &r.cells[cell];

		if (c->bench == PCP_OUTSTANDING && c->batch > 1024)
			assert_int_equal(pcp_sample(&r, cell, 0, 0)->operations, 0);
		if (c->bench == PCP_ORDERS && !c->order)
			assert_true(pcp_sample(&r, cell, 0, 0)->operations > 0);
	}
	alloc_world_close(&a);
}

/* A CPU whose node has no block of 4 MiB, beside one whose node has: no figure of the two. */
static void test_too_little_memory_for_one(void **unused)
{
	struct world *w = world_new();
	struct alloc_world a;
	struct pcp_results r;
	uint32_t across = 0;

	(void)unused;
	fake_ram(&w->topology, 0, 8192, 0);
	fake_ram(&w->topology, 8192, 8192 + 1000, 1);
	add_cpus(w, 0, 1);
	add_cpus(w, 1, 1);
	world_populate(w, 1);
	alloc_world_open(&a, w);
	assert_true(run(&a, &r));
	if (r.fault)
		fail_msg("%s, way %s, bench %d", r.fault, pcp_name(r.fault_way), r.fault_bench);
	for (uint32_t cell = 0; cell < r.cell_count; cell++) {
		const struct pcp_cell *c = &r.cells[cell];

		if (c->bench != PCP_PARALLEL)
			continue;
		across++;
		for (uint32_t way = 0; way < r.way_count; way++)
			assert_int_equal(pcp_sample(&r, cell, way, 0)->operations > 0,
					 c->order < ORDER_MAX);
	}
	assert_int_equal(across, ORDER_COUNT);
	alloc_world_close(&a);
}

/* More than is given shares the time. */
static void test_slices(void **unused)
{
	static const struct pcp_limits limits = { 5000, 200, UINT32_MAX };
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	alloc_world_open(&a, alloc_small_machine());
	for (uint32_t cpu = 1; cpu < a.w->topology.cpu_count; cpu++)
		a.w->topology.cpus[cpu].online = false;
	memset(a.w->options.pcp_chosen, false, sizeof(a.w->options.pcp_chosen));
	a.w->options.pcp_chosen[PCP_NONE] = true;
	alloc_world_memory(&a, pcp_bytes(&a.input));
	assert_true(pcp_run(&a.input, &limits, a.memory, a.bytes, &r));
	assert_null(r.fault);
	assert_int_equal(r.longest_slice_us, 200000 / (33 * 5));
	assert_in_range(r.shortest_slice_us, 200, r.longest_slice_us);
	assert_true(r.cycles > 150000000);
	alloc_world_close(&a);
}

/* No time: one repetition, of no more than two CPUs at the same time, and everything is allocated
 * once nevertheless. */
static void test_no_time(void **unused)
{
	static const struct pcp_limits limits = { 200, 1, 0 };
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	alloc_world_open(&a, alloc_small_machine());
	memset(a.w->options.pcp_chosen, false, sizeof(a.w->options.pcp_chosen));
	a.w->options.pcp_chosen[PCP_MERGED] = true;
	alloc_world_memory(&a, pcp_bytes(&a.input));
	assert_true(pcp_run(&a.input, &limits, a.memory, a.bytes, &r));
	assert_null(r.fault);
	assert_int_equal(r.repetitions, 1);
	assert_int_equal(r.runs, PCP_BENCHES);
	assert_int_equal(r.crew_limit, 3);
	for (uint32_t cell = 0; cell < r.cell_count; cell++) {
		assert_int_equal(pcp_sample(&r, cell, 0, 0)->operations > 0,
				 r.cells[cell].workers < 3);
		assert_int_equal(pcp_sample(&r, cell, 0, 1)->operations, 0);
	}
	alloc_world_close(&a);
}

/* A clock that only goes on when somebody looks, and where eight CPUs are to come together. */
static _Atomic uint64_t made_up_ns;

static uint64_t now_made_up(void *context)
{
	(void)context;
	return atomic_fetch_add(&made_up_ns, 2000);
}

static void run_slowly(void *context, const uint32_t *cpus, uint32_t count,
		       void (*function)(void *argument, uint32_t index), void *argument)
{
	if (count >= 8)
		atomic_fetch_add(&made_up_ns, 2000000000);
	machine_run(context, cpus, count, function, argument);
}

/* They are late, but it is not crews of four that take so long. */
static void test_crews_too_large(void **unused)
{
	static const struct pcp_limits limits = { 200, 400, 5000 };
	struct world *w = world_new();
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	fake_ram(&w->topology, 0, SECTION_PAGES, 0);
	add_cpus(w, 0, 8);
	world_populate(w, 1);
	alloc_world_open(&a, w);
	memset(a.w->options.pcp_chosen, false, sizeof(a.w->options.pcp_chosen));
	a.w->options.pcp_chosen[PCP_NONE] = a.w->options.pcp_chosen[PCP_HIGH] = true;
	w->machine.run = run_slowly;
	w->machine.now = now_made_up;
	w->machine.timeout_cycles = 1ull << 62;
	alloc_world_memory(&a, pcp_bytes(&a.input));
	assert_true(pcp_run(&a.input, &limits, a.memory, a.bytes, &r));
	assert_null(r.fault);
	assert_int_equal(r.crew_limit, 8);
	for (uint32_t cell = 0; cell < r.cell_count; cell++)
		for (uint32_t way = 0; way < 2; way++) {
			bool small = r.cells[cell].workers < 8;

			assert_int_equal(pcp_sample(&r, cell, way, 0)->operations > 0, small);
			assert_int_equal(pcp_counters(&r, cell, way)->pages.allocations > 0, small);
		}
	alloc_world_close(&a);
}

/* ---- what goes wrong ---- */

static void test_needs_memory_and_ways(void **unused)
{
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	alloc_world_open(&a, alloc_small_machine());
	alloc_world_memory(&a, pcp_bytes(&a.input) - 64);
	assert_false(pcp_run(&a.input, &brief, a.memory, a.bytes, &r));
	memset(a.w->options.pcp_chosen, false, sizeof(a.w->options.pcp_chosen));
	assert_false(run(&a, &r));
	alloc_world_close(&a);
}

static void test_a_lost_cpu(void **unused)
{
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	alloc_world_open(&a, alloc_small_machine());
	a.w->machine.timeout_cycles = 20000000;
	a.w->lost_call = a.w->run_calls + 1;
	assert_true(run(&a, &r));
	assert_string_equal(r.fault, "some CPUs were waited for in vain");
	assert_int_equal(r.runs, 0);
	assert_false(r.free_fault);
	alloc_world_close(&a);
}

static void lose_a_page(struct world *w)
{
	buddy_alloc_node(&w->buddy, 1, 0);
}

/* Before the second cell begins. */
static void test_a_lost_page(void **unused)
{
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	alloc_world_open(&a, alloc_small_machine());
	a.w->broken_call = a.w->run_calls + 2;
	a.w->break_it = lose_a_page;
	assert_true(run(&a, &r));
	assert_string_equal(r.fault, "pages were lost");
	assert_int_equal(r.runs, 1);
	assert_int_equal(r.fault_bench, PCP_ORDERS);
	assert_int_equal(r.fault_way, r.ways[0]);
	alloc_world_close(&a);
}

static void test_injected(void **unused)
{
	static const struct {
		enum inject inject;
		enum free_fault_kind kind;
		uint32_t order;
	} cases[] = {
		{ INJECT_DOUBLE_FREE, FREE_FAULT_DOUBLE, 0 },
		{ INJECT_FREE_RESERVED, FREE_FAULT_RESERVED, 0 },
		{ INJECT_FREE_ORDER, FREE_FAULT_ORDER, 0 },
	};
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	for (int pcp = 0; pcp < PCP_COUNT; pcp++)
		for (unsigned i = 0; i < 3; i++) {
			const struct free_fault *f = &a.allocator.fault;

			alloc_world_open(&a, alloc_small_machine());
			memset(a.w->options.pcp_chosen, false, sizeof(a.w->options.pcp_chosen));
			a.w->options.pcp_chosen[pcp] = true;
			a.w->options.inject = cases[i].inject;
			assert_true(run(&a, &r));
			assert_string_equal(r.fault, "a page was freed that must not be");
			assert_true(r.free_fault && r.fault_way == (enum pcp)pcp);
			assert_int_equal(a.allocator.fault_count, 1);
			assert_int_equal(f->kind, cases[i].kind);
			assert_int_equal(f->order, cases[i].order);
			assert_int_equal(f->cpu, 0);
			if (f->kind == FREE_FAULT_RESERVED)
				assert_int_equal(f->pfn, 0);
			alloc_world_close(&a);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_cells_of_one_node),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_too_little_memory),
		cmocka_unit_test(test_too_little_memory_for_one),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_crews_too_large),
		cmocka_unit_test(test_needs_memory_and_ways),
		cmocka_unit_test(test_a_lost_cpu),
		cmocka_unit_test(test_a_lost_page),
		cmocka_unit_test(test_injected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
