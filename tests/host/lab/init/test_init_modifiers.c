/* SPDX-License-Identifier: GPL-2.0-only */
/* threads=, chunk=, split= and page_size=, under each policy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/run/begin.h"
#include "tests/host/odd_machine.h"

static void assert_all_good(struct world *w, uint32_t runs)
{
	skip_exercise(w);
	assert_true(world_run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.run_count, runs);
	for (uint32_t i = 0; i < runs; i++)
		assert_run_good(w, &w->results.runs[i]);
}

/* threads=, chunk= and split= change what is compared, never what it is compared with. */
static void test_the_baseline_is_spared(void **unused)
{
	struct world *w = world_usual(), *plain = world_usual();
	const struct job *node, *untouched, *padata;

	(void)unused;
	assert_all_good(plain, 3);
	w->options.threads = 2;
	for (int split = SPLIT_DYNAMIC; split <= SPLIT_STATIC; split++) {
		w->options.chunk_mib = split == SPLIT_STATIC ? 0 : 8;
		w->options.split = (enum split)split;
		assert_all_good(w, 3);
		node = &plan_of(w, POLICY_NODE)->jobs[0].job;
		untouched = &plan_of(plain, POLICY_NODE)->jobs[0].job;
		padata = &plan_of(w, POLICY_PADATA)->jobs[0].job;
		assert_memory_equal(node, untouched, sizeof(*node));
		assert_int_equal(plan_of(w, POLICY_NODE)->nodes[1].worker_count, 1);
		/* two jobs of a section each, which a fixed split does not divide */
		assert_int_equal(plan_of(w, POLICY_PADATA)->nodes[1].worker_count, 2 - split);
		assert_int_equal(padata->exact_chunk, split == SPLIT_STATIC ? 0 : 2048);
		assert_int_equal(padata->split,
				 split == SPLIT_STATIC ? DISPATCH_FIXED : DISPATCH_DYNAMIC);
	}
	world_free(plain);
	world_free(w);
}

static uint32_t chunks_in(const struct world *w, enum policy policy)
{
	uint32_t chunks;

	sum_cpus(&w->results, run_of(w, policy, 1), &chunks);
	return chunks;
}

/* Chunks of exactly 4 MiB: as many as the jobs' windows have blocks. */
static void test_exact_chunks(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	choose_all(w);
	w->options.chunk_mib = 4;
	assert_all_good(w, ALL_RUNS);
	for (uint32_t i = 1; i < w->results.policy_count; i++) {
		const struct init_plan *plan = w->results.plans[i];
		uint64_t blocks = 0;

		for (uint32_t j = 0; j < plan->job_count; j++) {
			const struct job *job = &plan->jobs[j].job;
			uint64_t end = job->start + job->size;

			blocks += (end + BLOCK_PAGES - 1) / BLOCK_PAGES -
				  job->start / BLOCK_PAGES;
		}
		assert_int_equal(chunks_in(w, w->results.policies[i]), blocks);
	}
	/* larger than any job: one chunk each, and a chunk's border inside the job */
	w->options.chunk_mib = 65536;
	assert_all_good(w, ALL_RUNS);
	assert_int_equal(chunks_in(w, POLICY_ZONE), plan_of(w, POLICY_ZONE)->job_count);
	world_free(w);
}

/*
 * A fixed split, CPUs that serve two nodes each and begin at different ones: whoever waited at one
 * node for the first pass of the other CPU would wait for ever.
 */
static void test_fixed_split(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	choose_all(w);
	w->options.split = SPLIT_STATIC;
	w->options.chunk_mib = 4;
	w->options.threads = 3;
	w->options.repeat = 3;
	w->machine.timeout_cycles = 1ull << 32;
	assert_all_good(w, 1 + 3 * POLICY_COUNT);
	world_free(w);
}

static void test_single_threads(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	choose_all(w);
	w->options.threads = 1;
	for (int split = SPLIT_DYNAMIC; split <= SPLIT_STATIC; split++) {
		w->options.split = (enum split)split;
		assert_all_good(w, ALL_RUNS);
		for (uint32_t i = 0; i < w->results.node_count; i++)
			assert_int_equal(w->results.nodes[i].workers, 1);
		/* a fixed split has a chunk per worker, by the rules there are four */
		assert_int_equal(chunks_in(w, POLICY_ZONE) == plan_of(w, POLICY_ZONE)->job_count,
				 split == SPLIT_STATIC);
	}
	world_free(w);
}

/* ---- more than there is --------------------------------------------------------------------- */

