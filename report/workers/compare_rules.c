/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/compare_rules.h"

#include "lab/summary/compare_rules.h"
#include "lib/page_units.h"
#include "report/field.h"
#include "report/init/faults.h"
#include "report/init/words.h"

/* ---- the table ------------------------------------------------------------------------------ */

struct number_row {
	uint32_t node;
	struct step_summary all;
	uint64_t one_worker_cycles;
};

static const struct field number_fields[] = {
	FIELD(struct number_row, node, AS_NUMBER, .title = "node", .width = 4),
	FIELD(struct number_row, all.workers, AS_NUMBER, .title = "workers", .width = 7),
	FIELD(struct number_row, all.cycles.median, AS_MS, .title = "median", .unit = "ms",
	      .width = 9),
	FIELD(struct number_row, all.cycles.stddev, AS_MS,
	      IF(struct number_row, all.cycles.count), .least = 2, .title = "stddev",
	      .unit = "ms", .width = 9),
	FIELD(struct number_row, all.cycles.median, AS_NS_PER,
	      PER(struct number_row, all.pages), .decimals = 2, .title = "ns/page", .width = 8),
	FIELD(struct number_row, all.pages, AS_GB_PER_S,
	      PER(struct number_row, all.cycles.median), .decimals = 2, .title = "GB/s",
	      .width = 7),
	FIELD(struct number_row, one_worker_cycles, AS_RATIO,
	      PER(struct number_row, all.cycles.median), .decimals = 2, .unless_zero = true,
	      .title = "speed-up", .unit = "vs 1", .width = 8),
};

/* Returns the rows so far. */
static uint32_t node_rows(struct report *report, struct field_table *table,
			  const struct compare_results *results, uint32_t node, uint32_t rows)
{
	struct step_summary numbers[COMPARE_STEPS_MAX];
	uint32_t count = summarise_numbers(results, node, numbers);
	struct number_row row = { .node = node };

	if (count && numbers[0].workers == 1)
		row.one_worker_cycles = numbers[0].cycles.median;
	for (uint32_t i = 0; i < count; i++) {
		row.all = numbers[i];
		if (rows++ < report_rows(report, UINT32_MAX))
			field_table_row(table, &row);
	}
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

struct compared_row {
	struct step_sample one;
	uint32_t asked_workers, swept;
};

static const struct field compared_fields[] = {
	FIELD(struct compared_row, one.step, AS_NUMBER, .name = "step"),
	FIELD(struct compared_row, one.repetition, AS_NUMBER, .name = "rep",
	      .meaning = "from 0"),
	FIELD(struct compared_row, one.node, AS_NUMBER, .name = "node"),
	FIELD(struct compared_row, asked_workers, AS_NUMBER, .name = "asked_workers"),
	FIELD(struct compared_row, swept, AS_NUMBER, .name = "swept",
	      .meaning = "the number, where it is a step of the sweep; else 0: a rule's"),
	FIELD(struct compared_row, one.workers, AS_NUMBER, .name = "workers",
	      .meaning = "that took part"),
	FIELD(struct compared_row, one.pages, AS_NUMBER, .name = "pages"),
	FIELD(struct compared_row, one.cycles, AS_NUMBER, .name = "cycles"),
};
const struct record_type compared_record = RECORD_TYPE(
	"compared", "node in a run of the comparison, with experiment init or sweep where there "
	"are `rule` records", compared_fields);

static const struct field comparison_fields[] = {
	FIELD(struct compare_results, step_count, AS_NUMBER, .name = "steps"),
	FIELD(struct compare_results, left_out, AS_NUMBER, .name = "left_out",
	      .meaning = "steps of the sweep for which there was no time"),
	FIELD(struct compare_results, repetitions, AS_NUMBER, .name = "repetitions",
	      .meaning = "done"),
	FIELD(struct compare_results, cycles, AS_NUMBER, .name = "cycles"),
	FIELD(struct compare_results, limit_cycles, AS_NUMBER, .name = "limit_cycles"),
	FIELD(struct compare_results, store, AS_WORD, STORE_WORDS, .name = "store",
	      .meaning = "of all its runs, on the boot CPU's kind of core"),
};
const struct record_type comparison_record =
	RECORD_TYPE("comparison", "comparison, after the `compared`", comparison_fields);

static void number_table(struct report *report, const struct compare_results *results,
			 const struct topology *topology)
{
	struct field_table table;
	uint32_t rows = 0;

	field_table_begin(&table, report, FIELDS(number_fields));
	for (uint32_t node = 0; node < topology->node_count; node++)
		rows = node_rows(report, &table, results, node, rows);
	report_rest(report, rows, "rows");
	time_lines(report, results, topology);
}

void report_comparison(struct report *report, const struct compare_results *results,
		       const struct topology *topology)
{
	report_heading(report, "numbers of workers: what each gives");
	if (results->sample_count)
		number_table(report, results, topology);
	else if (results->verified)
		report_line(report, "Nothing is deferred, so nothing was timed.");
	verification(report, results);
	for (uint32_t i = 0; i < results->sample_count; i++) {
		const struct step_sample *sample = &results->samples[i];
		const struct compare_step *step = &results->steps[sample->step];
		struct compared_row row = { *sample, step->workers[sample->node], step->swept };

		field_record(&report->records, &compared_record, &row);
	}
	field_record(&report->records, &comparison_record, results);
}
