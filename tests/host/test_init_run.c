#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/fake_machine.h"

/*
 * Node 0 with a legacy hole, node 1 beginning inside a section of node 0, node 2 without CPUs,
 * adopted by node 1; reservations in deferred parts and over the end of RAM.
 */
static struct world *world_usual(void)
{
	struct world *w = world_new();
	struct topology *t = &w->topology;

	fake_ram(t, 1, 159, 0);
	fake_ram(t, 256, 3 * SECTION_PAGES + 1000, 0);
	fake_ram(t, 3 * SECTION_PAGES + 1000, 8 * SECTION_PAGES, 1);
	fake_ram(t, 9 * SECTION_PAGES + 5, 12 * SECTION_PAGES - 5, 2);
	add_cpus(w, 0, 2);
	add_cpus(w, 1, 3);
	t->nodes[2].adopted = true;
	t->nodes[2].adopter = 1;
	range_list_add(&w->reserved, 0, 16);
	range_list_add(&w->reserved, 3 * SECTION_PAGES + 7, 3 * SECTION_PAGES + 400);
	range_list_add(&w->reserved, 7 * SECTION_PAGES - 1, 7 * SECTION_PAGES + 1);
	range_list_add(&w->reserved, 12 * SECTION_PAGES - 10, 13 * SECTION_PAGES);
	fake_memmap_open(&w->fake, 16 * SECTION_PAGES);
	fake_memmap_populate(&w->fake, t);
	return w;
}

static bool run(struct world *w)
{
	free(w->memory);
	w->bytes = init_run_bytes(&w->input, 0);
	w->memory = aligned_alloc(64, w->bytes);
	memset(w->memory, 0xa5, w->bytes);
	return init_run(&w->input, w->memory, w->bytes, &w->results);
}

static void world_free(struct world *w)
{
	fake_memmap_close(&w->fake);
	free(w->memory);
	free(w);
}

static uint64_t sum_nodes(const struct init_results *r, const struct init_run_sample *run)
{
	uint64_t pages = 0, slowest = 0;

	for (uint32_t i = 0; i < r->node_count; i++) {
		const struct init_node_sample *s = &r->nodes[i];

		if (s->policy != run->policy || s->repetition != run->repetition)
			continue;
		assert_true(s->cycles && s->workers);
		slowest = s->cycles > slowest ? s->cycles : slowest;
		pages += s->pages;
	}
	assert_true(run->cycles == slowest);
	return pages;
}

static uint64_t sum_cpus(const struct init_results *r, const struct init_run_sample *run,
			 uint32_t *chunks)
{
	uint64_t pages = 0, last = 0;
	uint32_t count = 0;

	*chunks = 0;
	for (uint32_t i = 0; i < r->cpu_count; i++) {
		const struct init_cpu_sample *s = &r->cpus[i];

		if (s->policy != run->policy || s->repetition != run->repetition)
			continue;
		count++;
		pages += s->pages;
		*chunks += s->chunks;
		last = s->cycles > last ? s->cycles : last;
	}
	assert_int_equal(count, run->workers);
	assert_true(last >= run->cycles);
	return pages;
}

static uint32_t chunks_of(const struct init_plan *plan)
{
	uint64_t chunks = 0;

	for (uint32_t i = 0; i < plan->job_count; i++) {
		const struct init_job *job = &plan->jobs[i];
		uint64_t workers = job->size_pages / job->min_chunk_pages, chunk;

		workers = workers < 1 ? 1 : workers > job->max_workers ? job->max_workers : workers;
		chunk = job->size_pages / (workers * 4);
		chunk = chunk < job->min_chunk_pages ? job->min_chunk_pages : chunk;
		chunk = (chunk + job->align_pages - 1) / job->align_pages * job->align_pages;
		chunks += (job->start_pfn + job->size_pages - 1) / chunk -
			  job->start_pfn / chunk + 1;
	}
	return (uint32_t)chunks;
}

static void assert_run_good(const struct world *w, const struct init_run_sample *run)
{
	const struct init_results *r = &w->results;
	const struct init_plan *plan = r->plans[run->policy == POLICY_NODE ? 0 : 1];
	uint32_t chunks;

	assert_true(run->tiled && !run->timed_out && !run->totals.mismatches);
	assert_memory_equal(run->totals.pages, r->expected.pages, sizeof(r->expected.pages));
	assert_int_equal(run->pages, plan->deferred_pages);
	assert_int_equal(run->early_pages, plan->early_pages);
	assert_int_equal(sum_nodes(r, run), run->pages);
	assert_int_equal(sum_cpus(r, run, &chunks), run->pages);
	assert_int_equal(chunks, chunks_of(plan));
	assert_true(run->early_cycles && run->wake_cycles);
}

