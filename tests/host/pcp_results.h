/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Made-up results of the experiment `pcp`: crews of 2, 4 and 8 CPUs of one node and of several. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "lab/alloc/pcp.h"

enum { HZ = 2000000000, CELLS_MAX = 256, REPEAT = 5 };

static struct pcp_cell cells[CELLS_MAX];
static struct pcp_sample samples[CELLS_MAX * PCP_COUNT * REPEAT];
static struct pcp_counters counters[CELLS_MAX * PCP_COUNT];
static struct pcp_results results;

static inline void add_cell(enum pcp_bench bench, enum crew_place place, uint32_t workers,
			    uint32_t order, uint32_t batch)
{
	cells[results.cell_count++] = (struct pcp_cell){ bench, place, workers, order, batch };
}

/* Way w takes 100 * (w + 1) cycles and one more for each repetition, times the block's pages. */
static inline void measure(void)
{
	for (uint32_t cell = 0; cell < results.cell_count; cell++)
		for (uint32_t way = 0; way < results.way_count; way++) {
			struct pcp_counters *c = pcp_counters(&results, cell, way);

			for (uint32_t i = 0; i < REPEAT; i++) {
				uint64_t cycles = (100 * (way + 1) + i) << cells[cell].order;

				*pcp_sample(&results, cell, way, i) = (struct pcp_sample){
					1000, 1000 * cycles, 990 * cycles, 1010 * cycles };
			}
			c->pages.allocations = c->pages.frees = 10000;
			c->pages.hits = 19000;
			c->pages.refills = 30 * way;
			c->zone_acquisitions = 20000 - 1000 * way;
			c->zone_contended = 15;
			c->zone_wait_cycles = 123456;
		}
}

static inline void make_up(uint32_t ways)
{
	results = (struct pcp_results){ .way_count = ways,
					.repeat = REPEAT,
					.repetitions = REPEAT,
					.cells = cells,
					.samples = samples,
					.counters = counters,
					.shortest_slice_us = 700,
					.longest_slice_us = 2000,
					.cycles = 3ull * HZ,
					.runs = 150 };
	memset(samples, 0, sizeof(samples));
	memset(counters, 0, sizeof(counters));
	for (uint32_t i = 0; i < ways; i++)
		results.ways[i] = (enum pcp)i;
	for (uint32_t order = 0; order <= ORDER_MAX; order++)
		add_cell(PCP_ORDERS, CREW_NODE, 1, order, 1);
	add_cell(PCP_OUTSTANDING, CREW_NODE, 1, 0, 1024);
	for (int place = CREW_NODE; place <= CREW_ACROSS; place++)
		for (uint32_t n = 2; n <= 8; n *= 2)
			for (uint32_t order = 0; order <= ORDER_MAX; order++)
				add_cell(PCP_PARALLEL, (enum crew_place)place, n, order, 1);
	add_cell(PCP_BULK, CREW_NODE, 1, 0, 128);
	add_cell(PCP_BULK, CREW_ACROSS, 8, 0, 128);
	add_cell(PCP_CROSS, CREW_ACROSS, 4, 0, 1);
	assert_true(results.cell_count <= CELLS_MAX);
	measure();
}
