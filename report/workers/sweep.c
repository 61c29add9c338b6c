/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/sweep.h"

#include "lab/summary/step_summary.h"
#include "lab/summary/thresholds.h"
#include "lib/format.h"
#include "lib/page_units.h"
#include "report/init/faults.h"
#include "report/table.h"
#include "report/text.h"

static const char *axis_name(enum sweep_axis axis)
{
	return axis == SWEEP_WORKERS ? "workers" : "chunk";
}

static uint64_t chunk_mib(const struct sweep_step *step)
{
	return step->chunk_pages / ((1 << 20) / PAGE_BYTES);
}

/* What tells the step from the others of its axis. */
static const char *step_label(char to[REPORT_CELL], const struct sweep_step *step)
{
	if (step->axis == SWEEP_WORKERS)
		format(to, REPORT_CELL, "%u", step->workers);
	else if (step->chunk_pages)
		format(to, REPORT_CELL, "%llu", (unsigned long long)chunk_mib(step));
	else
		format(to, REPORT_CELL, "rules");
	return to;
}

/* Those of the default, or all of them: nobody asked for a few. */
static bool usual_policies(const struct options *options)
{
	bool usual = true, all = true;

	for (int policy = 0; policy < POLICY_COUNT; policy++) {
		bool chosen = options->policy_chosen[policy];

		usual &= chosen == policy_rule((enum policy)policy)->unasked;
		all &= chosen;
	}
	return usual || all;
}

/* " policy=...", if there is anything to say. */
static size_t policy_word(char *to, size_t size, const struct options *options)
{
	size_t length = 0;

	if (usual_policies(options))
		return 0;
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		if (options->policy_chosen[policy])
			length += format(to + length, size - length, "%s%s",
					 length ? "," : " policy=",
					 policy_name((enum policy)policy));
	return length;
}

/* Whoever gave these words would read the tables for something else. */
static void ignored_words(const struct report *report, const struct options *options)
{
	char words[REPORT_COLUMNS] = "";
	size_t length = policy_word(words, sizeof(words), options);

	if (options->threads)
		length += format(words + length, sizeof(words) - length, " threads=%u",
				 options->threads);
	if (options->chunk_mib)
		length += format(words + length, sizeof(words) - length, " chunk=%u",
				 options->chunk_mib);
	if (!length)
		return;
	report_heading(report, "the sweep sets policy, threads and chunk itself; ignored:");
	report_line(report, "   %s", words);
}

static void axis_rows(struct report *report, const struct sweep_results *results,
		      const struct sweep_summary *summary, enum sweep_axis axis,
		      const struct column columns[11])
{
	struct table table;

	table_begin(&table, report, columns, 11);
	for (uint32_t i = 0; i < results->step_count; i++) {
		const struct step_summary *step = &summary->steps[i];
		char label[REPORT_CELL];

		if (results->steps[i].axis != axis)
			continue;
		table_text(&table, step_label(label, &results->steps[i]));
		table_u64(&table, step->cycles.count);
		table_u64(&table, step->workers);
		table_spread(&table, &step->cycles);
		table_rates(&table, step->cycles.median, step->pages);
		table_speedup(&table, summary->one_worker_cycles, step->cycles.median);
	}
}

#define STEP_COLUMNS                                                                             \
	{ "runs", "", 4 }, { "workers", "took part", 9 }, SPREAD_COLUMNS, { "ns/page", "", 7 },  \
	{ "GB/s", "per node", 8 },                                                               \
	{                                                                                        \
		"speed-up", "vs 1 worker", 11                                                    \
	}

static void axis_tables(struct report *report, const struct sweep_results *results,
			const struct sweep_summary *summary)
{
	static const struct column by_workers[] = { { "workers", "per node", 8 }, STEP_COLUMNS };
	static const struct column by_chunk[] = { { "chunk", "MiB", 8 }, STEP_COLUMNS };

	if (summary->has_axis[SWEEP_WORKERS]) {
		report_heading(report, "sweep of workers, policy zone: time of the slowest node");
		axis_rows(report, results, summary, SWEEP_WORKERS, by_workers);
		report_line(report, "One CPU of each core before the siblings; no node has more "
				    "workers than CPUs or sections.");
	}
	if (summary->has_axis[SWEEP_CHUNK]) {
		report_heading(report, "sweep of chunk sizes, policy zone, all CPUs: time of the "
				       "slowest node");
		axis_rows(report, results, summary, SWEEP_CHUNK, by_chunk);
	}
}

static void knee_row(const struct report *report, struct table *table, uint32_t node,
		     const struct knee *found)
{
	uint64_t one = found->one_worker_cycles, knee = found->knee.cycles.median;

	table_u64(table, node);
	if (one)
		table_ms(table, one);
	else
		table_text(table, "-");
	table_u64(table, found->best.workers);
	table_ms(table, found->best.cycles.median);
	table_u64(table, found->knee.workers);
	table_ms(table, knee);
	table_ratio(table, mul_div_u64(knee, 100, 1), found->best.cycles.median, 1);
	table_ratio(table, report_ns(report, knee), found->knee.pages, 2);
	table_ratio(table, mul_div_u64(found->knee.pages, report->descriptor_bytes, 1),
		    report_ns(report, knee), 2);
	table_speedup(table, one, knee);
}

