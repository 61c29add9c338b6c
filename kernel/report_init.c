/* The experiment `init`: its samples and the tables of its results. */
#include "kernel/report_summary.h"
#include "kernel/report_text.h"
#include "lib/page_units.h"

static void begin_sample(struct record_stream *records, enum policy policy, uint32_t repetition,
			 const char *scope)
{
	record_begin(records, "sample");
	record_text(records, "experiment", "init");
	record_text(records, "policy", policy_name(policy));
	record_u64(records, "rep", repetition);
	record_text(records, "scope", scope);
}

static void run_record(struct record_stream *records, const struct init_run_sample *run)
{
	begin_sample(records, run->policy, run->repetition, "run");
	record_u64(records, "workers", run->workers);
	record_u64(records, "pages", run->pages);
	record_u64(records, "cycles", run->cycles);
	record_u64(records, "wake_cycles", run->wake_cycles);
	record_u64(records, "early_pages", run->early_pages);
	record_u64(records, "early_cycles", run->early_cycles);
	record_end(records);
}

static void node_record(struct record_stream *records, const struct init_node_sample *sample)
{
	begin_sample(records, sample->policy, sample->repetition, "node");
	record_u64(records, "node", sample->node);
	record_u64(records, "workers", sample->workers);
	record_u64(records, "pages", sample->pages);
	record_u64(records, "cycles", sample->cycles);
	record_end(records);
}

static void cpu_record(struct record_stream *records, const struct init_cpu_sample *sample,
		       const struct topology *topology)
{
	begin_sample(records, sample->policy, sample->repetition, "cpu");
	record_u64(records, "cpu", sample->cpu);
	record_u64(records, "node", topology->cpus[sample->cpu].node);
	record_u64(records, "chunks", sample->chunks);
	record_u64(records, "pages", sample->pages);
	record_u64(records, "cycles", sample->cycles);
	record_end(records);
}

static void runs_table(const struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "policy", "", -8 },	       { "run", "", 5 },	    { "workers", "", 8 },
		{ "slowest node", "cycles", 16 }, { "", "ms", 9 },	      { "waking", "ms", 9 },
		{ "early part", "pages", 12 },   { "", "ms", 9 },
	};
	struct table table;

	report_heading(report, "experiment init, run by run");
	table_begin(&table, report, columns, 8);
	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct init_run_sample *run = &results->runs[i];

		table_text(&table, policy_name(run->policy));
		table_u64(&table, run->repetition);
		table_u64(&table, run->workers);
		table_u64(&table, run->cycles);
		table_ms(&table, run->cycles);
		table_ms(&table, run->wake_cycles);
		table_u64(&table, run->early_pages);
		table_ms(&table, run->early_cycles);
	}
}

void report_init_samples(struct report *report, const struct init_results *results,
			 const struct topology *topology)
{
	if (report->verbose)
		runs_table(report, results);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!results->runs[i].timed_out)
			run_record(&report->records, &results->runs[i]);
	for (uint32_t i = 0; i < results->node_count; i++)
		node_record(&report->records, &results->nodes[i]);
	for (uint32_t i = 0; i < results->cpu_count; i++)
		cpu_record(&report->records, &results->cpus[i], topology);
}

static void spread_cells(struct table *table, const struct summary *cycles)
{
	table_ms(table, cycles->mean);
	table_ms(table, cycles->min);
	table_ms(table, cycles->median);
	table_ms(table, cycles->max);
	table_ms(table, cycles->stddev);
}

/* Titles of spread_cells. */
#define SPREAD_COLUMNS                                                                           \
	{ "mean", "ms", 8 }, { "min", "ms", 8 }, { "median", "ms", 8 }, { "max", "ms", 8 },      \
	{                                                                                        \
		"stddev", "ms", 8                                                                \
	}

static void policies_table(struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "policy", "", -7 },	 { "runs", "", 4 },	    { "workers", "per node", 8 },
		SPREAD_COLUMNS,		 { "ns/page", "", 8 },    { "GB/s", "per node", 8 },
		{ "speed-up", "vs node", 8 },
	};
	struct table table;

	report_heading(report, "experiment init: time of the slowest node, all nodes at once");
	table_begin(&table, report, columns, 11);
	for (uint32_t i = 0; i < results->policy_count; i++) {
		enum policy policy = results->policies[i];
		struct init_summary summary = summarise_runs(report, results, policy);
		uint64_t ns = report_ns(report, summary.cycles.median);

		table_text(&table, policy_name(policy));
		table_u64(&table, summary.cycles.count);
		table_u64(&table, summary.workers);
		spread_cells(&table, &summary.cycles);
		table_ratio(&table, ns, summary.pages, 2);
		table_ratio(&table, summary.pages * STRUCT_PAGE_BYTES, ns, 2); /* bytes per ns */
		table_ratio(&table, summary.baseline_cycles, summary.cycles.median, 2);
	}
	report_line(report, "Clock: from when all workers have met to the end of the last chunk.");
	report_line(report, "ns/page, GB/s (64 bytes per struct page), speed-up: of the medians.");
}

