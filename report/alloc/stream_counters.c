/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream_counters.h"

#include "lab/alloc/stream_socket.h"
#include "lab/summary/stream_verdict.h"
#include "lib/string.h"
#include "report/field.h"

#define PER_MANY(row, events, messages, ...)                                                      \
	FIELD(row, events, AS_PER_1000, PER(row, messages), .decimals = 2, .plain_zero = true,   \
	      __VA_ARGS__)

/* ---- what messages ask for under order0 ------------------------------------------------------ */

struct asked {
	struct stream_summary s;
	struct stream_socket socket;
	bool is_needed;
	uint64_t needed_cycles;
};

#define ASKED(member, ...) PER_MANY(struct asked, s.sums.member, s.sums.messages, __VA_ARGS__)

static const struct field asked_fields[] = {
	FIELD(struct asked, s.message_bytes, AS_NUMBER, .title = "size", .unit = "bytes",
	      .width = 6),
	FIELD(struct asked, socket.usable_bytes, AS_NUMBER, .title = "kmalloc", .unit = "gives",
	      .width = 7),
	FIELD(struct asked, socket.in_flight, AS_NUMBER, .title = "in", .unit = "flight",
	      .width = 6),
	FIELD(struct asked, s.millicycles, AS_SCALED, IF(struct asked, s.count), .scale = 1000,
	      .title = "cycles", .unit = "/ message", .width = 9),
	ASKED(counters.slab_refills, .title = "refills", .unit = "/ 1000", .width = 9),
	ASKED(counters.new_slabs, .title = "new slabs", .unit = "/ 1000", .width = 9),
	ASKED(counters.list_acquisitions, .title = "list lock", .unit = "/ 1000", .width = 9),
	ASKED(page_calls, .title = "calls of", .unit = "pages/1000", .width = 10),
	FIELD(struct asked, needed_cycles, AS_NUMBER, IF(struct asked, is_needed),
	      .title = "needed", .unit = "cycles/call", .width = 11),
};

static void asks_table(const struct report *report, const struct stream_results *results,
		       uint32_t setting)
{
	uint64_t queue_bytes = results->settings[setting].queue_bytes;
	struct field_table table;

	report_line(report, "What 1000 messages ask for under order0; needed: what a call would "
			    "have to cost for 2016's gain:");
	field_table_begin(&table, report, FIELDS(asked_fields));
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct asked asked = { .socket = stream_socket(stream_sizes[size], queue_bytes) };

		stream_summarise(results, report->tsc_hz, setting, 0, size, &asked.s);
		asked.is_needed = stream_needed_cycles(&asked.s, size, &asked.needed_cycles);
		field_table_row(&table, &asked);
	}
}

/* ---- one counter under all ways ------------------------------------------------------------- */

#define SUMS(member, ...) PER_MANY(struct stream_sums, member, messages, __VA_ARGS__)

static bool any(const struct report *report, const struct stream_sums *totals, uint32_t ways,
		const struct field *counter)
{
	char cell[REPORT_CELL];

	for (uint32_t way = 0; way < ways; way++)
		if (!string_equal(field_cell(report, counter, &totals[way], cell), "0"))
			return true;
	return false;
}

/* Per 1000 messages. Nothing where it is 0 everywhere. */
static void ways_table(const struct report *report, const struct stream_results *results,
		       uint32_t setting, const struct stream_sums *totals, const char *title,
		       const struct field *counter)
{
	struct column columns[1 + PCP_COUNT] = { { "size", "bytes", 6 } };
	char cell[REPORT_CELL];
	struct table table;

	if (!any(report, totals, results->way_count, counter))
		return;
	for (uint32_t way = 0; way < results->way_count; way++)
		columns[way + 1] = (struct column){ pcp_name(results->ways[way]), "/ 1000", 10 };
	report_line(report, "%s", title);
	table_begin(&table, report, columns, results->way_count + 1);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		table_u64(&table, stream_sizes[size]);
		for (uint32_t way = 0; way < results->way_count; way++) {
			struct stream_sums sums = stream_sum(results, setting, way, size);

			table_text(&table, field_cell(report, counter, &sums, cell));
		}
	}
}

/* ---- all sizes together --------------------------------------------------------------------- */

static const struct field total_fields[] = {
	FIELD(struct stream_sums, way, AS_WORD, WORDS(pcp_name, PCP_COUNT), .title = "way",
	      .width = -8),
	SUMS(page_calls, .title = "calls of", .unit = "pages", .width = 9),
	FIELD(struct stream_sums, counters.hits, AS_PERCENT, PER(struct stream_sums, page_calls),
	      .decimals = 1, .title = "hits", .unit = "%", .width = 6),
	SUMS(counters.refills, .title = "refills", .width = 8),
	SUMS(counters.drains, .title = "drains", .width = 8),
	SUMS(counters.zone_acquisitions, .title = "zone lock", .unit = "taken", .width = 9),
	SUMS(counters.zone_contended, .title = "zone lock", .unit = "busy", .width = 9),
	SUMS(counters.zone_wait_cycles, .title = "cycles", .unit = "waited", .width = 11),
	SUMS(counters.list_wait_cycles, .title = "list lock", .unit = "waited", .width = 11),
};

static void totals_table(const struct report *report, const struct stream_sums *totals,
			 uint32_t ways)
{
	struct field_table table;

	report_line(report, "All sizes together, per 1000 messages; hits are calls without the "
			    "zone's lock:");
	field_table_begin(&table, report, FIELDS(total_fields));
	for (uint32_t way = 0; way < ways; way++)
		field_table_row(&table, &totals[way]);
}

void report_stream_counters(const struct report *report, const struct stream_results *results,
			    uint32_t setting)
{
	static const struct field acquisitions = SUMS(counters.zone_acquisitions),
				  contended = SUMS(counters.zone_contended),
				  waited = SUMS(counters.zone_wait_cycles);
	struct stream_sums totals[PCP_COUNT];

	for (uint32_t way = 0; way < results->way_count; way++)
		totals[way] = stream_sum_all(results, setting, way);
	asks_table(report, results, setting);
	ways_table(report, results, setting, totals, "Zone lock taken, per 1000 messages:",
		   &acquisitions);
	if (report->verbose) {
		ways_table(report, results, setting, totals,
			   "Zone lock found taken, per 1000 messages:", &contended);
		ways_table(report, results, setting, totals,
			   "Cycles waited for the zone lock, per 1000 messages:", &waited);
	}
	totals_table(report, totals, results->way_count);
}
