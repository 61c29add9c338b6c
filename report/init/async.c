/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/async.h"

#include "lib/stats.h"
#include "lib/string.h"
#include "report/field.h"
#include "report/init/words.h"

enum { BAR_COLUMNS = 24 };

/* A latency of nothing is none. */
static const struct field run_fields[] = {
	FIELD(struct run_sample, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct run_sample, repetition, AS_NUMBER, .name = "rep", .title = "run", .width = 6),
	FIELD(struct run_sample, async.degraded, AS_BOOL, .name = "degraded",
	      .meaning = "the boot CPU was needed as a worker: ran as zone does"),
	FIELD(struct run_sample, async.first_success_cycles, AS_NS,
	      IF(struct run_sample, async.allocations), .always_recorded = true,
	      .name = "first_success_cycles", .title = "first success", .unit = "ns", .width = 13,
	      .meaning = "from the decision to wake the workers to the first allocation"),
	FIELD(struct run_sample, cycles, AS_MS, .name = "cycles", .title = "all done",
	      .unit = "ms", .width = 10, .meaning = "until the slowest node was done"),
	FIELD(struct run_sample, async.allocations, AS_NUMBER, .name = "allocations",
	      .title = "allocations", .width = 12, .meaning = "of 4 MiB, that succeeded"),
	FIELD(struct run_sample, async.failures, AS_NUMBER, .name = "failures",
	      .title = "failures", .width = 10),
	FIELD(struct run_sample, async.min_cycles, AS_NS, IF(struct run_sample, async.allocations),
	      .always_recorded = true, .name = "min_cycles", .title = "min", .unit = "ns",
	      .width = 8, .meaning = "of one successful allocation"),
	FIELD(struct run_sample, async.median_cycles, AS_NS,
	      IF(struct run_sample, async.allocations), .always_recorded = true,
	      .name = "median_cycles", .title = "median", .unit = "ns", .width = 8),
	FIELD(struct run_sample, async.p99_cycles, AS_NS, IF(struct run_sample, async.allocations),
	      .always_recorded = true, .name = "p99_cycles", .title = "p99", .unit = "ns",
	      .width = 10),
	FIELD(struct run_sample, async.max_cycles, AS_NS, IF(struct run_sample, async.allocations),
	      .always_recorded = true, .name = "max_cycles", .title = "max", .unit = "ns",
	      .width = 12),
};
const struct record_type init_async_record = RECORD_TYPE("async", "one run of policy async",
							 run_fields);

