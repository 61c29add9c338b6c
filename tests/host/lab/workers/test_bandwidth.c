/* SPDX-License-Identifier: GPL-2.0-only */
/* Who uses what memory, on threads and ordinary memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/workers/bandwidth.h"
#include "lab/workers/bandwidth_team.h"
#include "lab/workers/bandwidth_parts.h"
#include "lib/page_units.h"
#include "tests/host/fake_machine.h"

enum { HZ = 1000000000, MIB_FRAMES = 256, GUARD = 0x5a };

static struct bandwidth_results results;
static uint8_t *ram;
static uint64_t ram_bytes;

/* Node 0: 4 CPUs on 2 cores and RAM from frame 0; node 1: 2 CPUs, no RAM; node 2: RAM, no CPUs. */
static struct world *new_world(void)
{
	struct world *w = world_new();

	fake_ram(&w->topology, 0, 5 * MIB_FRAMES + 7, 0);
	fake_ram(&w->topology, 8 * MIB_FRAMES - 3, 30 * MIB_FRAMES, 0);
	w->topology.node_count = 2;
	fake_ram(&w->topology, 32 * MIB_FRAMES + 9, 48 * MIB_FRAMES, 2);
	add_cpus(w, 0, 4);
	add_cpus(w, 1, 2);
	for (uint32_t i = 0; i < 4; i++)
		w->topology.cpus[i].core = i / 2;
	range_list_add(&w->reserved, 12 * MIB_FRAMES + 5, 12 * MIB_FRAMES + 6);
	range_list_add(&w->reserved, 20 * MIB_FRAMES - 1, 23 * MIB_FRAMES + 1);
	ram_bytes = 50 * BANDWIDTH_BLOCK_BYTES;
	ram = aligned_alloc(1 << 20, ram_bytes);
	memset(ram, GUARD, ram_bytes);
	return w;
}

static void end_world(struct world *w)
{
	free(ram);
	free(w->memory);
	free(w);
}

static struct bandwidth_input input_of(const struct world *w)
{
	return (struct bandwidth_input){
		.machine = &w->machine,
		.topology = &w->topology,
		.reserved = &w->reserved,
		.base = ram,
		.store = STORE_PLAIN,
		.tsc_hz = HZ,
		.share = 8,
		.slice_us = 200,
		.total_ms = 1000,
	};
}

static uint32_t share = 8;

static bool run(struct world *w)
{
	struct bandwidth_input input = input_of(w);

	input.share = share;
	world_memory(w, bandwidth_bytes(&input));
	memset(&results, 0xa5, sizeof(results));
	return bandwidth_run(&input, w->memory, w->bytes, &results);
}

/* Whether any frame of [start, end) was written to. */
static bool touched(uint64_t start_pfn, uint64_t end_pfn)
{
	for (uint64_t i = start_pfn * PAGE_BYTES; i < end_pfn * PAGE_BYTES; i++)
		if (ram[i] != GUARD)
			return true;
	return false;
}

static void only_free_frames_are_used(void **state)
{
	struct world *w = new_world();

	(void)state;
	assert_true(run(w));
	assert_false(results.timed_out);
	/* 1 to 4, 8 to 11, 13 to 18, 24 to 29: 20 free MiB of node 0, of which an eighth are 3 */
	assert_int_equal(results.blocks[0], 4); /* but there are four CPUs */
	assert_int_equal(results.blocks[1], 0);
	assert_int_equal(results.blocks[2], 4); /* of 15 */
	assert_false(touched(0, MIB_FRAMES));
	assert_false(touched(5 * MIB_FRAMES, 8 * MIB_FRAMES));
	assert_false(touched(12 * MIB_FRAMES, 13 * MIB_FRAMES));
	assert_false(touched(19 * MIB_FRAMES, 24 * MIB_FRAMES));
	assert_false(touched(30 * MIB_FRAMES, 33 * MIB_FRAMES));
	assert_false(touched(48 * MIB_FRAMES, 50 * MIB_FRAMES));
	assert_true(touched(MIB_FRAMES, 5 * MIB_FRAMES));
	assert_true(touched(33 * MIB_FRAMES, 48 * MIB_FRAMES));
	end_world(w);
}

