/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/pcp_cells.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/pcp_bench_state.h"

struct cell_list {
	struct pcp_cell *cells; /* NULL: they are only counted */
	uint32_t count;
};

static void add(struct cell_list *list, struct pcp_cell cell)
{
	if (list->cells)
		list->cells[list->count] = cell;
	list->count++;
}

static void add_orders(struct cell_list *list, enum pcp_bench bench, enum crew_place place,
		       uint32_t workers)
{
	for (uint32_t order = 0; order <= ORDER_MAX; order++)
		add(list, (struct pcp_cell){ bench, place, workers, order, 1 });
}

/* Where all CPUs are of one node there is nothing across. */
static uint32_t places(const uint32_t crew_counts[2])
{
	return crew_counts[CREW_ACROSS] == crew_counts[CREW_NODE] ? 1 : 2;
}

/* On one CPU up to `most` pages, on several `each`. */
static void add_batches(struct cell_list *list, enum pcp_bench bench, uint32_t most, uint32_t each,
			const uint32_t crew_counts[2])
{
	for (uint32_t batch = 1; batch <= most; batch *= 2)
		add(list, (struct pcp_cell){ bench, CREW_NODE, 1, 0, batch });
	for (uint32_t place = CREW_NODE; place < places(crew_counts); place++) {
		uint32_t all = crew_counts[place];

		for (uint32_t n = crew_next(1, all); n; n = crew_next(n, all))
			add(list, (struct pcp_cell){ bench, (enum crew_place)place, n, 0, each });
	}
}

/* Single pages, and blocks of the largest order that all the generations but one keep per CPU. */
static void add_cross(struct cell_list *list, enum crew_place place, uint32_t pairs)
{
	static const uint32_t orders[] = { 0, 3 };

	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t n = crew_next(0, pairs); n; n = crew_next(n, pairs))
			add(list, (struct pcp_cell){ PCP_CROSS, place, 2 * n, orders[i], 1 });
}

/* One worker is in PCP_ORDERS. */
uint32_t pcp_cells(const uint32_t crew_counts[2], const uint32_t cross_pairs[2],
		   struct pcp_cell *cells)
{
	struct cell_list list = { .cells = cells };

	add_orders(&list, PCP_ORDERS, CREW_NODE, 1);
	add_batches(&list, PCP_OUTSTANDING, PCP_OUTSTANDING_MAX, PCP_OUTSTANDING_EACH, crew_counts);
	for (uint32_t place = CREW_NODE; place < places(crew_counts); place++) {
		uint32_t all = crew_counts[place];

		for (uint32_t n = crew_next(1, all); n; n = crew_next(n, all))
			add_orders(&list, PCP_PARALLEL, (enum crew_place)place, n);
	}
	add_batches(&list, PCP_BULK, PCP_BULK_MAX, PCP_BULK_MAX, crew_counts);
	add_cross(&list, CREW_NODE, cross_pairs[CREW_NODE]);
	add_cross(&list, CREW_ACROSS, cross_pairs[CREW_ACROSS]);
	return list.count;
}

uint32_t pcp_cross_pairs(const struct topology *topology, enum crew_place place,
			 const uint32_t *crew, uint32_t count)
{
	uint32_t pairs = 0;

	while (2 * pairs + 1 < count &&
	       (place == CREW_NODE || topology->cpus[crew[2 * pairs]].node !=
					      topology->cpus[crew[2 * pairs + 1]].node))
		pairs++;
	return pairs;
}
