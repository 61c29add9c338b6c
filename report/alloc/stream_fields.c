/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/stream_fields.h"

#include "lab/alloc/crew.h"

#define SETTING_FIELDS(row)                                                                      \
	FIELD_CONSTANT("experiment", "pcp"), FIELD_CONSTANT("scope", "stream"),                  \
	FIELD(row, setting.place, AS_WORD, WORDS(crew_place_name, CREW_PLACES),                  \
	      .name = "place", .meaning = "CPUs of one node, or of the nodes in turn"),          \
	FIELD(row, setting.pairs, AS_NUMBER, .name = "pairs",                                    \
	      .meaning = "of CPUs; 0: one CPU sends and receives"),                              \
	FIELD(row, setting.queue_bytes, AS_NUMBER, .name = "queue_bytes",                        \
	      .meaning = "socket buffer that was asked for; 0: the message and 256 bytes")

/* ---- samples -------------------------------------------------------------------------------- */

/* The ways side by side, as they were measured. */
struct stream_record {
	struct stream_setting setting;
	uint32_t message_bytes, repetition;
	struct stream_figures {
		bool measured;
		uint64_t messages, cycles, burst_millicycles;
	} ways[PCP_COUNT];
};

#define OF_EACH_WAY                                                                              \
	IF(struct stream_record, ways[0].measured), .present_is_copied = true,                   \
	.copies = PCP_COUNT, .stride = sizeof(struct stream_figures), .copy_name = pcp_name

static const struct field sample_fields[] = {
	SETTING_FIELDS(struct stream_record),
	FIELD(struct stream_record, message_bytes, AS_NUMBER, .name = "message_bytes"),
	FIELD(struct stream_record, repetition, AS_NUMBER, .name = "rep"),
	FIELD(struct stream_record, ways[0].messages, AS_NUMBER, OF_EACH_WAY, .name = "%s_messages",
	      .meaning = "received, of all pairs"),
	FIELD(struct stream_record, ways[0].cycles, AS_NUMBER, OF_EACH_WAY, .name = "%s_cycles",
	      .meaning = "by the receivers' clocks, summed"),
	FIELD(struct stream_record, ways[0].burst_millicycles, AS_NUMBER, OF_EACH_WAY,
	      .name = "%s_burst_millicycles",
	      .meaning = "of a message in the median burst; 0: too few bursts, no figure"),
};
const struct record_type stream_sample_record = RECORD_TYPE(
	"sample", "repetition at one size of experiment pcp, workload stream", sample_fields);

static struct stream_record sample_of(const struct stream_results *results, uint32_t setting,
			       uint32_t size, uint32_t repetition)
{
	struct stream_record sample = { .setting = results->settings[setting],
				 .message_bytes = stream_sizes[size],
				 .repetition = repetition };

	for (uint32_t way = 0; way < results->way_count; way++) {
		const struct stream_sample *one =
			stream_sample(results, setting, way, size, repetition);

		sample.ways[results->ways[way]] = (struct stream_figures){
			true, one->messages, one->cycles, one->burst_millicycles };
	}
	return sample;
}

/* ---- results -------------------------------------------------------------------------------- */

#define COUNTER(name_)                                                                           \
	FIELD(struct stream_summary, sums.counters.name_, AS_NUMBER, .name = #name_)
#define RATIO(member, name_, ...)                                                                \
	FIELD(struct stream_summary, ratio.member, AS_NUMBER,                                    \
	      IF(struct stream_summary, compared), .name = (name_), __VA_ARGS__)

static const struct field result_fields[] = {
	SETTING_FIELDS(struct stream_summary),
	FIELD(struct stream_summary, message_bytes, AS_NUMBER, .name = "message_bytes"),
	FIELD(struct stream_summary, way, AS_WORD, WORDS(pcp_name, PCP_COUNT), .name = "way"),
	FIELD(struct stream_summary, count, AS_NUMBER, .name = "count",
	      .meaning = "repetitions with a figure under this way and under order0"),
	FIELD(struct stream_summary, sums.messages, AS_NUMBER, .name = "messages",
	      .meaning = "of all repetitions, as the counters"),
	FIELD(struct stream_summary, bits_per_second, AS_NUMBER, .name = "hmean_bps",
	      .meaning = "of one pair, harmonic mean"),
	FIELD(struct stream_summary, change_centipercent, AS_NUMBER,
	      IF(struct stream_summary, compared), .name = "change_centipercent",
	      .meaning = "against order0"),
	FIELD(struct stream_summary, ratio.known, AS_BOOL, IF(struct stream_summary, compared),
	      .name = "known", .meaning = "the repetitions are enough for an interval"),
	RATIO(low, "low_ratio_e5", .meaning = "of the repetitions' ratios to order0, 95 %"),
	RATIO(median, "median_ratio_e5"),
	RATIO(high, "high_ratio_e5"),
	COUNTER(page_allocations),
	COUNTER(page_frees),
	COUNTER(hits),
	COUNTER(refills),
	COUNTER(drains),
	COUNTER(zone_acquisitions),
	COUNTER(zone_contended),
	COUNTER(zone_wait_cycles),
	COUNTER(slab_refills),
	COUNTER(new_slabs),
	COUNTER(discarded_slabs),
	COUNTER(flushes),
	COUNTER(list_acquisitions),
	COUNTER(list_contended),
	COUNTER(list_wait_cycles),
};
const struct record_type stream_result_record = RECORD_TYPE(
	"result", "way at one size of experiment pcp, workload stream", result_fields);

void report_stream_records(struct report *report, const struct stream_results *results)
{
	struct stream_summary summary;

	if (results->fault || !report->records.enabled)
		return;
	for (uint32_t setting = 0; setting < results->setting_count; setting++)
		for (uint32_t size = 0; size < STREAM_SIZES; size++) {
			for (uint32_t i = 0; i < results->settings[setting].repetitions; i++) {
				struct stream_record sample = sample_of(results, setting, size, i);

				field_record(&report->records, &stream_sample_record, &sample);
			}
			for (uint32_t way = 0; way < results->way_count; way++) {
				stream_summarise(results, report->tsc_hz, setting, way, size,
						 &summary);
				field_record(&report->records, &stream_result_record, &summary);
			}
		}
}
