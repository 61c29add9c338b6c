/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream_records.h"

#include "lab/summary/stream_summary.h"
#include "lib/format.h"

static void setting_fields(struct record_stream *records, const struct stream_setting *setting,
			   uint32_t size)
{
	record_text(records, "experiment", "pcp");
	record_text(records, "scope", "stream");
	record_text(records, "place", setting->place == CREW_NODE ? "node" : "across");
	record_u64(records, "pairs", setting->pairs);
	record_u64(records, "queue_bytes", setting->queue_bytes);
	record_u64(records, "message_bytes", stream_sizes[size]);
}

/* The ways side by side, as they were measured. */
static void sample_record(struct record_stream *records, const struct stream_results *results,
			  uint32_t setting, uint32_t size, uint32_t repetition)
{
	char name[32];

	record_begin(records, "sample");
	setting_fields(records, &results->settings[setting], size);
	record_u64(records, "rep", repetition);
	for (uint32_t way = 0; way < results->way_count; way++) {
		const struct stream_sample *sample =
			stream_sample(results, setting, way, size, repetition);

		format(name, sizeof(name), "%s_messages", pcp_name(results->ways[way]));
		record_u64(records, name, sample->messages);
		format(name, sizeof(name), "%s_cycles", pcp_name(results->ways[way]));
		record_u64(records, name, sample->cycles);
		format(name, sizeof(name), "%s_burst_millicycles",
		       pcp_name(results->ways[way]));
		record_u64(records, name, sample->burst_millicycles);
	}
	record_end(records);
}

static void counter_fields(struct record_stream *records, const struct stream_counters *c)
{
	record_u64(records, "page_allocations", c->page_allocations);
	record_u64(records, "page_frees", c->page_frees);
	record_u64(records, "hits", c->hits);
	record_u64(records, "refills", c->refills);
	record_u64(records, "drains", c->drains);
	record_u64(records, "zone_acquisitions", c->zone_acquisitions);
	record_u64(records, "zone_contended", c->zone_contended);
	record_u64(records, "zone_wait_cycles", c->zone_wait_cycles);
	record_u64(records, "slab_refills", c->slab_refills);
	record_u64(records, "new_slabs", c->new_slabs);
	record_u64(records, "discarded_slabs", c->discarded_slabs);
	record_u64(records, "flushes", c->flushes);
	record_u64(records, "list_acquisitions", c->list_acquisitions);
	record_u64(records, "list_contended", c->list_contended);
	record_u64(records, "list_wait_cycles", c->list_wait_cycles);
}

static void result_record(struct report *report, const struct stream_results *results,
			  uint32_t setting, uint32_t way, uint32_t size)
{
	struct record_stream *records = &report->records;
	struct stream_summary s;

	stream_summarise(results, report->tsc_hz, setting, way, size, &s);
	record_begin(records, "result");
	setting_fields(records, &results->settings[setting], size);
	record_text(records, "way", pcp_name(results->ways[way]));
	record_u64(records, "count", s.count);
	record_u64(records, "messages", s.sums.messages);
	record_u64(records, "hmean_bps", s.bits_per_second);
	if (way) {
		record_i64(records, "change_centipercent", s.change_centipercent);
		record_bool(records, "known", s.ratio.known);
		record_u64(records, "low_ratio_e5", s.ratio.low);
		record_u64(records, "median_ratio_e5", s.ratio.median);
		record_u64(records, "high_ratio_e5", s.ratio.high);
	}
	counter_fields(records, &s.sums.counters);
	record_end(records);
}

void report_stream_records(struct report *report, const struct stream_results *results)
{
	if (results->fault)
		return;
	for (uint32_t setting = 0; setting < results->setting_count; setting++)
		for (uint32_t size = 0; size < STREAM_SIZES; size++) {
			for (uint32_t i = 0; i < results->settings[setting].repetitions; i++)
				sample_record(&report->records, results, setting, size, i);
			for (uint32_t way = 0; way < results->way_count; way++)
				result_record(report, results, setting, way, size);
		}
}
