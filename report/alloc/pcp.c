/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/pcp.h"

#include "lab/summary/pcp_published.h"
#include "lab/summary/pcp.h"
#include "lib/format.h"
#include "report/alloc/pcp_counters.h"
#include "report/alloc/pcp_fields.h"
#include "report/alloc/pcp_verdict.h"
#include "report/table.h"
#include "report/text.h"

/* What a table shows of which cells. */
struct shape {
	enum pcp_bench bench;
	bool per_page;  /* per 4 KiB, else per operation */
	uint32_t order; /* ANY: all */
	bool several;   /* of many pages: on several CPUs */
};

enum { ANY = UINT16_MAX, MILLI = 1000, COLUMNS_MAX = 12 };

/* ---- cells ---------------------------------------------------------------------------------- */

static void figure(struct table *table, uint64_t millicycles, const struct shape *shape,
		   uint32_t order)
{
	if (!millicycles)
		table_text(table, "-");
	else if (shape->per_page)
		table_ratio(table, millicycles, (uint64_t)MILLI << order, 1);
	else
		table_ratio(table, millicycles, MILLI, 0);
}

static void published_figures(struct table *table, const struct shape *shape,
			      const struct pcp_cell *cell)
{
	const struct pcp_published *published = pcp_published(shape->bench, cell);

	figure(table, published ? (uint64_t)published->before * MILLI : 0, shape, cell->order);
	figure(table, published ? (uint64_t)published->after * MILLI : 0, shape, cell->order);
}

static bool has_published(const struct shape *shape)
{
	return shape->bench == PCP_ORDERS || (shape->bench == PCP_PARALLEL && !shape->order);
}

static void crew_cells(struct table *table, const struct pcp_cell *cell)
{
	table_u64(table, cell->workers);
	table_text(table, cell->place == CREW_NODE ? "one" : "all");
}

static void leading_cells(struct table *table, const struct shape *shape,
			  const struct pcp_cell *cell)
{
	switch (shape->bench) {
	case PCP_ORDERS:
		table_u64(table, cell->order);
		break;
	case PCP_OUTSTANDING:
	case PCP_BULK:
		table_u64(table, cell->batch);
		if (shape->several)
			crew_cells(table, cell);
		break;
	default:
		table_u64(table, cell->order);
		crew_cells(table, cell);
		break;
	}
}

/* ---- tables --------------------------------------------------------------------------------- */

static uint32_t lay_columns(struct column columns[COLUMNS_MAX], const struct pcp_results *results,
			    const struct shape *shape)
{
	static const struct column order = { "order", "", 5 }, cpus = { "CPUs", "", 5 },
				   nodes = { "nodes", "", -5 }, pages = { "pages", "", 6 };
	uint32_t count = 0;

	if (shape->bench == PCP_OUTSTANDING || shape->bench == PCP_BULK)
		columns[count++] = pages;
	else
		columns[count++] = order;
	if (shape->several || shape->bench == PCP_PARALLEL || shape->bench == PCP_CROSS) {
		columns[count++] = cpus;
		columns[count++] = nodes;
	}
	for (uint32_t way = 0; way < results->way_count; way++)
		columns[count++] = (struct column){ pcp_name(results->ways[way]), "", 8 };
	if (has_published(shape)) {
		columns[count++] = (struct column){ "published", "4.6-rc1", 9 };
		columns[count++] = (struct column){ "published", "2016", 9 };
	}
	return count;
}

static bool shows(const struct shape *shape, const struct pcp_cell *cell)
{
	bool alone = cell->bench == PCP_ORDERS && shape->bench == PCP_PARALLEL;
	bool many = shape->bench == PCP_OUTSTANDING || shape->bench == PCP_BULK;

	if (many && shape->several != (cell->workers > 1))
		return false;
	return (cell->bench == shape->bench || alone) &&
	       (shape->order == ANY || shape->order == cell->order);
}

