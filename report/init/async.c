/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/async.h"

#include "lib/format.h"
#include "lib/string.h"
#include "mm/init/policy.h"
#include "report/init/parts.h"
#include "report/init/summary.h"
#include "report/table.h"
#include "report/text.h"

enum { BUCKETS = 64, BAR_COLUMNS = 24 };

static bool counts(const struct run_sample *run)
{
	return policy_rule(run->policy)->background && !run->timed_out;
}

static bool any_degraded(const struct init_results *results)
{
	for (uint32_t i = 0; i < results->run_count; i++)
		if (counts(&results->runs[i]) && results->runs[i].async.degraded)
			return true;
	return false;
}

static uint32_t count_runs(const struct init_results *results)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count; i++)
		count += counts(&results->runs[i]);
	return count;
}

/* The columns of the table, in their order. */
static uint64_t first_success(const struct run_sample *run)
{
	return run->async.first_success_cycles;
}

static uint64_t all_done(const struct run_sample *run)
{
	return run->cycles;
}

static uint64_t allocations(const struct run_sample *run)
{
	return run->async.allocations;
}

static uint64_t failures(const struct run_sample *run)
{
	return run->async.failures;
}

static uint64_t min_latency(const struct run_sample *run)
{
	return run->async.min_cycles;
}

static uint64_t median_latency(const struct run_sample *run)
{
	return run->async.median_cycles;
}

static uint64_t p99_latency(const struct run_sample *run)
{
	return run->async.p99_cycles;
}

static uint64_t max_latency(const struct run_sample *run)
{
	return run->async.max_cycles;
}

enum { FIELDS = 8 };
static const struct {
	const char *name; /* in records */
	uint64_t (*field)(const struct run_sample *run);
	void (*cell)(struct table *table, uint64_t value);
} fields[FIELDS] = {
	{ "first_success_cycles", first_success, table_ns },
	{ "cycles", all_done, table_ms },
	{ "allocations", allocations, table_u64 },
	{ "failures", failures, table_u64 },
	{ "min_cycles", min_latency, table_ns },
	{ "median_cycles", median_latency, table_ns },
	{ "p99_cycles", p99_latency, table_ns },
	{ "max_cycles", max_latency, table_ns },
};

/* A latency of nothing is none. */
static void field_cell(struct table *table, uint32_t which, uint64_t value, uint64_t allocated)
{
	if (!allocated && which != 1 && which != 2 && which != 3)
		table_text(table, "-");
	else
		fields[which].cell(table, value);
}

static void runs_table(struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "run", "", 6 },
		{ "first success", "ns", 13 },
		{ "all done", "ms", 10 },
		{ "allocations", "", 12 },
		{ "failures", "", 10 },
		{ "min", "ns", 8 },
		{ "median", "ns", 8 },
		{ "p99", "ns", 10 },
		{ "max", "ns", 12 },
	};
	uint32_t shown = 0, limit = report_rows(report, count_runs(results));
	struct table table;

	table_begin(&table, report, columns, 9);
	for (uint32_t i = 0; i < results->run_count && shown < limit; i++) {
		const struct run_sample *run = &results->runs[i];

		if (!counts(run))
			continue;
		shown++;
		table_u64(&table, run->repetition);
		for (uint32_t f = 0; f < FIELDS; f++)
			field_cell(&table, f, fields[f].field(run), run->async.allocations);
	}
	report_rest(report, count_runs(results), "runs");
}

/* Next to the policy whose rule it shares, which waits. */
static void comparison_line(struct report *report, const struct init_results *results)
{
	struct summary waits = summarise_runs(report, results, POLICY_ZONE).cycles;
	struct summary goes_on = summarise_field(report, results, POLICY_ASYNC, all_done);
	char a[REPORT_CELL], b[REPORT_CELL];

	if (!waits.count || !goes_on.count)
		return;
	report_line(report,
		    "All done, medians: async %s ms; zone, whose boot CPU waits and works, %s ms.",
		    report_ms(report, a, goes_on.median), report_ms(report, b, waits.median));
}