static void test_more_threads_than_cpus(void **unused)
{
	struct world *w = world_usual();
	static struct anomaly_log log;

	(void)unused;
	w->options.threads = 3; /* as many as node 1 has */
	lab_check_options(&w->options, &w->topology, &log);
	assert_true(w->options.threads == 3 && !log.count);
	w->topology.cpus[4].online = false;
	lab_check_options(&w->options, &w->topology, &log);
	assert_true(w->options.threads == 0 && log.count == 1);
	assert_string_equal(log.entries[0].table, "options");
	assert_int_equal(log.entries[0].value, 3);
	lab_check_options(&w->options, &w->topology, &log);
	assert_int_equal(log.count, 1);
	world_free(w);
}

/* ---- smaller descriptors -------------------------------------------------------------------- */

static const uint32_t sizes[] = { 56, 40, 32, 16, 8 };

static void test_small_descriptors_are_only_initialised(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct world *w = world_usual();

		choose_all(w);
		w->options.page_size = sizes[i];
		assert_true(world_run(w));
		assert_true(w->results.verified && w->results.init_only);
		assert_int_equal(w->results.page_size, sizes[i]);
		assert_int_equal(w->results.run_count, ALL_RUNS);
		assert_int_equal(w->progress_count, ALL_RUNS);
		assert_int_equal(w->progress[0].count, ALL_RUNS);
		assert_false(w->results.growth.done);
		for (uint32_t r = 0; r < ALL_RUNS; r++) {
			const struct run_sample *run = &w->results.runs[r];

			assert_true(run->good && run->tiled && !run->first_pass_cycles);
			assert_true(!run->early_free_cycles && !run->allocator.exercised);
			assert_int_equal(run->pages, plan_of(w, run->policy)->deferred_pages);
			assert_int_equal(run->early_pages, plan_of(w, run->policy)->early_pages);
			assert_int_equal(sum_nodes(&w->results, run), run->pages);
		}
		assert_true(run_of(w, POLICY_ASYNC, 1)->async.degraded);
		assert_int_equal(w->start_calls, 0);
		world_free(w);
	}
}

static uint32_t broken_size;

static void damage_descriptor(struct world *w)
{
	uint8_t *section = (uint8_t *)(w->fake.memmap.base + 6 * SECTION_PAGES);

	section[broken_size * 100] ^= 1;
}

static void test_small_descriptors_are_checked(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct world *w = world_usual();

		broken_size = w->options.page_size = sizes[i];
		w->break_it = damage_descriptor;
		w->broken_call = 3;
		assert_true(world_run(w));
		assert_false(w->results.verified);
		assert_int_equal(w->results.run_count, 1);
		assert_int_equal(w->results.runs[0].totals.mismatches, 1);
		assert_int_equal(w->results.runs[0].totals.first_bad_pfn, 6 * SECTION_PAGES + 100);
		world_free(w);
	}
}

/* ---- how much memory the experiments want --------------------------------------------------- */

/* RAM without a memmap: only bounds are asked for. */
static uint64_t bytes_for(uint64_t node_pages, uint32_t nodes, uint32_t cpus_per_node,
			  uint32_t chunk_mib, uint64_t *sweep)
{
	struct world *w = world_new();
	uint64_t bytes;

	choose_all(w);
	w->options.repeat = 5;
	w->options.chunk_mib = chunk_mib;
	for (uint32_t node = 0; node < nodes; node++) {
		fake_ram(&w->topology, node * node_pages + 256, (node + 1) * node_pages, node);
		add_cpus(w, node, cpus_per_node);
	}
	w->fake.memmap.count = nodes * node_pages / SECTION_PAGES;
	bytes = init_bytes(&w->input, 64);
	*sweep = sweep_bytes(&w->input, 64);
	free(w);
	return bytes;
}

static void test_memory_stays_within_bounds(void **unused)
{
	uint64_t tib = 1ull << 28, mib = 1 << 20, sweep;

	(void)unused;
	/* 1 TiB, 8 nodes of 64 CPUs */
	assert_in_range(bytes_for(tib / 8, 8, 64, 0, &sweep), 1 * mib, 16 * mib);
	assert_in_range(sweep, 6 * mib, 32 * mib);
	/* and with records for 262,144 chunks of two passes */
	assert_in_range(bytes_for(tib / 8, 8, 64, 4, &sweep), 12 * mib, 48 * mib);
	/* 64 TiB, 64 nodes, 4096 CPUs */
	assert_in_range(bytes_for(tib, 64, 64, 0, &sweep), 16 * mib, 128 * mib);
	assert_in_range(sweep, 16 * mib, 160 * mib);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_baseline_is_spared),
		cmocka_unit_test(test_exact_chunks),
		cmocka_unit_test(test_fixed_split),
		cmocka_unit_test(test_single_threads),
		cmocka_unit_test(test_more_threads_than_cpus),
		cmocka_unit_test(test_small_descriptors_are_only_initialised),
		cmocka_unit_test(test_small_descriptors_are_checked),
		cmocka_unit_test(test_memory_stays_within_bounds),
	};

	return cmocka_run_group_tests_name("init_modifiers", tests, NULL, NULL);
}
