/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/samples.h"

#include "mm/init/policy.h"
#include "report/field.h"
#include "report/init/words.h"

static const char *cold_word(uint32_t cold)
{
	return cold ? "cold" : "";
}

static const struct field run_fields[] = {
	FIELD_CONSTANT("experiment", "init"),
	FIELD(struct run_sample, policy, AS_WORD, POLICY_WORDS, .name = "policy",
	      .title = "policy", .width = -10),
	FIELD(struct run_sample, repetition, AS_NUMBER, .name = "rep", .title = "run", .width = 3,
	      .meaning = "0: the cold run"),
	FIELD_CONSTANT("scope", "run"),
	FIELD(struct run_sample, store, AS_WORD, STORE_WORDS, .name = "store",
	      .meaning = "what wrote the struct pages, on the boot CPU's kind of core"),
	FIELD(struct run_sample, cold, AS_BOOL, .name = "cold",
	      .meaning = "the memmap had not been touched since boot"),
	FIELD(struct run_sample, cold, AS_WORD, WORDS(cold_word, 2), .title = "", .width = -4),
	FIELD(struct run_sample, workers, AS_NUMBER, .name = "workers", .title = "workers",
	      .width = 7, .meaning = "CPUs that took part"),
	FIELD(struct run_sample, pages, AS_NUMBER, .name = "pages",
	      .meaning = "deferred frames of all nodes"),
	FIELD(struct run_sample, cycles, AS_NUMBER, .name = "cycles", .title = "slowest node",
	      .unit = "cycles", .width = 15, .meaning = "until the slowest node was done"),
	FIELD(struct run_sample, cycles, AS_MS, .title = "", .unit = "ms", .width = 9),
	FIELD(struct run_sample, first_pass_cycles, AS_NUMBER, .name = "first_pass_cycles",
	      .unless_zero = true,
	      .meaning = "until the slowest node was initialised, of policies with two passes"),
	FIELD(struct run_sample, wake_cycles, AS_MS, .name = "wake_cycles", .title = "waking",
	      .unit = "ms", .width = 9,
	      .meaning = "from the decision to wake the workers until all had met"),
	FIELD(struct run_sample, early_pages, AS_NUMBER, .name = "early_pages",
	      .title = "early part", .unit = "pages", .width = 12,
	      .meaning = "the boot CPU's part, before the workers are woken"),
	FIELD(struct run_sample, early_cycles, AS_MS, .name = "early_cycles", .title = "",
	      .unit = "ms", .width = 9, .meaning = "of initialising it"),
	FIELD(struct run_sample, early_free_cycles, AS_MS, .name = "early_free_cycles",
	      .title = "its freeing", .unit = "ms", .width = 11,
	      .meaning = "of handing its free frames to the allocator"),
	FIELD(struct run_sample, smi, AS_NUMBER, .name = "smi", .unless_all_ones = true,
	      .meaning = "system management interrupts of all workers, where they are counted"),
	FIELD(struct run_sample, aperf, AS_NUMBER, .name = "aperf_cycles",
	      .unless_all_ones = true, .meaning = "actual cycles of all workers"),
	FIELD(struct run_sample, mperf, AS_NUMBER, .name = "mperf_cycles",
	      .unless_all_ones = true, .meaning = "the same at the nominal frequency"),
};
const struct record_type init_run_record =
	RECORD_TYPE("sample", "one run of experiment init, all nodes", run_fields);

static const struct field node_fields[] = {
	FIELD_CONSTANT("experiment", "init"),
	FIELD(struct init_node_sample, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct init_node_sample, repetition, AS_NUMBER, .name = "rep",
	      .meaning = "0: the cold run"),
	FIELD_CONSTANT("scope", "node"),
	FIELD(struct init_node_sample, node, AS_NUMBER, .name = "node"),
	FIELD(struct init_node_sample, workers, AS_NUMBER, .name = "workers"),
	FIELD(struct init_node_sample, pages, AS_NUMBER, .name = "pages",
	      .meaning = "deferred frames initialised"),
	FIELD(struct init_node_sample, cycles, AS_NUMBER, .name = "cycles",
	      .meaning = "until the node's last chunk was done"),
};
const struct record_type init_node_record =
	RECORD_TYPE("sample", "one run of experiment init, one node", node_fields);

static const struct field cpu_fields[] = {
	FIELD_CONSTANT("experiment", "init"),
	FIELD(struct init_cpu_sample, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct init_cpu_sample, repetition, AS_NUMBER, .name = "rep",
	      .meaning = "0: the cold run"),
	FIELD_CONSTANT("scope", "cpu"),
	FIELD(struct init_cpu_sample, cpu, AS_NUMBER, .name = "cpu"),
	FIELD(struct init_cpu_sample, node, AS_NUMBER, .name = "node", .meaning = "its own"),
	FIELD(struct init_cpu_sample, chunks, AS_NUMBER, .name = "chunks"),
	FIELD(struct init_cpu_sample, pages, AS_NUMBER, .name = "pages"),
	FIELD(struct init_cpu_sample, cycles, AS_NUMBER, .name = "cycles",
	      .meaning = "until this worker found no more work"),
};
const struct record_type init_cpu_record =
	RECORD_TYPE("sample", "one run of experiment init, one worker", cpu_fields);

static void runs_table(const struct report *report, const struct init_results *results)
{
	struct field_table table;

	report_heading(report, "experiment init, run by run");
	field_table_begin(&table, report, FIELDS(run_fields));
	for (uint32_t i = 0; i < results->run_count; i++)
		field_table_row(&table, &results->runs[i]);
}

void report_init_samples(struct report *report, const struct init_results *results)
{
	struct record_stream *records = &report->records;

	if (report->verbose)
		runs_table(report, results);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!results->runs[i].timed_out)
			field_record(records, &init_run_record, &results->runs[i]);
	for (uint32_t i = 0; i < results->node_count; i++)
		field_record(records, &init_node_record, &results->nodes[i]);
	for (uint32_t i = 0; i < results->cpu_count; i++)
		field_record(records, &init_cpu_record, &results->cpus[i]);
}