static const struct field result_fields[] = {
	FIELD_CONSTANT("experiment", "async"),
	FIELD(struct init_async, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD_CONSTANT("scope", "run"),
	FIELD(struct init_async, runs, AS_NUMBER, .name = "count", .meaning = "runs"),
	FIELD(struct init_async, first_success_cycles, AS_NUMBER, .name = "first_success_cycles"),
	FIELD(struct init_async, cycles, AS_NUMBER, .name = "cycles"),
	FIELD(struct init_async, allocations, AS_NUMBER, .name = "allocations"),
	FIELD(struct init_async, failures, AS_NUMBER, .name = "failures"),
	FIELD(struct init_async, min_cycles, AS_NUMBER, .name = "min_cycles"),
	FIELD(struct init_async, median_cycles, AS_NUMBER, .name = "median_cycles"),
	FIELD(struct init_async, p99_cycles, AS_NUMBER, .name = "p99_cycles"),
	FIELD(struct init_async, max_cycles, AS_NUMBER, .name = "max_cycles"),
};
const struct record_type init_async_result_record =
	RECORD_TYPE("result", "policy async: medians of the fields of the records async",
		    result_fields);

/* What took at least 2^log2_cycles cycles and less than twice that, in one run. */
struct latency_row {
	enum policy policy;
	uint32_t repetition, log2_cycles;
	uint64_t allocations;
};

static const struct field latency_fields[] = {
	FIELD(struct latency_row, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct latency_row, repetition, AS_NUMBER, .name = "rep"),
	FIELD(struct latency_row, log2_cycles, AS_NUMBER, .name = "log2_cycles",
	      .meaning = "of one allocation, rounded down"),
	FIELD(struct latency_row, allocations, AS_NUMBER, .name = "allocations"),
};
const struct record_type init_latency_record =
	RECORD_TYPE("latency", "one run of policy async, one power of two that has allocations",
		    latency_fields);

struct bucket_row {
	struct latency_bucket bucket;
	char bar[BAR_COLUMNS + 1];
};

static const struct field bucket_fields[] = {
	FIELD(struct bucket_row, bucket.from_cycles, AS_NUMBER, .title = "from", .unit = "cycles",
	      .width = 12),
	FIELD(struct bucket_row, bucket.from_cycles, AS_NS, .title = "from", .unit = "ns",
	      .width = 12),
	FIELD(struct bucket_row, bucket.end_cycles, AS_NS, .title = "to (exclusive)", .unit = "ns",
	      .width = 14),
	FIELD(struct bucket_row, bucket.allocations, AS_NUMBER, .title = "allocations",
	      .width = 12),
	FIELD(struct bucket_row, bucket.share_permille, AS_SCALED, .scale = 10, .decimals = 1,
	      .title = "share", .unit = "%", .width = 6),
	FIELD(struct bucket_row, bucket.up_to_here_permille, AS_SCALED, .scale = 10,
	      .decimals = 1, .title = "up to here", .unit = "%", .width = 10),
	FIELD(struct bucket_row, bar, AS_TEXT, .title = "", .width = -BAR_COLUMNS),
};

static void runs_table(const struct report *report, const struct init_results *results,
		       const struct init_async *async)
{
	uint32_t shown = 0, limit = report_rows(report, async->runs);
	struct field_table table;

	field_table_begin(&table, report, FIELDS(run_fields));
	for (uint32_t i = 0; i < results->run_count && shown < limit; i++) {
		if (!init_is_async(&results->runs[i]))
			continue;
		shown++;
		field_table_row(&table, &results->runs[i]);
	}
	report_rest(report, async->runs, "runs");
}

/* Next to the policy whose rule it shares, which waits. */
static void comparison_line(const struct report *report, const struct init_async *async)
{
	char a[REPORT_CELL], b[REPORT_CELL];

	if (async->degraded)
		report_line(report, "The boot CPU was needed as a worker: it allocated nothing "
				    "meanwhile, async ran as zone does.");
	else if (async->both_known)
		report_line(report,
			    "All done, medians: async %s ms; zone, whose boot CPU waits and works, "
			    "%s ms.",
			    report_ms(report, a, async->cycles),
			    report_ms(report, b, async->waiting_cycles));
}

static void histogram_table(const struct report *report, const struct init_async *async)
{
	struct field_table table;

	if (!async->bucket_count)
		return;
	report_heading(report, "policy async: latency of one allocation of 4 MiB, all runs");
	field_table_begin(&table, report, FIELDS(bucket_fields));
	for (uint32_t i = 0; i < async->bucket_count; i++) {
		struct bucket_row row = { .bucket = async->buckets[i] };
		uint64_t length = mul_div_u64(row.bucket.allocations, BAR_COLUMNS, async->largest);

		memset(row.bar, '#', length ? length : 1);
		field_table_row(&table, &row);
	}
}

static void latency_records(struct record_stream *records, const struct run_sample *run)
{
	for (uint32_t b = 0; b < LATENCY_BUCKETS; b++)
		if (run->async.histogram[b])
			field_record(records, &init_latency_record,
				     &(struct latency_row){ run->policy, run->repetition, b,
							    run->async.histogram[b] });
}

void report_async(struct report *report, const struct init_results *results,
		  const struct init_async *async)
{
	struct record_stream *records = &report->records;

	if (!async->runs)
		return;
	report_heading(report, "policy async: the boot CPU allocates 4 MiB at a time while workers "
			       "run");
	runs_table(report, results, async);
	comparison_line(report, async);
	histogram_table(report, async);
	for (uint32_t i = 0; i < results->run_count; i++) {
		if (!init_is_async(&results->runs[i]))
			continue;
		field_record(records, &init_async_record, &results->runs[i]);
		latency_records(records, &results->runs[i]);
	}
	field_record(records, &init_async_result_record, async);
}
