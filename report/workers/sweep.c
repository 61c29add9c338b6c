/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/workers/sweep.h"

#include "lab/summary/step_summary.h"
#include "lab/summary/thresholds.h"
#include "lib/format.h"
#include "lib/page_units.h"
#include "lib/text.h"
#include "report/field.h"
#include "report/init/faults.h"
#include "report/init/words.h"

static const char *axis_name(uint32_t axis)
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
static void policy_word(struct text *text, const struct options *options)
{
	if (usual_policies(options))
		return;
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		if (options->policy_chosen[policy])
			text_add(text, "%s%s", text->length ? "," : " policy=",
				 policy_name((enum policy)policy));
}

/* Whoever gave these words would read the tables for something else. */
static void ignored_words(const struct report *report, const struct options *options)
{
	char buffer[REPORT_TEXT];
	struct text words = text_in(buffer, sizeof(buffer));

	policy_word(&words, options);
	if (options->threads)
		text_add(&words, " threads=%u", options->threads);
	if (options->chunk_mib)
		text_add(&words, " chunk=%u", options->chunk_mib);
	if (!words.length)
		return;
	report_heading(report, "the sweep sets policy, threads and chunk itself; ignored:");
	report_wrapped(report, "   %s", words.to);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* A step, on one node or of the slowest node of each run. */
struct step_row {
	uint32_t number, node;
	struct sweep_step asked;
	enum store store;
	struct step_summary all;
	uint64_t one_worker_cycles;
	uint32_t descriptor_bytes;
	char chunk[REPORT_CELL];
};

/* A run of a step on one node. */
struct sample_row {
	struct sweep_step asked;
	enum store store;
	struct step_sample one;
};

#define STEP_FIELDS(row, number)                                                                 \
	FIELD(row, number, AS_NUMBER, .name = "step"),                                           \
	FIELD(row, asked.axis, AS_WORD, WORDS(axis_name, SWEEP_AXES), .name = "axis"),           \
	FIELD(row, asked.workers, AS_NUMBER, .name = "asked_workers", .meaning = "per node"),    \
	FIELD(row, asked.chunk_pages, AS_NUMBER, .name = "chunk_pages",                          \
	      .meaning = "0: by the rules"),                                                     \
	FIELD(row, store, AS_WORD, STORE_WORDS, .name = "store")

#define SUMMARY_FIELDS                                                                           \
	FIELD(struct step_row, all.cycles.count, AS_NUMBER, .title = "runs", .width = 4),        \
	FIELD(struct step_row, all.workers, AS_NUMBER, .name = "workers",                        \
	      .meaning = "that took part, the most of any node", .title = "workers",             \
	      .unit = "took part", .width = 9),                                                  \
	FIELD(struct step_row, all.pages, AS_NUMBER, .name = "pages",                            \
	      .meaning = "of the slowest node in the run nearest to the median"),                \
	FIELD(struct step_row, descriptor_bytes, AS_NUMBER, .name = "descriptor_bytes",          \
	      .meaning = "stored per page"),                                                     \
	FIELD_SUMMARY(struct step_row, all.cycles),                                              \
	FIELD(struct step_row, all.cycles.median, AS_NS_PER, PER(struct step_row, all.pages),    \
	      .decimals = 2, .title = "ns/page", .width = 7),                                    \
	FIELD(struct step_row, all.pages, AS_GB_PER_S, PER(struct step_row, all.cycles.median),  \
	      .decimals = 2, .title = "GB/s", .unit = "per node", .width = 8),                   \
	FIELD(struct step_row, one_worker_cycles, AS_RATIO,                                      \
	      PER(struct step_row, all.cycles.median), .decimals = 2, .unless_zero = true,       \
	      .title = "speed-up", .unit = "vs 1 worker", .width = 11)

#define OF_THE_SWEEP FIELD_CONSTANT("experiment", "sweep"), FIELD_CONSTANT("policy", "zone")

static const struct field run_fields[] = {
	OF_THE_SWEEP,
	FIELD_CONSTANT("scope", "run"),
	STEP_FIELDS(struct step_row, number),
	FIELD(struct step_row, asked.workers, AS_NUMBER, .title = "workers", .unit = "per node",
	      .width = 8),
	SUMMARY_FIELDS,
};
const struct record_type sweep_run_record = RECORD_TYPE(
	"result", "step of experiment sweep: the slowest node of each run", run_fields);

static const struct field chunk_fields[] = {
	FIELD(struct step_row, chunk, AS_TEXT, .title = "chunk", .unit = "MiB", .width = 8),
	SUMMARY_FIELDS,
};

static const struct field node_fields[] = {
	OF_THE_SWEEP,
	FIELD_CONSTANT("scope", "node"),
	STEP_FIELDS(struct step_row, number),
	FIELD(struct step_row, node, AS_NUMBER, .name = "node"),
	SUMMARY_FIELDS,
};
const struct record_type sweep_node_record =
	RECORD_TYPE("result", "step of experiment sweep and node", node_fields);

static const struct field sample_fields[] = {
	OF_THE_SWEEP,
	FIELD(struct sample_row, one.repetition, AS_NUMBER, .name = "rep", .meaning = "from 0"),
	FIELD_CONSTANT("scope", "node"),
	STEP_FIELDS(struct sample_row, one.step),
	FIELD(struct sample_row, one.node, AS_NUMBER, .name = "node"),
	FIELD(struct sample_row, one.workers, AS_NUMBER, .name = "workers",
	      .meaning = "that took part on it"),
	FIELD(struct sample_row, one.pages, AS_NUMBER, .name = "pages"),
	FIELD(struct sample_row, one.cycles, AS_NUMBER, .name = "cycles"),
};
const struct record_type sweep_sample_record =
	RECORD_TYPE("sample", "node in a run of experiment sweep", sample_fields);

static struct step_row step_row(const struct report *report, const struct sweep_results *results,
				uint32_t number, uint32_t node, const struct step_summary *all)
{
	struct step_row row = {
		.number = number,
		.node = node,
		.asked = results->steps[number],
		.store = results->store,
		.all = *all,
		.descriptor_bytes = report->descriptor_bytes,
	};

	return row;
}

static void axis_rows(struct report *report, const struct sweep_results *results,
		      const struct sweep_summary *summary, enum sweep_axis axis,
		      const struct field *fields, uint32_t count)
{
	struct field_table table;

	field_table_begin(&table, report, fields, count);
	for (uint32_t i = 0; i < results->step_count; i++) {
		struct step_row row = step_row(report, results, i, NODE_NONE, &summary->steps[i]);

		row.one_worker_cycles = summary->one_worker_cycles;
		step_label(row.chunk, &row.asked);
		if (row.asked.axis == axis)
			field_table_row(&table, &row);
	}
}

static void axis_tables(struct report *report, const struct sweep_results *results,
			const struct sweep_summary *summary)
{
	if (summary->has_axis[SWEEP_WORKERS]) {
		report_heading(report, "sweep of workers, policy zone: time of the slowest node");
		axis_rows(report, results, summary, SWEEP_WORKERS, FIELDS(run_fields));
		report_line(report, "One CPU of each core before the siblings; no node has more "
				    "workers than CPUs or sections.");
	}
	if (summary->has_axis[SWEEP_CHUNK]) {
		report_heading(report, "sweep of chunk sizes, policy zone, all CPUs: time of the "
				       "slowest node");
		axis_rows(report, results, summary, SWEEP_CHUNK, FIELDS(chunk_fields));
	}
}

static void sample_record(struct record_stream *records, const struct sweep_results *results,
			  const struct step_sample *sample)
{
	struct sample_row row = { .store = results->store, .one = *sample };

	if (sample->step >= results->step_count)
		return;
	row.asked = results->steps[sample->step];
	field_record(records, &sweep_sample_record, &row);
}

static void result_records(struct report *report, const struct sweep_results *results,
			   const struct sweep_summary *summary, uint32_t step, uint32_t node_count)
{
	struct step_row row = step_row(report, results, step, NODE_NONE, &summary->steps[step]);

	if (row.all.cycles.count)
		field_record(&report->records, &sweep_run_record, &row);
	for (uint32_t node = 0; node < node_count; node++) {
		struct step_summary on_node = summarise_on_node(
			results->samples, results->sample_count, step, node);

		row = step_row(report, results, step, node, &on_node);
		if (on_node.cycles.count)
			field_record(&report->records, &sweep_node_record, &row);
	}
}

/* ---- knees ---------------------------------------------------------------------------------- */

static const struct field knee_fields[] = {
	FIELD(struct knee, node, AS_NUMBER, .name = "node", .title = "node", .width = 4),
	FIELD(struct knee, pages, AS_NUMBER, .name = "pages"),
	FIELD(struct knee, one_worker_cycles, AS_MS, .unless_zero = true,
	      .name = "one_worker_median_cycles", .meaning = "where there is such a step",
	      .title = "1 worker", .unit = "ms", .width = 9),
	FIELD(struct knee, best_workers, AS_NUMBER, .name = "best_workers", .title = "best",
	      .unit = "workers", .width = 7),
	FIELD(struct knee, best_cycles, AS_MS, .name = "best_median_cycles", .title = "best",
	      .unit = "ms", .width = 9),
	FIELD(struct knee, workers, AS_NUMBER, .name = "workers",
	      .meaning = "the fewest whose median is within 5 % of the best", .title = "knee",
	      .unit = "workers", .width = 7),
	FIELD(struct knee, cycles, AS_MS, .name = "median_cycles", .title = "knee", .unit = "ms",
	      .width = 9),
	FIELD(struct knee, cycles, AS_PERCENT, PER(struct knee, best_cycles), .decimals = 1,
	      .title = "% of best", .unit = "time", .width = 9),
	FIELD(struct knee, cycles, AS_NS_PER, PER(struct knee, pages), .decimals = 2,
	      .title = "ns/page", .unit = "knee", .width = 8),
	FIELD(struct knee, pages, AS_GB_PER_S, PER(struct knee, cycles), .decimals = 2,
	      .title = "GB/s", .unit = "knee", .width = 8),
	FIELD(struct knee, one_worker_cycles, AS_RATIO, PER(struct knee, cycles), .decimals = 2,
	      .unless_zero = true, .title = "speed-up", .unit = "vs 1 worker", .width = 11),
};
const struct record_type knee_record =
	RECORD_TYPE("knee", "node, with experiment sweep", knee_fields);

static void knee_table(struct report *report, const struct sweep_summary *summary,
		       uint32_t node_count)
{
	struct field_table table;

	report_heading(report, "the knee of every node: the fewest workers within %u %% of the "
			       "best", THRESHOLD_KNEE_PERCENT - 100);
	field_table_begin(&table, report, FIELDS(knee_fields));
	for (uint32_t node = 0; node < report_rows(report, node_count); node++)
		if (summary->knees[node].workers)
			field_table_row(&table, &summary->knees[node]);
	report_rest(report, node_count, "nodes");
	report_line(report, "Medians; all nodes at once with as many workers each.");
}

/* ---- all of it ------------------------------------------------------------------------------ */

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
		result_records(report, results, summary, step, topology->node_count);
	for (uint32_t node = 0; node < topology->node_count; node++)
		if (summary->knees[node].workers)
			field_record(&report->records, &knee_record, &summary->knees[node]);
}