static void knee_table(struct report *report, const struct sweep_summary *summary,
		       uint32_t node_count)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	   { "1 worker", "ms", 9 }, { "best", "workers", 7 },
		{ "best", "ms", 9 },	   { "knee", "workers", 7 }, { "knee", "ms", 9 },
		{ "% of best", "time", 9 }, { "ns/page", "knee", 8 }, { "GB/s", "knee", 8 },
		{ "speed-up", "vs 1 worker", 11 },
	};
	struct table table;

	report_heading(report, "the knee of every node: the fewest workers within %u %% of the "
			       "best", THRESHOLD_KNEE_PERCENT - 100);
	table_begin(&table, report, columns, 10);
	for (uint32_t node = 0; node < report_rows(report, node_count); node++)
		if (summary->knees[node].found)
			knee_row(report, &table, node, &summary->knees[node]);
	report_rest(report, node_count, "nodes");
	report_line(report, "Medians; all nodes at once with as many workers each.");
}

static void step_fields(struct record_stream *records, const struct sweep_results *results,
			uint32_t number)
{
	const struct sweep_step *step = &results->steps[number];

	record_u64(records, "step", number);
	record_text(records, "axis", axis_name(step->axis));
	record_u64(records, "asked_workers", step->workers);
	record_u64(records, "chunk_pages", step->chunk_pages);
	record_text(records, "store", store_name(results->store));
}

static void sample_record(struct record_stream *records, const struct sweep_results *results,
			  const struct step_sample *sample)
{
	if (sample->step >= results->step_count)
		return;
	record_begin(records, "sample");
	record_text(records, "experiment", "sweep");
	record_text(records, "policy", policy_name(POLICY_ZONE));
	record_u64(records, "rep", sample->repetition);
	record_text(records, "scope", "node");
	step_fields(records, results, sample->step);
	record_u64(records, "node", sample->node);
	record_u64(records, "workers", sample->workers);
	record_u64(records, "pages", sample->pages);
	record_u64(records, "cycles", sample->cycles);
	record_end(records);
}

static void result_record(struct report *report, const struct sweep_results *results,
			  uint32_t step, uint32_t node, const struct step_summary *summary)
{
	struct record_stream *records = &report->records;

	if (!summary->cycles.count)
		return;
	record_begin(records, "result");
	record_text(records, "experiment", "sweep");
	record_text(records, "policy", policy_name(POLICY_ZONE));
	record_text(records, "scope", node == NODE_NONE ? "run" : "node");
	step_fields(records, results, step);
	if (node != NODE_NONE)
		record_u64(records, "node", node);
	record_u64(records, "workers", summary->workers);
	record_u64(records, "pages", summary->pages);
	record_u64(records, "descriptor_bytes", report->descriptor_bytes);
	record_summary(records, &summary->cycles);
	record_end(records);
}

static void knee_record(struct record_stream *records, const struct knee *knee, uint32_t node)
{
	if (!knee->found)
		return;
	record_begin(records, "knee");
	record_u64(records, "node", node);
	record_u64(records, "pages", knee->knee.pages);
	record_u64(records, "workers", knee->knee.workers);
	record_u64(records, "median_cycles", knee->knee.cycles.median);
	record_u64(records, "best_workers", knee->best.workers);
	record_u64(records, "best_median_cycles", knee->best.cycles.median);
	if (knee->one_worker_cycles)
		record_u64(records, "one_worker_median_cycles", knee->one_worker_cycles);
	record_end(records);
}

static void step_results(struct report *report, const struct sweep_results *results,
			 const struct sweep_summary *summary, uint32_t step, uint32_t node_count)
{
	result_record(report, results, step, NODE_NONE, &summary->steps[step]);
	for (uint32_t node = 0; node < node_count; node++) {
		struct step_summary on_node = summarise_on_node(
			results->samples, results->sample_count, step, node);

		result_record(report, results, step, node, &on_node);
	}
}

/* The sweep ends with the first run that fails. */
static void verification(const struct report *report, const struct sweep_results *results)
{
	char label[REPORT_CELL];

	if (results->verified) {
		report_line(report, "Every run passed the checks of experiment init.");
		return;
	}
	if (results->last_step < results->step_count)
		report_line(report, "FAULT: in the step of %s %s:",
			    axis_name(results->steps[results->last_step].axis),
			    step_label(label, &results->steps[results->last_step]));
	report_failed_run(report, &results->last, &results->expected,
			  results->page_size != STRUCT_PAGE_BYTES);
}

void report_sweep(struct report *report, const struct sweep_results *results,
		  const struct sweep_summary *summary, const struct options *options,
		  const struct topology *topology)
{
	ignored_words(report, options);
	axis_tables(report, results, summary);
	if (summary->has_axis[SWEEP_WORKERS])
		knee_table(report, summary, topology->node_count);
	verification(report, results);
	for (uint32_t i = 0; i < results->sample_count; i++)
		sample_record(&report->records, results, &results->samples[i]);
	for (uint32_t step = 0; step < results->step_count; step++)
		step_results(report, results, summary, step, topology->node_count);
	for (uint32_t node = 0; node < topology->node_count; node++)
		knee_record(&report->records, &summary->knees[node], node);
}
