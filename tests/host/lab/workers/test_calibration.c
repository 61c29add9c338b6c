/* SPDX-License-Identifier: GPL-2.0-only */
/* The single-core figure on a machine of threads, by clocks that do not depend on how fast the host
 * is. The search: test_calibrate_search.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/workers/calibration.h"
#include "lib/page_units.h"
#include "mm/init/chunk.h"
#include "tests/host/odd_machine.h"

enum { HZ = 1000000000 };

static struct calibration result;
/* Each reading is 1000 later than the last one, on whatever CPU. */
static _Atomic uint64_t ticks;

static uint64_t ticking_clock(void *context)
{
	(void)context;
	return ticks += 1000;
}

/* As world_usual, but with enough to do for 5 % of it to be a few blocks for each worker. */
static struct world *new_world(uint64_t (*now)(void *context))
{
	struct world *w = world_new();
	struct topology *t = &w->topology;

	fake_ram(t, 256, 16 * SECTION_PAGES + 1000, 0);
	fake_ram(t, 16 * SECTION_PAGES + 1000, 48 * SECTION_PAGES, 1);
	fake_ram(t, 49 * SECTION_PAGES + 5, 53 * SECTION_PAGES - 5, 2);
	add_cpus(w, 0, 2);
	add_cpus(w, 1, 3);
	t->nodes[2].adopted = true;
	t->nodes[2].adopter = 1;
	range_list_add(&w->reserved, 20 * SECTION_PAGES - 1, 20 * SECTION_PAGES + 1);
	world_populate(w, 56);
	w->machine.now = now;
	return w;
}

static bool run(struct world *w, bool search)
{
	struct calibrate_input input = { &w->input, HZ, search };

	world_memory(w, calibrate_bytes(&w->input, 0));
	memset(&result, 0xa5, sizeof(result));
	return calibrate_run(&input, w->memory, w->bytes, &result);
}

static void the_single_core_figure(void **unused)
{
	struct world *w = new_world(ticking_clock);

	(void)unused;
	assert_true(run(w, false));
	for (uint32_t node = 0; node < w->topology.node_count; node++) {
		const struct calibrated_node *n = &result.nodes[node];

		assert_null(n->reason);
		assert_true(n->sample.count >= 5 && n->sample.count <= CALIBRATE_SAMPLES_MAX);
		assert_int_equal(n->sample.median, 1000);
		assert_int_equal(n->sample.stddev, 0);
		assert_int_equal(result.core_mbps[node], 1048576); /* 1 MiB in a microsecond */
		assert_int_equal(result.curves[node].count, 0);
		assert_int_equal(n->probes, 0);
		assert_true(w->topology.cpus[n->cpu].online);
	}
	assert_int_equal(result.nodes[0].cpu, 0);
	w->options.page_size = 8;
	assert_true(run(w, false));
	assert_int_equal(result.core_mbps[0], 131072);
	world_free(w);
}

/* The clock is slow beside the time that a figure may take: it stops when that is over. */
static void the_figure_stops_in_time(void **unused)
{
	struct world *w = new_world(ticking_clock);
	struct calibrate_input input = { &w->input, 200000, false }; /* 36 ms are 7200 cycles */

	(void)unused;
	world_memory(w, calibrate_bytes(&w->input, 0));
	assert_true(calibrate_run(&input, w->memory, w->bytes, &result));
	for (uint32_t node = 0; node < w->topology.node_count; node++)
		assert_in_range(result.nodes[node].sample.count, 1, 3);
	world_free(w);
}

/* Two sections, of which none has 64 MiB to spare. */
static void nothing_to_measure(void **unused)
{
	struct world *w = world_new();

	(void)unused;
	fake_ram(&w->topology, 0, 256, 0);
	add_cpus(w, 0, 2);
	world_populate(w, 2);
	assert_true(run(w, true));
	assert_string_equal(result.nodes[0].reason, "nothing is deferred");
	assert_int_equal(result.core_mbps[0], 0);
	assert_int_equal(result.curves[0].count, 0);
	w->topology.cpus[0].online = w->topology.cpus[1].online = false;
	assert_false(run(w, true));
	world_free(w);
}

static void too_little_memory(void **unused)
{
	struct world *w = new_world(ticking_clock);
	struct calibrate_input input = { &w->input, HZ, true };
	uint64_t bytes = calibrate_bytes(&w->input, 0);

	(void)unused;
	world_memory(w, bytes);
	assert_false(calibrate_run(&input, w->memory, bytes - 64, &result));
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_single_core_figure),
		cmocka_unit_test(the_figure_stops_in_time),
		cmocka_unit_test(nothing_to_measure),
		cmocka_unit_test(too_little_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
