/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/pcp_records.h"

#include "lab/summary/pcp_summary.h"
#include "lib/format.h"
#include "report/alloc/pcp.h"

static void cell_fields(struct record_stream *records, const struct pcp_cell *cell)
{
	record_text(records, "experiment", "pcp");
	record_text(records, "scope", "bench");
	record_text(records, "bench", report_pcp_bench(cell->bench));
	record_text(records, "place", cell->place == CREW_NODE ? "node" : "across");
	record_u64(records, "workers", cell->workers);
	record_u64(records, "order", cell->order);
	record_u64(records, "batch", cell->batch);
}

/* The ways side by side, as they were measured: one record instead of six. */
static void sample_record(struct record_stream *records, const struct pcp_results *results,
			  uint32_t cell, uint32_t repetition)
{
	char name[32];

	record_begin(records, "sample");
	cell_fields(records, &results->cells[cell]);
	record_u64(records, "rep", repetition);
	for (uint32_t way = 0; way < results->way_count; way++) {
		const struct pcp_sample *sample = pcp_sample(results, cell, way, repetition);

		format(name, sizeof(name), "%s_operations", pcp_name(results->ways[way]));
		record_u64(records, name, sample->operations);
		format(name, sizeof(name), "%s_cycles", pcp_name(results->ways[way]));
		record_u64(records, name, sample->cycles);
	}
	record_end(records);
}

static void worker_fields(struct record_stream *records, const struct pcp_summary *summary)
{
	if (!summary->slowest_worker_millicycles)
		return;
	record_u64(records, "fastest_worker_millicycles", summary->fastest_worker_millicycles);
	record_u64(records, "slowest_worker_millicycles", summary->slowest_worker_millicycles);
}

static void counter_field(struct record_stream *records, const char *name, uint64_t value)
{
	if (value)
		record_u64(records, name, value);
}

static void counter_fields(struct record_stream *records, const struct pcp_counters *c)
{
	counter_field(records, "allocations", c->pages.allocations);
	counter_field(records, "frees", c->pages.frees);
	counter_field(records, "hits", c->pages.hits);
	counter_field(records, "refills", c->pages.refills);
	counter_field(records, "refilled_pages", c->pages.refilled_pages);
	counter_field(records, "drains", c->pages.drains);
	counter_field(records, "drained_pages", c->pages.drained_pages);
	counter_field(records, "lock_failures", c->pages.lock_failures);
	counter_field(records, "remote_frees", c->pages.remote_frees);
	counter_field(records, "failures", c->pages.failures);
	counter_field(records, "zone_acquisitions", c->zone_acquisitions);
	counter_field(records, "zone_contended", c->zone_contended);
	counter_field(records, "zone_wait_cycles", c->zone_wait_cycles);
}

static void result_record(struct record_stream *records, const struct pcp_results *results,
			  uint32_t cell, uint32_t way)
{
	struct pcp_summary summary = pcp_summarise(results, cell, way);
	const struct summary *of = &summary.millicycles;

	record_begin(records, "result");
	cell_fields(records, &results->cells[cell]);
	record_text(records, "pcp", pcp_name(results->ways[way]));
	record_u64(records, "count", of->count);
	record_u64(records, "mean_millicycles", of->mean);
	record_u64(records, "min_millicycles", of->min);
	record_u64(records, "median_millicycles", of->median);
	record_u64(records, "max_millicycles", of->max);
	record_u64(records, "stddev_millicycles", of->stddev);
	worker_fields(records, &summary);
	counter_fields(records, pcp_counters(results, cell, way));
	record_end(records);
}

void report_pcp_records(struct report *report, const struct pcp_results *results)
{
	if (!report->records.enabled)
		return;
	for (uint32_t cell = 0; cell < results->cell_count; cell++)
		for (uint32_t i = 0; i < results->repetitions; i++)
			sample_record(&report->records, results, cell, i);
	for (uint32_t cell = 0; cell < results->cell_count; cell++)
		for (uint32_t way = 0; way < results->way_count; way++)
			result_record(&report->records, results, cell, way);
}

/* ---- a free that was refused ---------------------------------------------------------------- */

void report_free_fault(struct report *report, const struct free_fault *fault, enum pcp pcp)
{
	struct record_stream *records = &report->records;

	record_begin(records, "free_fault");
	record_text(records, "kind", free_fault_name(fault->kind));
	record_u64(records, "pfn", fault->pfn);
	record_u64(records, "order", fault->order);
	record_u64(records, "cpu", fault->cpu);
	record_text(records, "pcp", pcp_name(pcp));
	record_end(records);
}

void free_fault_text(char *text, size_t size, const struct free_fault *fault, enum pcp pcp)
{
	format(text, size, "%s: frame 0x%llx, order %u, by CPU %u, pcp=%s",
	       free_fault_name(fault->kind), (unsigned long long)fault->pfn, fault->order,
	       fault->cpu, pcp_name(pcp));
}
