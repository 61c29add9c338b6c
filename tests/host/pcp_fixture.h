/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `pcp` on a small machine of threads. */
#include "lab/alloc/pages_check.h"
#include "lab/alloc/pcp_bench_state.h"
#include "tests/host/alloc_world.h"

static const struct pcp_limits brief = { 200, 1, UINT32_MAX };

static inline bool run(struct alloc_world *a, struct pcp_results *r)
{
	alloc_world_memory(a, pcp_bytes(&a->input));
	return pcp_run(&a->input, &brief, a->memory, a->bytes, r);
}

static inline void assert_sample(const struct pcp_results *r, const struct pcp_sample *s)
{
	uint64_t mean = pcp_millicycles(s);

	assert_true(s->operations && s->cycles);
	assert_true(s->fastest_millicycles <= s->slowest_millicycles);
	assert_in_range(mean, s->fastest_millicycles, s->slowest_millicycles);
	assert_int_equal(r->longest_slice_us, 200);
}

static inline void assert_counters(const struct pcp_results *r, uint32_t cell, uint32_t way)
{
	const struct pcp_counters *c = pcp_counters(r, cell, way);
	uint64_t operations = 0;

	for (uint32_t rep = 0; rep < r->repeat; rep++)
		operations += pcp_sample(r, cell, way, rep)->operations;
	assert_int_equal(c->pages.allocations, c->pages.frees);
	assert_true(c->pages.hits <= c->pages.allocations + c->pages.frees);
	assert_int_equal(c->pages.failures, 0);
	if (r->cells[cell].bench == PCP_CROSS)
		assert_true(c->pages.allocations + c->pages.frees > operations);
	else
		assert_true(c->pages.allocations > operations);
	if (r->ways[way] == PCP_NONE)
		assert_true(c->zone_acquisitions >= c->pages.allocations + c->pages.frees);
	else if (!r->cells[cell].order && r->cells[cell].bench == PCP_ORDERS)
		assert_true(c->zone_acquisitions < c->pages.allocations / 10 + 20);
}

static inline void test_all_ways(void **unused)
{
	struct alloc_world a;
	struct pcp_results r;

	(void)unused;
	alloc_world_open(&a, alloc_small_machine());
	assert_true(run(&a, &r));
	if (r.fault)
		fail_msg("%s, way %s, bench %d", r.fault, pcp_name(r.fault_way), r.fault_bench);
	assert_int_equal(r.way_count, PCP_COUNT);
	assert_int_equal(r.repeat, 5);
	assert_int_equal(r.cell_count, 11 + 14 + 3 + 11 + 22 + 8 + 3 + 2 + 2);
	assert_int_equal(r.runs, PCP_BENCHES * 5 * PCP_COUNT);
	for (uint32_t cell = 0; cell < r.cell_count; cell++)
		for (uint32_t way = 0; way < r.way_count; way++) {
			for (uint32_t rep = 0; rep < r.repeat; rep++)
				assert_sample(&r, pcp_sample(&r, cell, way, rep));
			assert_counters(&r, cell, way);
		}
	assert_null(pages_state_fault(&a.input, &a.before));
	alloc_world_close(&a);
}
