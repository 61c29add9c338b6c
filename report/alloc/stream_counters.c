/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream_counters.h"

#include "lab/alloc/stream_socket.h"
#include "lab/summary/stream_verdict.h"
#include "report/table.h"
#include "report/text.h"

enum { PER_MANY = 1000, MILLI = 1000 };

/* Cells of 0.00 say that there was one at least. */
static void per_many_cell(struct table *table, uint64_t events, uint64_t messages)
{
	if (!events)
		table_text(table, "0");
	else
		table_ratio(table, events * PER_MANY, messages, 2);
}

static void needed_cell(struct table *table, const struct stream_summary *order0, uint32_t size)
{
	uint64_t cycles;

	if (stream_needed_cycles(order0, size, &cycles))
		table_u64(table, cycles);
	else
		table_text(table, "-");
}

static void asks_table(const struct report *report, const struct stream_results *results,
		       uint32_t setting)
{
	static const struct column columns[] = {
		{ "size", "bytes", 6 },	     { "kmalloc", "gives", 7 },
		{ "in", "flight", 6 },	     { "cycles", "/ message", 9 },
		{ "refills", "/ 1000", 9 },  { "new slabs", "/ 1000", 9 },
		{ "list lock", "/ 1000", 9 }, { "calls of", "pages/1000", 10 },
		{ "needed", "cycles/call", 11 },
	};
	struct table table;

	report_line(report, "What 1000 messages ask for under order0; needed: what a call would "
			    "have to cost for 2016's gain:");
	table_begin(&table, report, columns, 9);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_socket socket =
			stream_socket(stream_sizes[size], results->settings[setting].queue_bytes);
		struct stream_summary s;
		const struct stream_counters *c = &s.sums.counters;

		stream_summarise(results, report->tsc_hz, setting, 0, size, &s);
		table_u64(&table, stream_sizes[size]);
		table_u64(&table, socket.usable_bytes);
		table_u64(&table, socket.in_flight);
		if (s.count)
			table_ratio(&table, s.millicycles, MILLI, 0);
		else
			table_text(&table, "-");
		per_many_cell(&table, c->slab_refills, s.sums.messages);
		per_many_cell(&table, c->new_slabs, s.sums.messages);
		per_many_cell(&table, c->list_acquisitions, s.sums.messages);
		per_many_cell(&table, c->page_allocations + c->page_frees, s.sums.messages);
		needed_cell(&table, &s, size);
	}
}

/* ---- one counter under all ways ------------------------------------------------------------- */

static uint64_t acquisitions(const struct stream_counters *c)
{
	return c->zone_acquisitions;
}

static uint64_t contended(const struct stream_counters *c)
{
	return c->zone_contended;
}

static uint64_t waited(const struct stream_counters *c)
{
	return c->zone_wait_cycles;
}

static bool any(const struct stream_sums *totals, uint32_t ways,
		uint64_t (*counter)(const struct stream_counters *c))
{
	for (uint32_t way = 0; way < ways; way++)
		if (counter(&totals[way].counters))
			return true;
	return false;
}

/* Per 1000 messages. Nothing where it is 0 everywhere. */
static void ways_table(const struct report *report, const struct stream_results *results,
		       uint32_t setting, const struct stream_sums *totals, const char *title,
		       uint64_t (*counter)(const struct stream_counters *c))
{
	struct column columns[1 + PCP_COUNT] = { { "size", "bytes", 6 } };
	struct table table;

	if (!any(totals, results->way_count, counter))
		return;
	for (uint32_t way = 0; way < results->way_count; way++)
		columns[way + 1] = (struct column){ pcp_name(results->ways[way]), "/ 1000", 10 };
	report_line(report, "%s", title);
	table_begin(&table, report, columns, results->way_count + 1);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		table_u64(&table, stream_sizes[size]);
		for (uint32_t way = 0; way < results->way_count; way++) {
			struct stream_sums sums = stream_sum(results, setting, way, size);

			per_many_cell(&table, counter(&sums.counters), sums.messages);
		}
	}
}

/* ---- all sizes together --------------------------------------------------------------------- */

static void total_row(struct table *table, enum pcp way, const struct stream_sums *total)
{
	const struct stream_counters *sum = &total->counters;
	uint64_t messages = total->messages, calls = sum->page_allocations + sum->page_frees;

	table_text(table, pcp_name(way));
	per_many_cell(table, calls, messages);
	table_ratio(table, sum->hits * 100, calls, 1);
	per_many_cell(table, sum->refills, messages);
	per_many_cell(table, sum->drains, messages);
	per_many_cell(table, sum->zone_acquisitions, messages);
	per_many_cell(table, sum->zone_contended, messages);
	per_many_cell(table, sum->zone_wait_cycles, messages);
	per_many_cell(table, sum->list_wait_cycles, messages);
}

static void totals_table(const struct report *report, const struct stream_results *results,
			 const struct stream_sums *totals)
{
	static const struct column columns[] = {
		{ "way", "", -8 },	      { "calls of", "pages", 9 },   { "hits", "%", 6 },
		{ "refills", "", 8 },	      { "drains", "", 8 },
		{ "zone lock", "taken", 9 },
		{ "zone lock", "busy", 9 },   { "cycles", "waited", 11 },
		{ "list lock", "waited", 11 },
	};
	struct table table;

	report_line(report, "All sizes together, per 1000 messages; hits are calls without the "
			    "zone's lock:");
	table_begin(&table, report, columns, 9);
	for (uint32_t way = 0; way < results->way_count; way++)
		total_row(&table, results->ways[way], &totals[way]);
}

void report_stream_counters(const struct report *report, const struct stream_results *results,
			    uint32_t setting)
{
	struct stream_sums totals[PCP_COUNT];

	for (uint32_t way = 0; way < results->way_count; way++)
		totals[way] = stream_sum_all(results, setting, way);
	asks_table(report, results, setting);
	ways_table(report, results, setting, totals, "Zone lock taken, per 1000 messages:",
		   acquisitions);
	if (report->verbose) {
		ways_table(report, results, setting, totals,
			   "Zone lock found taken, per 1000 messages:", contended);
		ways_table(report, results, setting, totals,
			   "Cycles waited for the zone lock, per 1000 messages:", waited);
	}
	totals_table(report, results, totals);
}
