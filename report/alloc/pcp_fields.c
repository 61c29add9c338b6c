/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/pcp_fields.h"

#include "lab/alloc/crew.h"
#include "lib/format.h"

#define CELL_FIELDS(row)                                                                         \
	FIELD_CONSTANT("experiment", "pcp"), FIELD_CONSTANT("scope", "bench"),                   \
	FIELD(row, cell.bench, AS_WORD, WORDS(pcp_bench_name, PCP_BENCHES), .name = "bench"),    \
	FIELD(row, cell.place, AS_WORD, WORDS(crew_place_name, CREW_PLACES), .name = "place",    \
	      .meaning = "CPUs of one node, or of the nodes in turn"),                           \
	FIELD(row, cell.workers, AS_NUMBER, .name = "workers"),                                  \
	FIELD(row, cell.order, AS_NUMBER, .name = "order"),                                      \
	FIELD(row, cell.batch, AS_NUMBER, .name = "batch",                                       \
	      .meaning = "single pages outstanding, or of one call")

/* ---- samples -------------------------------------------------------------------------------- */

/* The ways side by side, as they were measured: one record instead of six. */
struct pcp_record {
	struct pcp_cell cell;
	uint32_t repetition;
	struct pcp_figures {
		bool measured;
		uint64_t operations, cycles;
	} ways[PCP_COUNT];
};

#define OF_EACH_WAY                                                                              \
	IF(struct pcp_record, ways[0].measured), .present_is_copied = true, .copies = PCP_COUNT, \
	.stride = sizeof(struct pcp_figures), .copy_name = pcp_name

static const struct field sample_fields[] = {
	CELL_FIELDS(struct pcp_record),
	FIELD(struct pcp_record, repetition, AS_NUMBER, .name = "rep"),
	FIELD(struct pcp_record, ways[0].operations, AS_NUMBER, OF_EACH_WAY,
	      .name = "%s_operations", .meaning = "of all workers; 0: there was not enough memory"),
	FIELD(struct pcp_record, ways[0].cycles, AS_NUMBER, OF_EACH_WAY, .name = "%s_cycles",
	      .meaning = "by each worker's clock, summed"),
};
const struct record_type pcp_sample_record = RECORD_TYPE(
	"sample", "repetition of a cell of experiment pcp, workload bench", sample_fields);

static struct pcp_record sample_of(const struct pcp_results *results, uint32_t cell,
			       uint32_t repetition)
{
	struct pcp_record sample = { .cell = results->cells[cell], .repetition = repetition };

	for (uint32_t way = 0; way < results->way_count; way++) {
		const struct pcp_sample *one = pcp_sample(results, cell, way, repetition);

		sample.ways[results->ways[way]] =
			(struct pcp_figures){ true, one->operations, one->cycles };
	}
	return sample;
}

/* ---- results -------------------------------------------------------------------------------- */

#define COUNTER(name_, member)                                                                   \
	FIELD(struct pcp_summary, counters.member, AS_NUMBER, .unless_zero = true, .name = (name_))
#define PER_1000(member, title_, width_)                                                         \
	FIELD(struct pcp_summary, counters.member, AS_PER_1000,                                  \
	      PER(struct pcp_summary, operations), .decimals = 1, .title = (title_),             \
	      .unit = "/1000", .width = (width_))