static void test_both_policies_interleaved(void **unused)
{
	struct world *w = world_usual();
	const struct init_results *r = &w->results;

	(void)unused;
	w->options.repeat = 3;
	assert_true(run(w));
	assert_true(r->verified);
	assert_int_equal(r->policy_count, 2);
	assert_int_equal(r->run_count, 6);
	assert_int_equal(w->progress_count, 6);
	assert_int_equal(r->node_count, 18);
	for (uint32_t i = 0; i < 6; i++) {
		enum policy policy = i % 2 ? POLICY_PADATA : POLICY_NODE;

		assert_int_equal(r->runs[i].policy, policy);
		assert_int_equal(r->runs[i].repetition, i / 2);
		assert_int_equal(w->progress[i].policy, policy);
		assert_int_equal(w->progress[i].repetition, i / 2);
		assert_run_good(w, &r->runs[i]);
	}
	assert_int_equal(r->runs[0].workers, 3);
	assert_int_equal(r->runs[1].workers, 5);
	assert_int_equal(r->expected.pages[FRAME_FREE] + r->expected.pages[FRAME_RESERVED],
			 w->topology.ram_pages);
	world_free(w);
}

static void test_baseline_alone(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->options.policy_chosen[POLICY_PADATA] = false;
	w->options.policy_chosen[POLICY_NODE] = true;
	assert_true(run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.policy_count, 1);
	assert_int_equal(w->results.run_count, 1);
	assert_run_good(w, &w->results.runs[0]);
	world_free(w);
}

/* threads= and chunk= change what is compared, never what it is compared with. */
static void test_threads_and_chunk_spare_the_baseline(void **unused)
{
	struct world *w = world_usual(), *plain = world_usual();
	const struct init_plan *node, *padata;

	(void)unused;
	w->options.threads = 1;
	assert_true(run(w) && run(plain));
	assert_int_equal(plain->results.plans[1]->nodes[1].worker_count, 2);
	assert_int_equal(w->results.plans[1]->nodes[1].worker_count, 1);
	w->options.threads = 2;
	w->options.chunk_mib = 256;
	assert_true(run(w));
	assert_true(w->results.verified);
	node = w->results.plans[0];
	padata = w->results.plans[1];
	assert_int_equal(node->nodes[1].worker_count, 1);
	assert_int_equal(node->jobs[0].min_chunk_pages,
			 plain->results.plans[0]->jobs[0].min_chunk_pages);
	assert_int_equal(padata->nodes[1].worker_count, 1); /* too little for two such chunks */
	assert_int_equal(padata->jobs[0].min_chunk_pages, 65536);
	assert_run_good(w, &w->results.runs[0]);
	assert_run_good(w, &w->results.runs[1]);
	world_free(plain);
	world_free(w);
}

/* One CPU for three nodes goes from one to the next. */
static void test_one_cpu_serves_all_nodes(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	for (uint32_t i = 1; i < w->topology.cpu_count; i++)
		w->topology.cpus[i].online = false;
	assert_true(run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.node_count, 6);
	assert_int_equal(w->results.cpu_count, 2);
	assert_run_good(w, &w->results.runs[0]);
	assert_run_good(w, &w->results.runs[1]);
	world_free(w);
}

static void test_more_cpus_than_sections(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	add_cpus(w, 0, 20);
	assert_true(run(w));
	assert_true(w->results.verified);
	assert_run_good(w, &w->results.runs[1]);
	world_free(w);
}

/* A machine of less than a section: the boot CPU does it all. */
static void test_nothing_deferred(void **unused)
{
	struct world *w = world_new();

	(void)unused;
	fake_ram(&w->topology, 1, 159, 0);
	fake_ram(&w->topology, 256, 20000, 0);
	add_cpus(w, 0, 2);
	fake_memmap_open(&w->fake, 2 * SECTION_PAGES);
	fake_memmap_populate(&w->fake, &w->topology);
	assert_true(run(w));
	assert_true(w->results.verified);
	assert_int_equal(w->results.run_count, 2);
	assert_int_equal(w->results.runs[0].workers, 0);
	assert_int_equal(w->results.runs[0].pages, 0);
	assert_int_equal(w->results.runs[0].early_pages, SECTION_PAGES);
	assert_int_equal(w->results.node_count + w->results.cpu_count, 0);
	world_free(w);
}

static void test_altered_page_is_caught(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->options.inject = INJECT_PAGE;
	w->options.repeat = 3;
	assert_true(run(w));
	assert_false(w->results.verified);
	assert_int_equal(w->results.run_count, 1);
	assert_true(w->results.runs[0].tiled);
	assert_int_equal(w->results.runs[0].totals.mismatches, 1);
	assert_int_equal(w->results.runs[0].totals.first_bad_pfn, 12 * SECTION_PAGES - 6);
	assert_string_equal(w->results.runs[0].totals.first_bad_field, "node");
	world_free(w);
}

static void test_chunk_claimed_twice_is_caught(void **unused)
{
	struct world *w = world_usual();
	const struct init_run_sample *sample;

	(void)unused;
	w->options.inject = INJECT_CHUNK;
	assert_true(run(w));
	sample = &w->results.runs[0];
	assert_false(w->results.verified);
	assert_int_equal(w->results.run_count, 1);
	assert_false(sample->tiled);
	assert_int_equal(sample->totals.mismatches, 0);
	assert_int_equal(sample->bad_pfn, w->results.plans[0]->jobs[0].start_pfn);
	assert_true(sample->pages > w->results.plans[0]->deferred_pages);
	world_free(w);
}

