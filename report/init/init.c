/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/init.h"

#include "lib/format.h"
#include "mm/init/policy.h"
#include "report/init/async.h"
#include "report/init/disturbance.h"
#include "report/init/lazy.h"
#include "report/init/nodes.h"
#include "report/init/parts.h"
#include "report/init/quotable.h"
#include "report/init/summary.h"
#include "report/table.h"
#include "report/text.h"

static void begin_sample(struct record_stream *records, enum policy policy, uint32_t repetition,
			 const char *scope)
{
	record_begin(records, "sample");
	record_text(records, "experiment", "init");
	record_text(records, "policy", policy_name(policy));
	record_u64(records, "rep", repetition);
	record_text(records, "scope", scope);
}

static void known_u64(struct record_stream *records, const char *name, uint64_t value)
{
	if (value != DISTURBANCE_UNKNOWN)
		record_u64(records, name, value);
}

static void run_record(struct report *report, const struct run_sample *run)
{
	struct record_stream *records = &report->records;

	begin_sample(records, run->policy, run->repetition, "run");
	record_text(records, "store", store_kernel(run->store)->name);
	record_bool(records, "cold", run->cold);
	record_u64(records, "workers", run->workers);
	record_u64(records, "pages", run->pages);
	record_u64(records, "cycles", run->cycles);
	if (run->first_pass_cycles)
		record_u64(records, "first_pass_cycles", run->first_pass_cycles);
	record_u64(records, "wake_cycles", run->wake_cycles);
	record_u64(records, "early_pages", run->early_pages);
	record_u64(records, "early_cycles", run->early_cycles);
	record_u64(records, "early_free_cycles", run->early_free_cycles);
	known_u64(records, "smi", run->smi);
	known_u64(records, "aperf_cycles", run->aperf);
	known_u64(records, "mperf_cycles", run->mperf);
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
		{ "policy", "", -10 },	     { "run", "", 3 },		{ "", "", -4 },
		{ "workers", "", 7 },	     { "slowest node", "cycles", 15 }, { "", "ms", 9 },
		{ "waking", "ms", 9 },       { "early part", "pages", 12 },    { "", "ms", 9 },
		{ "its freeing", "ms", 11 },
	};
	struct table table;

	report_heading(report, "experiment init, run by run");
	table_begin(&table, report, columns, 10);
	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];

		table_text(&table, policy_name(run->policy));
		table_u64(&table, run->repetition);
		table_text(&table, run->cold ? "cold" : "");
		table_u64(&table, run->workers);
		table_u64(&table, run->cycles);
		table_ms(&table, run->cycles);
		table_ms(&table, run->wake_cycles);
		table_u64(&table, run->early_pages);
		table_ms(&table, run->early_cycles);
		table_ms(&table, run->early_free_cycles);
	}
}

void report_init_samples(struct report *report, const struct init_results *results,
			 const struct topology *topology)
{
	if (report->verbose)
		runs_table(report, results);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!results->runs[i].timed_out)
			run_record(report, &results->runs[i]);
	for (uint32_t i = 0; i < results->node_count; i++)
		node_record(&report->records, &results->nodes[i]);
	for (uint32_t i = 0; i < results->cpu_count; i++)
		cpu_record(&report->records, &results->cpus[i], topology);
}

/* Lazily initialised blocks are not stored, hence no GB/s. */
static void rates_cells(struct table *table, enum policy policy, const struct init_summary *summary,
			bool init_only)
{
	if (policy_rule(policy)->passes != PASS_LAZY || init_only) {
		table_rates(table, summary->cycles.median, summary->pages);
		return;
	}
	table_ratio(table, report_ns(table->report, summary->cycles.median), summary->pages, 2);
	table_text(table, "-");
}