/* With every other MiB reserved, all blocks are the others. */
static void between_reservations(void **state)
{
	struct world *w = new_world();

	(void)state;
	w->reserved.count = 0;
	for (uint64_t i = 0; i < 50; i += 2)
		range_list_add(&w->reserved, i * MIB_FRAMES, (i + 1) * MIB_FRAMES);
	assert_true(run(w));
	for (uint64_t i = 0; i < 50; i += 2)
		assert_false(touched(i * MIB_FRAMES, (i + 1) * MIB_FRAMES));
	assert_int_equal(results.blocks[0], 4); /* of 1, 3, 9, 11 ... 29: 13 */
	w->reserved.count = 0; /* frames at the ends of a block, which all others would use */
	range_list_add(&w->reserved, 11 * MIB_FRAMES - 1, 11 * MIB_FRAMES);
	range_list_add(&w->reserved, 26 * MIB_FRAMES, 26 * MIB_FRAMES + 1);
	memset(ram, GUARD, ram_bytes);
	share = 2;
	assert_true(run(w));
	assert_int_equal(results.blocks[0], 12);
	assert_int_equal(results.blocks[2], 8);
	share = 1;
	assert_true(run(w));
	share = 8;
	assert_int_equal(results.blocks[0], 4 + 22 - 2);
	assert_int_equal(results.blocks[2], 15);
	assert_false(touched(0, MIB_FRAMES));
	assert_false(touched(5 * MIB_FRAMES, 8 * MIB_FRAMES));
	assert_false(touched(10 * MIB_FRAMES, 11 * MIB_FRAMES));
	assert_false(touched(26 * MIB_FRAMES, 27 * MIB_FRAMES));
	assert_false(touched(30 * MIB_FRAMES, 33 * MIB_FRAMES));
	assert_false(touched(48 * MIB_FRAMES, 50 * MIB_FRAMES));
	assert_true(touched(29 * MIB_FRAMES, 30 * MIB_FRAMES));
	w->reserved.count = 0;
	range_list_add(&w->reserved, 3 * MIB_FRAMES, 32 * MIB_FRAMES);
	assert_true(run(w)); /* two MiB are left of node 0: not for four workers */
	assert_int_equal(results.blocks[0], 2);
	assert_true(results.rows[2].mbps[BANDWIDTH_READ][BANDWIDTH_RANDOM] > 0);
	assert_int_equal(results.rows[3].workers, 4);
	assert_int_equal(results.rows[3].mbps[BANDWIDTH_READ][BANDWIDTH_RANDOM], 0);
	range_list_add(&w->reserved, 0, 50 * MIB_FRAMES);
	assert_true(run(w));
	assert_int_equal(results.row_count, 0);
	assert_int_equal(results.pair_count, 0);
	assert_string_equal(results.reasons[0], "no free MiB");
	end_world(w);
}

static void tables_are_complete(void **state)
{
	static const uint32_t shape[][2] = { { 1, 1 }, { 2, 1 }, { 2, 2 }, { 4, 2 } };
	static const uint32_t pairs[][2] = { { 0, 0 }, { 1, 0 }, { 0, 2 }, { 1, 2 } };
	struct world *w = new_world();

	(void)state;
	assert_true(run(w));
	assert_int_equal(results.row_count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		const struct sibling_row *row = &results.rows[i];

		assert_int_equal(row->node, 0);
		assert_int_equal(row->workers, shape[i][0]);
		assert_int_equal(row->cores, shape[i][1]);
		for (int kind = 0; kind < BANDWIDTH_KINDS; kind++)
			for (int order = 0; order < BANDWIDTH_ORDERS; order++)
				assert_true(row->mbps[kind][order] > 0);
	}
	assert_null(results.reasons[0]);
	assert_string_equal(results.reasons[1], "no RAM");
	assert_string_equal(results.reasons[2], "no CPU online");
	assert_int_equal(results.pair_count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		const struct node_pair *pair = &results.pairs[i];

		assert_int_equal(pair->initiator, pairs[i][0]);
		assert_int_equal(pair->target, pairs[i][1]);
		assert_true(pair->read_mbps[0] && pair->read_mbps[1] && pair->write_mbps[0] &&
			    pair->write_mbps[1] && pair->latency_ps);
	}
	assert_int_equal(results.slice_us, 200);
	end_world(w);
}

/* 32 + 20 measurements in 10 ms: not 200 us each. */
static void the_time_is_shared(void **state)
{
	struct world *w = new_world();
	struct bandwidth_input input = input_of(w);

	(void)state;
	input.total_ms = 10;
	world_memory(w, bandwidth_bytes(&input));
	assert_true(bandwidth_run(&input, w->memory, w->bytes, &results));
	assert_int_equal(results.slice_us, 10000 / (4 * 8 + 4 * 5));
	input.total_ms = 0;
	assert_true(bandwidth_run(&input, w->memory, w->bytes, &results));
	assert_int_equal(results.slice_us, 100);
	assert_false(bandwidth_run(&input, w->memory, w->bytes - 64, &results));
	end_world(w);
}