/* Calls of run() come in threes: poison, workers, oracle. */
static void test_damage_in_a_later_run_stops_there(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->options.repeat = 4;
	w->broken_call = 9;
	w->broken_pfn = 5 * SECTION_PAGES;
	assert_true(run(w));
	assert_false(w->results.verified);
	assert_int_equal(w->results.run_count, 3);
	assert_int_equal(w->results.runs[2].totals.first_bad_pfn, 5 * SECTION_PAGES);
	assert_string_equal(w->results.runs[2].totals.first_bad_field, "other");
	world_free(w);
}

static void test_lost_worker_ends_the_run_in_time(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->machine.timeout_cycles = 50000000;
	w->lost_call = 2;
	assert_true(run(w));
	assert_false(w->results.verified);
	assert_int_equal(w->results.run_count, 1);
	assert_true(w->results.runs[0].timed_out);
	assert_false(w->results.runs[0].tiled);
	assert_int_equal(w->results.node_count + w->results.cpu_count, 0);
	/* the others did not begin without it */
	assert_true(w->fake.memmap.base[5 * SECTION_PAGES].flags == UINT64_MAX);
	world_free(w);
}

/* A CPU whose clock is behind gets 0 cycles, not 2^64, and is named. */
static void test_clock_behind_is_clamped(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	w->slow_clock = 1ull << 35;
	assert_true(run(w));
	assert_true(w->results.verified);
	assert_in_range(w->results.skew_cycles, 1ull << 34, 1ull << 35);
	for (uint32_t i = 0; i < w->results.cpu_count; i++)
		assert_int_equal(w->results.cpus[i].cycles, 0);
	for (uint32_t i = 0; i < w->results.node_count; i++)
		assert_int_equal(w->results.nodes[i].cycles, 0);
	world_free(w);
}

static void test_clock_ahead_is_noticed(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	assert_true(run(w));
	assert_in_range(w->results.skew_cycles, 0, 1ull << 30);
	w->slow_clock = -(1ull << 35);
	assert_true(run(w));
	assert_true(w->results.verified);
	assert_in_range(w->results.skew_cycles, 1ull << 34, 1ull << 35);
	world_free(w);
}

static void test_no_cpu_online(void **unused)
{
	struct world *w = world_usual();

	(void)unused;
	for (uint32_t i = 0; i < w->topology.cpu_count; i++)
		w->topology.cpus[i].online = false;
	assert_false(run(w));
	assert_false(w->results.verified);
	world_free(w);
}

/* Every size that is too small is refused before anything is written behind its end. */
static void test_too_little_memory(void **unused)
{
	struct world *w = world_usual();
	uint64_t bytes = init_run_bytes(&w->input, 0);

	(void)unused;
	for (uint64_t size = 0; size < bytes; size += 64 + size / 16 * 4 / 64 * 64) {
		void *memory = aligned_alloc(64, size ? size : 64);

		assert_false(init_run(&w->input, memory, size, &w->results));
		free(memory);
	}
	assert_false(init_run(&w->input, NULL, 0, &w->results));
	world_free(w);
}

/* The bound is asked for before the last reservations are made, this memory among them. */
static void test_bound_allows_for_later_reservations(void **unused)
{
	struct world *w = world_usual();
	uint64_t bytes = init_run_bytes(&w->input, 60);

	(void)unused;
	for (uint64_t i = 0; i < 60; i++)
		range_list_add(&w->reserved, 300 + i * 5000, 301 + i * 5000 + i);
	w->memory = aligned_alloc(64, bytes);
	assert_true(init_run(&w->input, w->memory, bytes, &w->results));
	assert_true(w->results.verified);
	assert_true(bytes >= init_run_bytes(&w->input, 0));
	assert_run_good(w, &w->results.runs[1]);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_policies_interleaved),
		cmocka_unit_test(test_baseline_alone),
		cmocka_unit_test(test_threads_and_chunk_spare_the_baseline),
		cmocka_unit_test(test_one_cpu_serves_all_nodes),
		cmocka_unit_test(test_more_cpus_than_sections),
		cmocka_unit_test(test_nothing_deferred),
		cmocka_unit_test(test_altered_page_is_caught),
		cmocka_unit_test(test_chunk_claimed_twice_is_caught),
		cmocka_unit_test(test_damage_in_a_later_run_stops_there),
		cmocka_unit_test(test_lost_worker_ends_the_run_in_time),
		cmocka_unit_test(test_clock_behind_is_clamped),
		cmocka_unit_test(test_clock_ahead_is_noticed),
		cmocka_unit_test(test_no_cpu_online),
		cmocka_unit_test(test_too_little_memory),
		cmocka_unit_test(test_bound_allows_for_later_reservations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
