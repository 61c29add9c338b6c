/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/compare.h"

#include "lab/summary/comparison_summary.h"
#include "lib/page_units.h"
#include "report/init/faults.h"
#include "report/table.h"
#include "report/text.h"

/* ---- the table ------------------------------------------------------------------------------ */

static void number_row(struct table *table, uint32_t node, uint64_t one_worker_cycles,
		       const struct step_summary *came)
{
	table_u64(table, node);
	table_u64(table, came->workers);
	table_ms(table, came->cycles.median);
	if (came->cycles.count > 1)
		table_ms(table, came->cycles.stddev);
	else
		table_text(table, "-");
	table_rates(table, came->cycles.median, came->pages);
	table_speedup(table, one_worker_cycles, came->cycles.median);
}

/* Returns the rows so far. */
static uint32_t node_rows(struct report *report, struct table *table,
			  const struct compare_results *results, uint32_t node, uint32_t rows)
{
	struct step_summary numbers[COMPARE_STEPS_MAX];
	uint32_t count = summarise_numbers(results, node, numbers);
	uint64_t one = count && numbers[0].workers == 1 ? numbers[0].cycles.median : 0;

	for (uint32_t i = 0; i < count; i++)
		if (rows++ < report_rows(report, UINT32_MAX))
			number_row(table, node, one, &numbers[i]);
	return rows;
}

static void time_lines(const struct report *report, const struct compare_results *results,
		       const struct topology *topology)
{
	char took[REPORT_CELL], limit[REPORT_CELL];

	report_ms(report, took, results->cycles);
	report_ms(report, limit, results->limit_cycles);
	report_wrapped(report,
		       "One job per zone, freed block by block, store=%s%s, all nodes at once: "
		       "only the numbers differ. Medians of %u run%s each, interleaved; all of it "
		       "took %s ms.",
		       store_name(results->store),
		       topology->kind_count > 1 ? " on the boot CPU's kind of core" : "",
		       results->repetitions, results->repetitions == 1 ? "" : "s", took);
	if (results->left_out)
		report_wrapped(report,
			       "CUT: %u steps of the sweep, those with the fewest workers, did not "
			       "fit into %s ms: the best of the sweep is that of the others.",
			       results->left_out, limit);
	if (results->verified && results->repetitions < results->wanted)
		report_wrapped(report, "CUT: %u of %u repetitions fitted into %s ms.",
			       results->repetitions, results->wanted, limit);
}

static void verification(const struct report *report, const struct compare_results *results)
{
	if (results->verified) {
		report_line(report, "Every run passed the checks of experiment init.");
		return;
	}
	report_line(report, "FAULT: in a run of the comparison:");
	report_failed_run(report, &results->last, &results->expected,
			  results->page_size != STRUCT_PAGE_BYTES);
}

/* ---- records -------------------------------------------------------------------------------- */

static void sample_record(struct record_stream *records, const struct compare_results *results,
			  const struct step_sample *sample)
{
	const struct compare_step *step = &results->steps[sample->step];

	record_begin(records, "compared");
	record_u64(records, "step", sample->step);
	record_u64(records, "rep", sample->repetition);
	record_u64(records, "node", sample->node);
	record_u64(records, "asked_workers", step->workers[sample->node]);
	record_u64(records, "swept", step->swept);
	record_u64(records, "workers", sample->workers);
	record_u64(records, "pages", sample->pages);
	record_u64(records, "cycles", sample->cycles);
	record_end(records);
}

static void number_table(struct report *report, const struct compare_results *results,
			 const struct topology *topology)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	{ "workers", "", 7 }, { "median", "ms", 9 },
		{ "stddev", "ms", 9 }, { "ns/page", "", 8 }, { "GB/s", "", 7 },
		{ "speed-up", "vs 1", 8 },
	};
	uint32_t rows = 0;
	struct table table;

	table_begin(&table, report, columns, 7);
	for (uint32_t node = 0; node < topology->node_count; node++)
		rows = node_rows(report, &table, results, node, rows);
	report_rest(report, rows, "rows");
	time_lines(report, results, topology);
}

void report_comparison(struct report *report, const struct compare_results *results,
		       const struct topology *topology)
{
	struct record_stream *records = &report->records;

	report_heading(report, "numbers of workers: what each gives");
	if (results->sample_count)
		number_table(report, results, topology);
	else if (results->verified)
		report_line(report, "Nothing is deferred, so nothing was timed.");
	verification(report, results);
	for (uint32_t i = 0; i < results->sample_count; i++)
		sample_record(records, results, &results->samples[i]);
	record_begin(records, "comparison");
	record_u64(records, "steps", results->step_count);
	record_u64(records, "left_out", results->left_out);
	record_u64(records, "repetitions", results->repetitions);
	record_u64(records, "cycles", results->cycles);
	record_u64(records, "limit_cycles", results->limit_cycles);
	record_text(records, "store", store_name(results->store));
	record_end(records);
}