static void assert_team(const struct topology *t, uint32_t workers, uint32_t cores,
			const char *expected)
{
	char text[128] = "";
	uint32_t cpus[16], count = bandwidth_team(t, 0, workers, cores, cpus);

	assert_true(count <= workers);
	for (uint32_t i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i ? " " : "",
			 cpus[i]);
	assert_string_equal(text, expected);
}

/* CPUs 0 and 4 share a core, 1 and 5 and so on; 9 is on core 3, too, 8 elsewhere. */
static void teams(void **state)
{
	struct world *w = world_new();
	struct topology *t = &w->topology;
	uint32_t cpus, paired;

	(void)state;
	add_cpus(w, 0, 10);
	for (uint32_t i = 0; i < 10; i++)
		t->cpus[i].core = i == 9 ? 3 : i % 4;
	t->cpus[8].node = 1;
	assert_int_equal(bandwidth_cores(t, 0, &cpus, &paired), 4);
	assert_int_equal(cpus, 9);
	assert_int_equal(paired, 4);
	assert_team(t, 1, 1, "0");
	assert_team(t, 2, 1, "0 4");
	assert_team(t, 2, 2, "0 1");
	assert_team(t, 4, 2, "0 1 4 5");
	assert_team(t, 8, 4, "0 1 2 3 4 5 6 7");
	assert_team(t, 9, 4, "0 1 2 3 4 5 6 7 9");
	t->cpus[0].online = false;
	assert_team(t, 2, 1, "1 5");
	assert_team(t, 4, 4, "1 2 3 4");
	assert_team(t, 7, 4, "1 2 3 4 5 6 7");
	assert_int_equal(bandwidth_cores(t, 0, &cpus, &paired), 4);
	assert_int_equal(paired, 3);
	t->cpus[5].online = false;
	assert_team(t, 2, 2, "1 2");
	assert_team(t, 4, 2, "2 3 6 7"); /* two on each: of those that have two */
	free(w);
}

static void assert_rows(uint32_t cores, uint32_t cpus, uint32_t paired, const char *expected)
{
	struct sibling_row rows[BANDWIDTH_ROWS_MAX];
	char text[256] = "";
	uint32_t count = bandwidth_rows(cores, cpus, paired, rows);

	for (uint32_t i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u/%u", i ? " " : "",
			 rows[i].workers, rows[i].cores);
	assert_string_equal(text, expected);
}

/* The shape of the published table, and on from there. */
static void rows(void **state)
{
	struct sibling_row many[BANDWIDTH_ROWS_MAX];

	(void)state;
	assert_rows(0, 0, 0, "");
	assert_rows(1, 1, 0, "1/1");
	assert_rows(1, 2, 1, "1/1 2/1");
	assert_rows(4, 8, 4, "1/1 2/1 2/2 4/2 4/4 8/4");
	assert_rows(22, 44, 22, "1/1 2/1 2/2 4/2 4/4 8/4 8/8 16/8 16/16 32/16 22/22 44/22");
	assert_rows(6, 6, 0, "1/1 2/2 4/4 6/6");
	assert_rows(4, 6, 2, "1/1 2/1 2/2 4/2 4/4 6/4"); /* some cores without a sibling */
	assert_rows(2, 8, 2, "1/1 2/1 2/2 4/2 8/2"); /* four threads a core */
	assert_true(bandwidth_rows(CPU_MAX / 2, CPU_MAX, CPU_MAX / 2, many) <= BANDWIDTH_ROWS_MAX);
}

static void somebody_does_not_come(void **state)
{
	struct world *w = new_world();

	(void)state;
	w->machine.timeout_cycles = 50000000;
	w->lost_call = 2 + 8 + 1; /* two nodes touched, a row of one worker, then two */
	assert_true(run(w));
	assert_true(results.timed_out);
	assert_int_equal(results.rows[1].mbps[BANDWIDTH_READ][BANDWIDTH_RANDOM], 0);
	assert_true(results.rows[1].mbps[BANDWIDTH_READ][BANDWIDTH_SEQUENTIAL] > 0);
	end_world(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_free_frames_are_used),
		cmocka_unit_test(between_reservations),
		cmocka_unit_test(tables_are_complete),
		cmocka_unit_test(the_time_is_shared),
		cmocka_unit_test(teams),
		cmocka_unit_test(rows),
		cmocka_unit_test(somebody_does_not_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
