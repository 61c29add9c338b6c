/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free_published.h"

#include "report/alloc/free.h"
#include "report/table.h"
#include "report/text.h"

enum { MS_PER_S = 1000, NS_PER_MS = 1000000, MOST = 0 };

/*
 * [Lu 2017, "mm: support parallel free of memory", versions 1 and 2, and answers: malloc and free
 * of 320 GB on 4 sockets, 72 cores; of 1 TB on 64 sockets, 1024 cores (Thorlton), once with 64
 * workers at a time and 1030 batches for each]. Pages of 4 KiB.
 */
static const struct published {
	const char *what;
	uint32_t ms, vanilla_ms;
	uint64_t pages;
	enum free_way way;
	uint32_t gather, workers; /* of the row to compare with; MOST: that with the most */
} published[] = {
	{ "320 GB, Linux 4.10", 10800, 10800, 80ull << 20, FREE_VANILLA, 0, 1 },
	{ "320 GB, 1 worker", 8900, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 1 },
	{ "320 GB, 2 workers", 5650, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 2 },
	{ "320 GB, 4 workers", 4840, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 4 },
	{ "320 GB, 8 workers", 4770, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 8 },
	{ "320 GB, 16 workers", 4850, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 16 },
	{ "320 GB, 32 workers", 6210, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 32 },
	{ "320 GB, default", 5795, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, MOST },
	{ "1 TB, before", 41690, 41690, 256ull << 20, FREE_VANILLA, 0, 1 },
	{ "1 TB, default", 23170, 41690, 256ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, MOST },
	{ "1 TB, 64 and 1030", 22220, 41690, 256ull << 20, FREE_BATCH, BATCH_GATHER_TUNED, MOST },
};

static bool fits(const struct free_results *results, const struct free_row *row,
		 const struct published *p)
{
	return row->mapping == MAPPING_4K && row->fragment == results->rows[0].fragment &&
	       row->way == p->way && row->count &&
	       (row->way == FREE_VANILLA ||
		results->settings[row->setting].gather == p->gather) &&
	       (p->workers == MOST || row->workers == p->workers);
}

static const struct free_row *counterpart(const struct free_results *results,
					  const struct published *p)
{
	const struct free_row *found = NULL;

	for (uint32_t i = 0; i < results->row_count; i++)
		if (fits(results, &results->rows[i], p))
			found = &results->rows[i];
	return found;
}

static void here_cells(struct report *report, struct table *table,
		       const struct free_results *results, const struct free_row *row)
{
	uint64_t median, vanilla;

	if (!row) {
		table_text(table, "-");
		table_text(table, "-");
		return;
	}
	vanilla = report_free_summary(report, report_free_vanilla(results, row)).median;
	median = report_free_summary(report, row).median;
	table_ratio(table, report_ns(report, median),
		    report->tsc_hz ? report_free_pages(results, row) : 0, 1);
	table_speedup(table, vanilla, median);
}

void report_free_published(struct report *report, const struct free_results *results)
{
	static const struct column columns[] = {
		{ "published", "", -22 },   { "time", "s", 8 },	    { "ns per", "page", 8 },
		{ "speed-up", "", 8 },	    { "here", "ns/page", 9 }, { "here", "speed-up", 9 },
	};
	struct table table;

	report_heading(report, "parallel free as published: pages of 4 KiB, no huge ones; here: "
			       "the same way");
	table_begin(&table, report, columns, 6);
	for (uint32_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
		const struct published *p = &published[i];

		table_text(&table, p->what);
		table_ratio(&table, p->ms, MS_PER_S, 2);
		table_ratio(&table, (uint64_t)p->ms * NS_PER_MS, p->pages, 1);
		table_ratio(&table, p->vanilla_ms, p->ms, 2);
		here_cells(report, &table, results, counterpart(results, p));
	}
	report_wrapped(report, "Linux's times also hold the accounting and the TLB flushes that "
			       "are left out here. -: no such row, for there are not so many CPUs "
			       "or pages, or it was not asked for.");
}