static const struct field result_fields[] = {
	CELL_FIELDS(struct pcp_summary),
	FIELD(struct pcp_summary, way, AS_WORD, WORDS(pcp_name, PCP_COUNT), .name = "pcp",
	      .meaning = "the same as `way`", .title = "pcp", .width = -8),
	FIELD(struct pcp_summary, way, AS_WORD, WORDS(pcp_name, PCP_COUNT), .name = "way"),
	FIELD(struct pcp_summary, millicycles.count, AS_NUMBER, .name = "count",
	      .meaning = "repetitions with a figure"),
	FIELD(struct pcp_summary, millicycles.mean, AS_NUMBER, .name = "mean_millicycles",
	      .meaning = "of an operation"),
	FIELD(struct pcp_summary, millicycles.min, AS_NUMBER, .name = "min_millicycles"),
	FIELD(struct pcp_summary, millicycles.median, AS_NUMBER, .name = "median_millicycles"),
	FIELD(struct pcp_summary, millicycles.max, AS_NUMBER, .name = "max_millicycles"),
	FIELD(struct pcp_summary, millicycles.stddev, AS_NUMBER, .name = "stddev_millicycles",
	      .meaning = "0 where `count` is 1: unknown"),
	FIELD(struct pcp_summary, fastest_worker_millicycles, AS_NUMBER,
	      IF(struct pcp_summary, slowest_worker_millicycles),
	      .name = "fastest_worker_millicycles"),
	FIELD(struct pcp_summary, slowest_worker_millicycles, AS_NUMBER, .unless_zero = true,
	      .name = "slowest_worker_millicycles"),
	COUNTER("allocations", pages.allocations),
	COUNTER("frees", pages.frees),
	COUNTER("hits", pages.hits),
	COUNTER("refills", pages.refills),
	COUNTER("refilled_pages", pages.refilled_pages),
	COUNTER("drains", pages.drains),
	COUNTER("drained_pages", pages.drained_pages),
	COUNTER("lock_failures", pages.lock_failures),
	COUNTER("remote_frees", pages.remote_frees),
	COUNTER("failures", pages.failures),
	COUNTER("zone_acquisitions", zone_acquisitions),
	COUNTER("zone_contended", zone_contended),
	COUNTER("zone_wait_cycles", zone_wait_cycles),
	/* why the figures are as they are */
	FIELD(struct pcp_summary, counters.pages.hits, AS_PERCENT,
	      PER(struct pcp_summary, calls), .decimals = 1, .title = "hits", .unit = "%",
	      .width = 7),
	PER_1000(pages.refills, "refills", 8),
	PER_1000(pages.drains, "drains", 8),
	PER_1000(pages.remote_frees, "remote", 8),
	PER_1000(zone_acquisitions, "zone lock", 10),
	PER_1000(zone_contended, "contended", 10),
	FIELD(struct pcp_summary, counters.zone_wait_cycles, AS_RATIO,
	      PER(struct pcp_summary, operations), .decimals = 1, .title = "waiting",
	      .unit = "cycles/op", .width = 10),
};
const struct record_type pcp_result_record = RECORD_TYPE(
	"result", "way in a cell of experiment pcp, workload bench", result_fields);

void report_pcp_records(struct report *report, const struct pcp_results *results)
{
	if (!report->records.enabled)
		return;
	for (uint32_t cell = 0; cell < results->cell_count; cell++)
		for (uint32_t i = 0; i < results->repetitions; i++) {
			struct pcp_record sample = sample_of(results, cell, i);

			field_record(&report->records, &pcp_sample_record, &sample);
		}
	for (uint32_t cell = 0; cell < results->cell_count; cell++)
		for (uint32_t way = 0; way < results->way_count; way++) {
			struct pcp_summary summary = pcp_summarise(results, cell, way);

			field_record(&report->records, &pcp_result_record, &summary);
		}
}

/* ---- a free that was refused ---------------------------------------------------------------- */

struct refused {
	struct free_fault fault;
	enum pcp way;
};

static const struct field free_fault_fields[] = {
	FIELD(struct refused, fault.kind, AS_WORD, WORDS(free_fault_name, FREE_FAULT_KINDS),
	      .name = "kind"),
	FIELD(struct refused, fault.pfn, AS_NUMBER, .name = "pfn"),
	FIELD(struct refused, fault.order, AS_NUMBER, .name = "order"),
	FIELD(struct refused, fault.cpu, AS_NUMBER, .name = "cpu"),
	FIELD(struct refused, way, AS_WORD, WORDS(pcp_name, PCP_COUNT), .name = "pcp",
	      .meaning = "the same as `way`"),
	FIELD(struct refused, way, AS_WORD, WORDS(pcp_name, PCP_COUNT), .name = "way"),
};
const struct record_type free_fault_record = RECORD_TYPE(
	"free_fault", "free that the page allocator refused, if any: the first", free_fault_fields);

void report_free_fault(struct report *report, const struct free_fault *fault, enum pcp pcp)
{
	const struct refused refused = { *fault, pcp };

	field_record(&report->records, &free_fault_record, &refused);
}

void free_fault_text(char *text, size_t size, const struct free_fault *fault, enum pcp pcp)
{
	format(text, size, "%s: frame 0x%llx, order %u, by CPU %u, pcp=%s",
	       free_fault_name(fault->kind), (unsigned long long)fault->pfn, fault->order,
	       fault->cpu, pcp_name(pcp));
}