/* Medians. */
static void rows(const struct report *report, const struct pcp_results *results,
		 const struct shape *shape, const char *title)
{
	struct column columns[COLUMNS_MAX];
	uint32_t count = lay_columns(columns, results, shape), shown = 0;
	struct table table;

	for (uint32_t cell = 0; cell < results->cell_count; cell++) {
		if (!shows(shape, &results->cells[cell]))
			continue;
		if (!shown++) {
			report_heading(report, "%s", title);
			table_begin(&table, report, columns, count);
		}
		if (shown > report_rows(report, UINT32_MAX))
			continue;
		leading_cells(&table, shape, &results->cells[cell]);
		for (uint32_t way = 0; way < results->way_count; way++)
			figure(&table, pcp_summarise(results, cell, way).millicycles.median, shape,
			       results->cells[cell].order);
		if (has_published(shape))
			published_figures(&table, shape, &results->cells[cell]);
	}
	report_rest(report, shown, "rows");
}

static void method_lines(const struct report *report, const struct pcp_results *results)
{
	char ms[REPORT_CELL];

	report_ms(report, ms, results->cycles);
	report_heading(report, "page allocator: pages kept per CPU");
	report_wrapped(report, "Cycles of the time stamp counter for an allocation and a free, on "
			       "each CPU; medians of %u repetitions of %u to %u us, the ways in "
			       "turn. Everything took %s ms; after each of %u runs every page was "
			       "checked.", results->repetitions, results->shortest_slice_us,
		       results->longest_slice_us, ms, results->runs);
	if (results->repetitions < results->repeat)
		report_line(report, "For %u more repetitions there was no time.",
			    results->repeat - results->repetitions);
	if (results->crew_limit)
		report_line(report, "Crews of %u CPUs and more were given up: they took too long "
				    "to come together.", results->crew_limit);
	report_wrapped(report, "none: the zone's lock each time. order0: lists of single pages. "
			       "high: orders 0 to 3, series of 2016. merged: as Linux 5.14, also "
			       "order 9. trylock: as 6.0. owned: a CPU owns whole blocks.");
	report_wrapped(report, "Published, on 4 cores with 2 threads each: Linux 4.6-rc1, and the "
			       "same with the changes of 2016 to its order-0 path. -: nothing was "
			       "published; under a way: too little memory is free, or too "
			       "many CPUs.");
}

void report_pcp(struct report *report, const struct pcp_results *results)
{
	static const struct shape every_order = { PCP_PARALLEL, false, ANY, true };
	static const struct {
		struct shape shape;
		const char *title;
	} tables[] = {
		{ { PCP_ORDERS, false, ANY, false }, "one CPU, by order (page_bench01): cycles" },
		{ { PCP_ORDERS, true, ANY, false }, "the same per 4 KiB: cycles" },
		{ { PCP_OUTSTANDING, false, ANY, false },
		  "one CPU, so many single pages allocated, then freed (page_bench02): cycles per "
		  "page" },
		{ { PCP_OUTSTANDING, false, ANY, true },
		  "likewise on several CPUs at the same time: cycles per page on each CPU" },
		{ { PCP_PARALLEL, false, 0, true },
		  "several CPUs at the same time, single pages (page_bench03): cycles on each "
		  "CPU" },
		{ { PCP_PARALLEL, false, 3, true }, "likewise, order 3: cycles on each CPU" },
		{ { PCP_PARALLEL, false, PAGEBLOCK_ORDER, true },
		  "likewise, huge pages (order 9): cycles on each CPU" },
		{ { PCP_BULK, false, ANY, false },
		  "one CPU, so many single pages with one call (page_bench04): cycles per page" },
		{ { PCP_BULK, false, ANY, true },
		  "likewise on several CPUs at the same time: cycles per page on each CPU" },
		{ { PCP_CROSS, false, ANY, true },
		  "pairs of CPUs: one allocates, one frees, ring of 64 (page_bench05): cycles on "
		  "each" },
	};

	struct pcp_verdict verdict;

	if (!results->runs)
		return;
	method_lines(report, results);
	for (uint32_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		rows(report, results, &tables[i].shape, tables[i].title);
	if (report->verbose)
		rows(report, results, &every_order,
		     "several CPUs at the same time, all orders: cycles on each CPU");
	report_pcp_counters(report, results);
	pcp_judge(results, &verdict);
	report_pcp_verdict(report, results, &verdict);
	report_pcp_records(report, results);
}