static void nodes_table(struct report *report, const struct init_results *results,
			enum policy policy, uint32_t node_count)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	{ "pages", "", 11 },   { "workers", "", 7 },
		{ "median", "cycles", 13 }, SPREAD_COLUMNS,	     { "ns/page", "", 7 },
		{ "speed-up", "vs node", 8 },
	};
	struct table table;

	report_heading(report, "policy %s, node by node", policy_name(policy));
	table_begin(&table, report, columns, 11);
	for (uint32_t node = 0; node < report_rows(report, node_count); node++) {
		struct init_summary summary = summarise_node(report, results, policy, node);

		if (!summary.cycles.count)
			continue;
		table_u64(&table, node);
		table_u64(&table, summary.pages);
		table_u64(&table, summary.workers);
		table_u64(&table, summary.cycles.median);
		spread_cells(&table, &summary.cycles);
		table_ratio(&table, report_ns(report, summary.cycles.median), summary.pages, 2);
		table_ratio(&table, summary.baseline_cycles, summary.cycles.median, 2);
	}
	report_rest(report, node_count, "nodes");
}

/* The run of this policy that came first, for what is the same in all of them. */
static const struct init_run_sample *first_run(const struct init_results *results,
					       enum policy policy)
{
	for (uint32_t i = 0; i < results->run_count; i++)
		if (results->runs[i].policy == policy && !results->runs[i].timed_out)
			return &results->runs[i];
	return NULL;
}

static void overhead_table(struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "policy", "", -7 },
		{ "workers", "", 7 },
		{ "waking", "median ms", 11 },
		{ "waking", "max ms", 11 },
		{ "early part", "pages", 13 },
		{ "early part", "median ms", 11 },
		{ "", "ns/page", 9 },
	};
	struct table table;

	report_heading(report, "outside that clock: waking the workers; the boot CPU's early part");
	table_begin(&table, report, columns, 7);
	for (uint32_t i = 0; i < results->policy_count; i++) {
		enum policy policy = results->policies[i];
		const struct init_run_sample *run = first_run(results, policy);
		struct summary wake = summarise_wake(report, results, policy);
		struct summary early = summarise_early(report, results, policy);

		table_text(&table, policy_name(policy));
		table_u64(&table, run ? run->workers : 0);
		table_ms(&table, wake.median);
		table_ms(&table, wake.max);
		table_u64(&table, run ? run->early_pages : 0);
		table_ms(&table, early.median);
		table_ratio(&table, report_ns(report, early.median), run ? run->early_pages : 0, 2);
	}
}

static uint64_t speedup_milli(const struct init_summary *summary)
{
	if (!summary->cycles.median)
		return 0;
	return mul_div_u64(summary->baseline_cycles, 1000, summary->cycles.median);
}

static void result_record(struct record_stream *records, enum policy policy, uint32_t node,
			  const struct init_summary *summary)
{
	const struct summary *cycles = &summary->cycles;

	if (!cycles->count)
		return;
	record_begin(records, "result");
	record_text(records, "experiment", "init");
	record_text(records, "policy", policy_name(policy));
	record_text(records, "scope", node == NODE_NONE ? "run" : "node");
	if (node != NODE_NONE)
		record_u64(records, "node", node);
	record_u64(records, "workers", summary->workers);
	record_u64(records, "pages", summary->pages);
	record_u64(records, "count", cycles->count);
	record_u64(records, "mean_cycles", cycles->mean);
	record_u64(records, "min_cycles", cycles->min);
	record_u64(records, "median_cycles", cycles->median);
	record_u64(records, "max_cycles", cycles->max);
	record_u64(records, "stddev_cycles", cycles->stddev);
	record_u64(records, "speedup_milli", speedup_milli(summary));
	record_end(records);
}

static void result_records(struct report *report, const struct init_results *results,
			   enum policy policy, uint32_t node_count)
{
	struct init_summary summary = summarise_runs(report, results, policy);

	result_record(&report->records, policy, NODE_NONE, &summary);
	for (uint32_t node = 0; node < node_count; node++) {
		summary = summarise_node(report, results, policy, node);
		result_record(&report->records, policy, node, &summary);
	}
}

static bool anything_deferred(const struct init_results *results)
{
	for (uint32_t i = 0; i < results->policy_count; i++)
		if (results->plans[i]->deferred_pages)
			return true;
	return false;
}

void report_init_results(struct report *report, const struct init_results *results,
			 const struct topology *topology)
{
	if (anything_deferred(results)) {
		policies_table(report, results);
		for (uint32_t i = 0; i < results->policy_count; i++)
			nodes_table(report, results, results->policies[i], topology->node_count);
	} else {
		report_heading(report, "experiment init: nothing was deferred, so nothing was "
				       "timed: all RAM is in the early part");
	}
	overhead_table(report, results);
	for (uint32_t i = 0; i < results->policy_count; i++)
		result_records(report, results, results->policies[i], topology->node_count);
}
