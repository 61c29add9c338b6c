/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free_published.h"

#include "lab/summary/free_published.h"
#include "lab/summary/free_summary.h"
#include "report/table.h"
#include "report/text.h"

enum { MS_PER_S = 1000, NS_PER_MS = 1000000 };

/* `row`: NULL where there is none. */
static void here_cells(const struct report *report, struct table *table,
		       const struct free_results *results, const struct free_row *row)
{
	struct free_summary summary;

	if (!row) {
		table_text(table, "-");
		table_text(table, "-");
		return;
	}
	summary = free_summarise(results, row);
	table_ratio(table, report_ns(report, summary.cycles.median),
		    report->tsc_hz ? summary.pages : 0, 1);
	table_speedup(table, summary.vanilla.median, summary.cycles.median);
}

void report_free_published(const struct report *report, const struct free_results *results)
{
	static const struct column columns[] = {
		{ "published", "", -22 },   { "time", "s", 8 },	    { "ns per", "page", 8 },
		{ "speed-up", "", 8 },	    { "here", "ns/page", 9 }, { "here", "speed-up", 9 },
	};
	struct table table;

	report_heading(report, "parallel free as published: pages of 4 KiB, no huge ones; here: "
			       "the same way");
	table_begin(&table, report, columns, 6);
	for (uint32_t i = 0; i < FREE_PUBLISHED; i++) {
		const struct free_published *p = &free_published[i];

		table_text(&table, p->what);
		table_ratio(&table, p->ms, MS_PER_S, 2);
		table_ratio(&table, (uint64_t)p->ms * NS_PER_MS, p->pages, 1);
		table_ratio(&table, p->vanilla_ms, p->ms, 2);
		here_cells(report, &table, results, free_counterpart(results, p));
	}
	report_wrapped(report, "Linux's times also hold the accounting and the TLB flushes that "
			       "are left out here. -: no such row, for there are not so many CPUs "
			       "or pages, or it was not asked for.");
}
