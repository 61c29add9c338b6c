/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/lazy.h"

#include "mm/init/policy.h"
#include "report/init/parts.h"
#include "report/init/summary.h"
#include "report/table.h"
#include "report/text.h"

static bool is_lazy(const struct init_results *results, uint32_t which)
{
	return policy_rule(results->policies[which])->passes == PASS_LAZY;
}

/* First use of all memory, over the runs of a policy in which it was timed: warm ones. */
struct first_use {
	struct summary cycles;
	struct summary fill;    /* the part of them inside the filling */
	uint64_t pages;         /* allocated, each as a page of order 0 */
	uint64_t filled_blocks; /* the same in every run */
};

static uint64_t use_cycles(const struct run_sample *run)
{
	return run->lazy.first_use_cycles;
}

static uint64_t fill_cycles(const struct run_sample *run)
{
	return run->lazy.fill_cycles;
}

static bool was_timed(const struct run_sample *run, enum policy policy)
{
	return run->policy == policy && !run->timed_out && run->lazy.first_use_pages;
}

static struct summary sum_up(struct report *report, const struct init_results *results,
			     enum policy policy,
			     uint64_t (*field)(const struct run_sample *run))
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count && count < REPEAT_MAX; i++)
		if (was_timed(&results->runs[i], policy))
			report->samples[count++] = field(&results->runs[i]);
	return stats_summary(report->samples, count);
}

static struct first_use first_use_of(struct report *report, const struct init_results *results,
				     enum policy policy)
{
	struct first_use use = { .cycles = sum_up(report, results, policy, use_cycles),
				 .fill = sum_up(report, results, policy, fill_cycles) };

	for (uint32_t i = 0; i < results->run_count; i++) {
		if (!was_timed(&results->runs[i], policy))
			continue;
		use.pages = results->runs[i].lazy.first_use_pages;
		use.filled_blocks = results->runs[i].lazy.filled_blocks;
	}
	return use;
}

/* The head of a block is not filled later. */
static uint64_t filled_pages(const struct first_use *use)
{
	return mul_div_u64(use->filled_blocks, BLOCK_PAGES - 1, 1);
}

static uint64_t sum_capped(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void filling_cells(struct report *report, struct table *table,
			  const struct first_use *use)
{
	if (!use->filled_blocks) {
		for (int i = 0; i < 3; i++)
			table_text(table, "-");
		return;
	}
	table_u64(table, use->filled_blocks);
	table_ms(table, use->fill.median);
	table_ratio(table, report_ns(report, use->fill.median), filled_pages(use), 2);
}

static void lazy_row(struct report *report, struct table *table, const struct init_results *results,
		     enum policy policy)
{
	struct init_summary run = summarise_runs(report, results, policy);
	struct first_use use = first_use_of(report, results, policy);

	table_text(table, policy_name(policy));
	table_ms_of(table, &run.cycles, run.cycles.median);
	table_u64(table, use.cycles.count);
	filling_cells(report, table, &use);
	table_u64(table, use.pages);
	table_ms_of(table, &use.cycles, use.cycles.median);
	table_ratio(table, report_ns(report, use.cycles.median), use.pages, 2);
	table_ms_of(table, run.cycles.count ? &use.cycles : &run.cycles,
		    sum_capped(run.cycles.median, use.cycles.median));
}

static void lazy_table(struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "policy", "", -6 },
		{ "slowest node", "median ms", 12 },
		{ "runs", "", 4 },
		{ "filled", "blocks", 9 },
		{ "filling", "ms", 9 },
		{ "filling", "ns/page", 8 },
		{ "first use", "pages", 12 },
		{ "first use", "ms", 10 },
		{ "first use", "ns/page", 9 },
		{ "both", "ms", 10 },
	};
	struct table table;

	report_heading(report, "policy lazy: the critical path, and what first use of the memory "
			       "costs");
	table_begin(&table, report, columns, 10);
	for (uint32_t i = 0; i < results->policy_count; i++)
		if (is_lazy(results, i) ||
		    first_use_of(report, results, results->policies[i]).cycles.count)
			lazy_row(report, &table, results, results->policies[i]);
	report_line(report, "First use: the boot CPU alone takes all free memory, at most 64 GiB, "
			    "4 KiB at a time,");
	report_line(report, "after so many warm runs: medians. Filling the blocks that were left "
			    "is a part of it.");
}

static void sample_record(struct record_stream *records, const struct run_sample *run)
{
	record_begin(records, "lazy");
	record_text(records, "policy", policy_name(run->policy));
	record_u64(records, "rep", run->repetition);
	record_u64(records, "cycles", run->cycles);
	record_u64(records, "filled_blocks", run->lazy.filled_blocks);
	record_u64(records, "fill_cycles", run->lazy.fill_cycles);
	record_u64(records, "first_use_pages", run->lazy.first_use_pages);
	record_u64(records, "first_use_cycles", run->lazy.first_use_cycles);
	record_end(records);
}

static void result_record(struct report *report, const struct init_results *results,
			  enum policy policy)
{
	struct record_stream *records = &report->records;
	struct first_use use = first_use_of(report, results, policy);

	if (!use.cycles.count)
		return;
	record_begin(records, "result");
	record_text(records, "experiment", "lazy");
	record_text(records, "policy", policy_name(policy));
	record_text(records, "scope", "first_use");
	record_u64(records, "pages", use.pages);
	record_summary(records, &use.cycles);
	record_end(records);
}

void report_lazy(struct report *report, const struct init_results *results)
{
	bool any = false;

	for (uint32_t i = 0; i < results->policy_count; i++)
		any |= is_lazy(results, i);
	if (!any || results->init_only)
		return;
	lazy_table(report, results);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!results->runs[i].timed_out && results->runs[i].lazy.first_use_pages)
			sample_record(&report->records, &results->runs[i]);
	for (uint32_t i = 0; i < results->policy_count; i++)
		result_record(report, results, results->policies[i]);
}