static void policies_rows(struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "policy", "", -10 }, { "runs", "", 4 },    { "workers", "per node", 8 },
		SPREAD_COLUMNS,	       { "ns/page", "", 8 }, { "GB/s", "per node", 8 },
		{ "speed-up", "vs node", 8 },
	};
	struct table table;

	table_begin(&table, report, columns, 11);
	for (uint32_t i = 0; i < results->policy_count; i++) {
		struct init_summary summary = summarise_runs(report, results, results->policies[i]);

		table_text(&table, policy_name(results->policies[i]));
		table_u64(&table, summary.cycles.count);
		table_u64(&table, summary.workers);
		table_spread(&table, &summary.cycles);
		rates_cells(&table, results->policies[i], &summary, results->init_only);
		table_speedup(&table, summary.baseline_cycles, summary.cycles.median);
	}
}

/* The run that touched the memmap first, beside the warm ones of its policy. */
static void cold_line(struct report *report, const struct init_results *results)
{
	const struct run_sample *cold = summary_cold_run(results);
	char ms[REPORT_CELL], ratio[REPORT_CELL];
	uint64_t median;

	if (!cold)
		return;
	report_ms(report, ms, cold->cycles);
	median = summarise_runs(report, results, cold->policy).cycles.median;
	if (median)
		report_line(report,
			    "Cold run (%s, memmap untouched since boot): %s ms, %s x its warm "
			    "median; not in the table.",
			    policy_name(cold->policy), ms,
			    format_ratio(ratio, cold->cycles, median, 2));
	else
		report_line(report,
			    "Cold run (%s, memmap untouched since boot): %s ms; no warm one.",
			    policy_name(cold->policy), ms);
}

static void policies_table(struct report *report, const struct init_results *results,
			   const struct topology *topology)
{
	report_heading(report, "experiment init: time of the slowest node, all nodes at once");
	policies_rows(report, results);
	report_not_quotable(report, results, topology);
	cold_line(report, results);
	report_line(report, "Clock: from when all workers have met to the end of the last chunk.");
	report_line(report, "Time: median over runs of the slowest node; pages: of that node.");
	report_line(report, "ns/page, GB/s (%u bytes stored per page), speed-up: of the medians.",
		    report->descriptor_bytes);
	if (summary_has_policy(results, POLICY_SERIAL))
		report_line(report, "serial: the boot CPU does all nodes, one after the other; its "
				    "rates are over all of them.");
	if (results->init_only)
		report_line(report, "Descriptors of this size are not freed: lazy stores all of "
				    "them, as zone.");
	else if (summary_has_policy(results, POLICY_LAZY))
		report_line(report,
			    "lazy: one struct page in %llu where a block is whole; the others are "
			    "left to first use, below.",
			    BLOCK_PAGES);
}

static void result_record(struct report *report, const struct init_results *results,
			  enum policy policy, uint32_t node, const struct init_summary *summary)
{
	struct record_stream *records = &report->records;
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
	record_u64(records, "descriptor_bytes", report->descriptor_bytes);
	record_summary(records, cycles);
	record_u64(records, "speedup_milli", summary_speedup_milli(summary));
	if (node == NODE_NONE)
		report_part_fields(report, results, policy);
	record_end(records);
}

static void result_records(struct report *report, const struct init_results *results,
			   enum policy policy, uint32_t node_count)
{
	struct init_summary summary = summarise_runs(report, results, policy);

	result_record(report, results, policy, NODE_NONE, &summary);
	for (uint32_t node = 0; node < node_count; node++) {
		summary = summarise_node(report, results, policy, node);
		result_record(report, results, policy, node, &summary);
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
		policies_table(report, results, topology);
		report_parts(report, results);
		report_nodes(report, results, topology);
	} else {
		report_heading(report, "experiment init: nothing was deferred, so nothing was "
				       "timed: all RAM is in the early part");
	}
	for (uint32_t i = 0; i < results->policy_count; i++)
		result_records(report, results, results->policies[i], topology->node_count);
	report_lazy(report, results);
	report_async(report, results);
	report_disturbance(report, results);
}