/* Allocations of all runs by floor(log2(cycles)). */
static uint64_t add_histograms(const struct init_results *results, uint64_t sum[BUCKETS])
{
	uint64_t total = 0;

	memset(sum, 0, BUCKETS * sizeof(*sum));
	for (uint32_t i = 0; i < results->run_count; i++)
		for (uint32_t b = 0; counts(&results->runs[i]) && b < BUCKETS; b++)
			sum[b] += results->runs[i].async.histogram[b];
	for (uint32_t b = 0; b < BUCKETS; b++)
		total += sum[b];
	return total;
}

static void bar_cell(struct table *table, uint64_t value, uint64_t largest)
{
	char bar[BAR_COLUMNS + 1];
	uint64_t length = mul_div_u64(value, BAR_COLUMNS, largest);

	if (!length)
		length = 1;
	memset(bar, '#', length);
	bar[length] = '\0';
	table_text(table, bar);
}

static void histogram_table(struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "from", "cycles", 12 },  { "from", "ns", 12 }, { "to (exclusive)", "ns", 14 },
		{ "allocations", "", 12 }, { "share", "%", 6 },	 { "up to here", "%", 10 },
		{ "", "", -BAR_COLUMNS },
	};
	uint64_t sum[BUCKETS], total = add_histograms(results, sum), so_far = 0, largest = 0;
	struct table table;

	if (!total)
		return;
	for (uint32_t b = 0; b < BUCKETS; b++)
		largest = sum[b] > largest ? sum[b] : largest;
	report_heading(report, "policy async: latency of one allocation of 4 MiB, all runs");
	table_begin(&table, report, columns, 7);
	for (uint32_t b = 0; b < BUCKETS; b++) {
		if (!sum[b])
			continue;
		so_far += sum[b];
		table_u64(&table, 1ull << b);
		table_ns(&table, 1ull << b);
		table_ns(&table, b < BUCKETS - 1 ? 2ull << b : UINT64_MAX);
		table_u64(&table, sum[b]);
		table_ratio(&table, mul_div_u64(sum[b], 1000, total), 10, 1);
		table_ratio(&table, mul_div_u64(so_far, 1000, total), 10, 1);
		bar_cell(&table, sum[b], largest);
	}
}

static void run_records(struct record_stream *records, const struct run_sample *run)
{
	record_begin(records, "async");
	record_text(records, "policy", policy_name(run->policy));
	record_u64(records, "rep", run->repetition);
	record_bool(records, "degraded", run->async.degraded);
	for (uint32_t f = 0; f < FIELDS; f++)
		record_u64(records, fields[f].name, fields[f].field(run));
	record_end(records);
	for (uint32_t b = 0; b < BUCKETS; b++) {
		if (!run->async.histogram[b])
			continue;
		record_begin(records, "latency");
		record_text(records, "policy", policy_name(run->policy));
		record_u64(records, "rep", run->repetition);
		record_u64(records, "log2_cycles", b);
		record_u64(records, "allocations", run->async.histogram[b]);
		record_end(records);
	}
}

static void result_record(struct report *report, const struct init_results *results)
{
	struct record_stream *records = &report->records;

	record_begin(records, "result");
	record_text(records, "experiment", "async");
	record_text(records, "policy", policy_name(POLICY_ASYNC));
	record_text(records, "scope", "run");
	record_u64(records, "count", count_runs(results));
	for (uint32_t f = 0; f < FIELDS; f++)
		record_u64(records, fields[f].name,
			   summarise_field(report, results, POLICY_ASYNC, fields[f].field).median);
	record_end(records);
}

void report_async(struct report *report, const struct init_results *results)
{
	if (!count_runs(results) || results->init_only)
		return;
	report_heading(report, "policy async: the boot CPU allocates 4 MiB at a time while workers "
			       "run");
	runs_table(report, results);
	if (any_degraded(results))
		report_line(report, "The boot CPU was needed as a worker: it allocated nothing "
				    "meanwhile, "
				    "async ran as zone does.");
	else
		comparison_line(report, results);
	histogram_table(report, results);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (counts(&results->runs[i]))
			run_records(&report->records, &results->runs[i]);
	result_record(report, results);
}
