/* The calibration on a machine of threads. Clocks are told to run fast where that decides how much
 * time there is; nothing here depends on how fast the host is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/calibrate.h"
#include "lib/page_units.h"
#include "mm/chunk.h"
#include "tests/host/odd_machine.h"

enum { HZ = 1000000000 };

static struct calibration result;
static pthread_t boot_thread;
static uint64_t boot_speed, worker_speed;

static uint64_t uneven_clock(void *context)
{
	bool boot = pthread_equal(pthread_self(), boot_thread);

	(void)context;
	return tsc_ordered() * (boot ? boot_speed : worker_speed);
}

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
	boot_thread = pthread_self();
	boot_speed = worker_speed = 1;
	w->machine.now = now;
	return w;
}

static bool run(struct world *w, bool search)
{
	struct calibrate_input input = { &w->input, HZ, search };

	world_memory(w, calibrate_bytes(&w->input, 0));
	memset(&result, 0xa5, sizeof(result));
	return calibrate(&input, w->memory, w->bytes, &result);
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
	struct calibrate_input input = { &w->input, 100000, false }; /* 40 ms are 4000 cycles */

	(void)unused;
	world_memory(w, calibrate_bytes(&w->input, 0));
	assert_true(calibrate(&input, w->memory, w->bytes, &result));
	for (uint32_t node = 0; node < w->topology.node_count; node++)
		assert_in_range(result.nodes[node].sample.count, 1, 3);
	world_free(w);
}

/* Workers' clocks run a thousand times as fast as the boot CPU's: time enough. */
static void the_search_goes_to_the_end(void **unused)
{
	struct world *w = new_world(uneven_clock);

	(void)unused;
	worker_speed = 1000;
	assert_true(run(w, true));
	for (uint32_t node = 0; node < w->topology.node_count; node++) {
		const struct worker_curve *curve = &result.curves[node];
		uint32_t cpus = w->topology.nodes[node].cpu_count;

		if (!cpus) {
			assert_int_equal(curve->count, 0);
			continue;
		}
		assert_true(curve->complete);
		assert_int_equal(curve->count, cpus); /* 1, 2, 3 */
		assert_int_equal(result.nodes[node].probes, cpus);
		for (uint32_t i = 0; i < curve->count; i++) {
			assert_int_equal(curve->points[i].workers, i + 1);
			assert_true(curve->points[i].cycles > 0);
		}
	}
	assert_true(result.search_cycles > 0 && result.search_cycles < result.limit_cycles);
	assert_int_equal(w->buddy.typed_twice, 0); /* in the last step */
	assert_int_equal(w->buddy.double_frees, 0);
	world_free(w);
}

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
	for (uint64_t pfn = 151 * SECTION_PAGES; pfn < 152 * SECTION_PAGES; pfn += 20 * BLOCK_PAGES)
		range_list_add(&w->reserved, pfn, pfn + 1);
	world_populate(w, 153);
	w->machine.now = uneven_clock;
	boot_thread = pthread_self();
	boot_speed = 1;
	worker_speed = 1000;
	assert_true(run(w, true));
	assert_int_equal(result.curves[0].count, 2);
	assert_int_equal(result.curves[1].count, 2);
	assert_true(result.curves[1].complete);
	world_free(w);
}

static void make_clock_jump(struct world *w)
{
	(void)w;
	boot_speed = 4000;
}

/* It ends after its first step: more workers may or may not have helped. */
static void the_search_ends_midway(void **unused)
{
	struct world *w = new_world(uneven_clock);

	(void)unused;
	worker_speed = 1000;
	w->broken_call = 3 + 1; /* after the three figures */
	w->break_it = make_clock_jump;
	assert_true(run(w, true));
	for (uint32_t node = 0; node < 2; node++) {
		assert_int_equal(result.curves[node].count, 1);
		assert_false(result.curves[node].complete);
	}
	assert_true(result.search_cycles > result.limit_cycles);
	world_free(w);
}

/* The boot CPU's clock runs so fast that the time is over before the first step. */
static void the_search_ends_with_its_time(void **unused)
{
	struct world *w = new_world(uneven_clock);
	struct worker_facts facts = { .topology = &w->topology, .curves = result.curves };
	struct worker_count count;

	(void)unused;
	boot_speed = 1000;
	assert_true(run(w, true));
	for (uint32_t node = 0; node < w->topology.node_count; node++) {
		assert_false(result.curves[node].complete);
		assert_true(result.curves[node].count <= 1);
		count = worker_rules_count(&facts, RULE_CALIBRATED, node);
		assert_int_equal(count.used, RULE_CORES);
		assert_non_null(count.reason);
	}
	world_free(w);
}

/* All that the search wrote is done afresh by the runs, which then pass their checks, with the
 * numbers of workers that were given. */
static void runs_after_it_are_good(void **unused)
{
	static uint32_t counts[NODE_MAX] = { 1, 2, 1 };
	struct world *w = new_world(uneven_clock);

	(void)unused;
	worker_speed = 1000;
	assert_true(run(w, true));
	worker_speed = 1;
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
	struct world *w = new_world(uneven_clock);

	(void)unused;
	worker_speed = 1000;
	w->options.page_size = 16;
	assert_true(run(w, true));
	assert_true(result.curves[0].complete);
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
	boot_thread = pthread_self();
	boot_speed = worker_speed = 1;
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
	struct world *w = new_world(uneven_clock);
	struct calibrate_input input = { &w->input, HZ, true };
	uint64_t bytes = calibrate_bytes(&w->input, 0);

	(void)unused;
	world_memory(w, bytes);
	assert_false(calibrate(&input, w->memory, bytes - 64, &result));
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_single_core_figure),
		cmocka_unit_test(the_figure_stops_in_time),
		cmocka_unit_test(the_search_goes_to_the_end),
		cmocka_unit_test(a_small_node_begins_again),
		cmocka_unit_test(the_search_ends_midway),
		cmocka_unit_test(the_search_ends_with_its_time),
		cmocka_unit_test(runs_after_it_are_good),
		cmocka_unit_test(other_descriptors),
		cmocka_unit_test(nothing_to_measure),
		cmocka_unit_test(too_little_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
