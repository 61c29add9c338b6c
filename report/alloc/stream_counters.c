/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream_counters.h"

#include "lab/alloc/stream_socket.h"
#include "lab/alloc/stream_summary.h"
#include "report/alloc/stream.h"
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

/*
 * What a call of the page allocator would have to have cost so that the published gain comes of
 * calls that cost nothing any more: time per message, times 1 - 1 / (1 + gain), over calls per
 * message.
 */
static void needed_cell(struct table *table, const struct stream_summary *s, uint32_t size)
{
	uint64_t permille = report_stream_published(size, STREAM_TWO_SOCKETS);
	uint64_t calls = s->counters.page_allocations + s->counters.page_frees;
	uint64_t saved = mul_div_u64(s->millicycles, permille, 1000 + permille) / MILLI;

	if (!calls || !saved)
		table_text(table, "-");
	else
		table_u64(table, mul_div_u64(saved, s->messages, calls));
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

		stream_summarise(results, report->tsc_hz, setting, 0, size, &s);
		table_u64(&table, stream_sizes[size]);
		table_u64(&table, socket.usable_bytes);
		table_u64(&table, socket.in_flight);
		if (s.count)
			table_ratio(&table, s.millicycles, MILLI, 0);
		else
			table_text(&table, "-");
		per_many_cell(&table, s.counters.slab_refills, s.messages);
		per_many_cell(&table, s.counters.new_slabs, s.messages);
		per_many_cell(&table, s.counters.list_acquisitions, s.messages);
		per_many_cell(&table, s.counters.page_allocations + s.counters.page_frees,
			      s.messages);
		needed_cell(&table, &s, size);
	}
}

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

static bool any(const struct stream_results *results, uint32_t setting,
		uint64_t (*counter)(const struct stream_counters *c))
{
	uint64_t count = (uint64_t)results->way_count * STREAM_SIZES * results->repeat;
	const struct stream_sample *first = stream_sample(results, setting, 0, 0, 0);

	for (uint64_t i = 0; i < count; i++)
		if (counter(&first[i].counters))
			return true;
	return false;
}

/* One counter under all ways, per 1000 messages. Nothing where it is 0 everywhere. */
static void ways_table(const struct report *report, const struct stream_results *results,
		       uint32_t setting, const char *title,
		       uint64_t (*counter)(const struct stream_counters *c))
{
	struct column columns[1 + PCP_COUNT] = { { "size", "bytes", 6 } };
	struct table table;

	if (!any(results, setting, counter))
		return;
	for (uint32_t way = 0; way < results->way_count; way++)
		columns[way + 1] = (struct column){ pcp_name(results->ways[way]), "/ 1000", 10 };
	report_line(report, "%s", title);
	table_begin(&table, report, columns, results->way_count + 1);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		table_u64(&table, stream_sizes[size]);
		for (uint32_t way = 0; way < results->way_count; way++) {
			struct stream_summary s;

			stream_summarise(results, report->tsc_hz, setting, way, size, &s);
			per_many_cell(&table, counter(&s.counters), s.messages);
		}
	}
}

/* ---- all sizes together --------------------------------------------------------------------- */

static void total_row(struct table *table, const struct stream_results *results, uint32_t setting,
		      uint32_t way)
{
	struct stream_counters sum = { 0 };
	uint64_t messages = 0, calls;

	for (uint32_t size = 0; size < STREAM_SIZES; size++)
		for (uint32_t i = 0; i < results->repeat; i++) {
			const struct stream_sample *one =
				stream_sample(results, setting, way, size, i);

			messages += one->messages;
			stream_add_counters(&sum, &one->counters);
		}
	calls = sum.page_allocations + sum.page_frees;
	table_text(table, pcp_name(results->ways[way]));
	per_many_cell(table, calls, messages);
	table_ratio(table, sum.hits * 100, calls, 1);
	per_many_cell(table, sum.refills, messages);
	per_many_cell(table, sum.drains, messages);
	per_many_cell(table, sum.zone_acquisitions, messages);
	per_many_cell(table, sum.zone_contended, messages);
	per_many_cell(table, sum.zone_wait_cycles, messages);
	per_many_cell(table, sum.list_wait_cycles, messages);
}

static void totals_table(const struct report *report, const struct stream_results *results,
			 uint32_t setting)
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
		total_row(&table, results, setting, way);
}

void report_stream_counters(const struct report *report, const struct stream_results *results,
			    uint32_t setting)
{
	asks_table(report, results, setting);
	ways_table(report, results, setting, "Zone lock taken, per 1000 messages:", acquisitions);
	if (report->verbose) {
		ways_table(report, results, setting,
			   "Zone lock found taken, per 1000 messages:", contended);
		ways_table(report, results, setting,
			   "Cycles waited for the zone lock, per 1000 messages:", waited);
	}
	totals_table(report, results, setting);
}
