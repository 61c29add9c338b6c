/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/free_published.h"

#include "lab/summary/free_published.h"
#include "lab/summary/free.h"
#include "report/field.h"

enum { NS_PER_MS = 1000000 };

struct told {
	struct free_published published;
	uint64_t ns;
	struct free_summary here; /* of nothing: there is no such row */
};

static const struct field fields[] = {
	FIELD(struct told, published.what, AS_TEXT, .title = "published", .width = -22),
	FIELD(struct told, published.ms, AS_SCALED, .scale = 1000, .decimals = 2, .title = "time",
	      .unit = "s", .width = 8),
	FIELD(struct told, ns, AS_RATIO, PER(struct told, published.pages), .decimals = 1,
	      .title = "ns per", .unit = "page", .width = 8),
	FIELD(struct told, published.vanilla_ms, AS_RATIO, PER(struct told, published.ms),
	      .decimals = 2, .title = "speed-up", .width = 8),
	FIELD(struct told, here.cycles.median, AS_NS_PER, PER(struct told, here.what.pages),
	      .decimals = 1, .title = "here", .unit = "ns/page", .width = 9),
	FIELD(struct told, here.speedup_milli, AS_SCALED, .scale = 1000, .decimals = 2,
	      .unless_zero = true, .title = "here", .unit = "speed-up", .width = 9),
};

static void print_row(struct field_table *table, const struct free_results *results,
		      const struct free_published *published)
{
	const struct free_row *row = free_counterpart(results, published);
	struct told told = { .published = *published,
			     .ns = (uint64_t)published->ms * NS_PER_MS };

	if (row)
		told.here = free_summarise(results, row);
	field_table_row(table, &told);
}

void report_free_published(const struct report *report, const struct free_results *results)
{
	struct field_table table;

	report_heading(report, "parallel free as published: pages of 4 KiB, no huge ones; here: "
			       "the same way");
	field_table_begin(&table, report, FIELDS(fields));
	for (uint32_t i = 0; i < FREE_PUBLISHED; i++)
		print_row(&table, results, &free_published[i]);
	report_wrapped(report, "Linux's times also hold the accounting and the TLB flushes that "
			       "are left out here. -: no such row, for there are not so many CPUs "
			       "or pages, or it was not asked for.");
}
