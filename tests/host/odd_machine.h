/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The machine on which most tests of the experiments run. */
#include "tests/host/fake_machine.h"

/*
 * Node 0 with a legacy hole, node 1 beginning inside a block of 4 MiB of node 0, node 2 without
 * CPUs, adopted by node 1, beginning and ending inside sections; reservations in deferred parts and
 * over the end of RAM.
 */
static inline struct world *world_usual(void)
{
	struct world *w = world_new();
	struct topology *t = &w->topology;

	fake_ram(t, 1, 159, 0);
	fake_ram(t, 256, 4 * SECTION_PAGES + 1000, 0);
	fake_ram(t, 4 * SECTION_PAGES + 1000, 8 * SECTION_PAGES, 1);
	fake_ram(t, 9 * SECTION_PAGES + 5, 13 * SECTION_PAGES - 5, 2);
	add_cpus(w, 0, 2);
	add_cpus(w, 1, 3);
	t->nodes[2].adopted = true;
	t->nodes[2].adopter = 1;
	range_list_add(&w->reserved, 0, 16);
	range_list_add(&w->reserved, 2 * SECTION_PAGES + 7, 2 * SECTION_PAGES + 4000);
	range_list_add(&w->reserved, 7 * SECTION_PAGES - 1, 7 * SECTION_PAGES + 1);
	range_list_add(&w->reserved, 13 * SECTION_PAGES - 10, 14 * SECTION_PAGES);
	world_populate(w, 16);
	return w;
}

/* As a machine of more memory than is allocated page by page: that takes the longest. */
static inline void skip_exercise(struct world *w)
{
	w->topology.ram_pages = (64ull << 18) + 1;
}

/* All policies once, and the cold run. */
enum { ALL_RUNS = 1 + POLICY_COUNT };

static inline void choose_all(struct world *w)
{
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		w->options.policy_chosen[policy] = true;
}

static inline void choose(struct world *w, enum policy policy)
{
	memset(w->options.policy_chosen, 0, sizeof(w->options.policy_chosen));
	w->options.policy_chosen[policy] = true;
}

static inline const struct init_plan *plan_of(const struct world *w, enum policy policy)
{
	for (uint32_t i = 0; i < w->results.policy_count; i++)
		if (w->results.policies[i] == policy)
			return w->results.plans[i];
	fail();
	return NULL;
}

static inline const struct run_sample *run_of(const struct world *w, enum policy policy,
						   uint32_t repetition)
{
	for (uint32_t i = 0; i < w->results.run_count; i++)
		if (w->results.runs[i].policy == policy &&
		    w->results.runs[i].repetition == repetition)
			return &w->results.runs[i];
	fail();
	return NULL;
}

static inline uint64_t sum_nodes(const struct init_results *r, const struct run_sample *run)
{
	uint64_t pages = 0, slowest = 0;

	for (uint32_t i = 0; i < r->node_count; i++) {
		const struct init_node_sample *s = &r->nodes[i];

		if (s->policy != run->policy || s->repetition != run->repetition)
			continue;
		assert_true(s->workers);
		slowest = s->cycles > slowest ? s->cycles : slowest;
		pages += s->pages;
	}
	assert_true(run->cycles == slowest);
	return pages;
}

static inline uint64_t sum_cpus(const struct init_results *r, const struct run_sample *run,
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

/* What holds for every good run of 64-byte struct pages. */
static inline void assert_run_good(const struct world *w, const struct run_sample *run)
{
	const struct init_results *r = &w->results;
	const struct init_plan *plan = plan_of(w, run->policy);
	const struct allocator_sample *a = &run->allocator;
	uint32_t chunks;

	assert_true(run->good && run->tiled && !run->timed_out && !run->totals.mismatches);
	assert_memory_equal(run->totals.pages, r->expected.pages, sizeof(r->expected.pages));
	assert_int_equal(run->pages, plan->deferred_pages);
	assert_int_equal(run->early_pages, plan->early_pages);
	assert_int_equal(sum_nodes(r, run), run->pages);
	assert_int_equal(sum_cpus(r, run, &chunks), run->pages);
	assert_true(chunks >= plan->job_count);
	assert_true(run->early_cycles && run->early_free_cycles);
	assert_int_equal(run->first_pass_cycles != 0,
			 run->policy == POLICY_KTASK && run->pages && run->cycles);
	assert_true(run->first_pass_cycles <= run->cycles);
	assert_int_equal(a->census.free_pages, r->expected.pages[FRAME_FREE]);
	assert_int_equal(a->census.managed_pages, r->expected.pages[FRAME_FREE]);
	assert_int_equal(a->expected_free_pages, r->expected.pages[FRAME_FREE]);
	assert_int_equal(a->pageblocks, a->expected_pageblocks);
	assert_int_equal(a->census.lazy_blocks != 0, run->policy == POLICY_LAZY && run->pages);
}
