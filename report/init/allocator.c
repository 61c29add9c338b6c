/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/allocator.h"

#include "lib/format.h"
#include "report/field.h"
#include "report/init/faults.h"
#include "report/init/words.h"

/* ---- one policy ----------------------------------------------------------------------------- */

struct policy_row {
	enum policy policy;
	char good[REPORT_CELL];
	bool shown;
	struct allocator_sample sample;
};

static const struct field policy_fields[] = {
	FIELD(struct policy_row, policy, AS_WORD, POLICY_WORDS, .title = "policy", .width = -6),
	FIELD(struct policy_row, good, AS_TEXT, .title = "good", .unit = "runs", .width = 7),
	FIELD(struct policy_row, sample.census.free_pages, AS_NUMBER,
	      IF(struct policy_row, shown), .title = "free", .unit = "pages", .width = 12),
	FIELD(struct policy_row, sample.census.managed_pages, AS_NUMBER,
	      IF(struct policy_row, shown), .title = "managed", .unit = "pages", .width = 12),
	FIELD(struct policy_row, sample.expected_free_pages, AS_NUMBER,
	      IF(struct policy_row, shown), .title = "expected", .unit = "pages", .width = 12),
	FIELD(struct policy_row, sample.pageblocks, AS_NUMBER, IF(struct policy_row, shown),
	      .title = "2M blocks", .unit = "typed", .width = 9),
	FIELD(struct policy_row, sample.expected_pageblocks, AS_NUMBER,
	      IF(struct policy_row, shown), .title = "2M blocks", .unit = "with RAM", .width = 9),
	FIELD(struct policy_row, sample.taken_pages[0], AS_NUMBER,
	      IF(struct policy_row, sample.exercised), .title = "pages taken",
	      .unit = "by 4 KiB", .width = 12),
	FIELD(struct policy_row, sample.taken_pages[1], AS_NUMBER,
	      IF(struct policy_row, sample.exercised), .title = "pages taken",
	      .unit = "by 4 MiB", .width = 12),
};

static void allocator_table(const struct report *report, const struct init_summary *summary)
{
	struct field_table table;

	report_heading(report, "page allocator after each run: numbers of a good run per policy");
	field_table_begin(&table, report, FIELDS(policy_fields));
	for (uint32_t i = 0; i < summary->policy_count; i++) {
		const struct init_allocator *allocator = &summary->policies[i].allocator;
		struct policy_row row = { .policy = allocator->policy,
					  .shown = allocator->sample != NULL };

		format(row.good, sizeof(row.good), "%u/%u", allocator->good, allocator->runs);
		if (row.shown)
			row.sample = *allocator->sample;
		field_table_row(&table, &row);
	}
}

/* ---- one run -------------------------------------------------------------------------------- */

static const char *order_of(uint32_t exercise)
{
	return exercise ? "10" : "0";
}
_Static_assert(ORDER_MAX == 10, "the name of the second exercise's order");

#define EXERCISED(member)                                                                        \
	.copies = EXERCISES, .stride = sizeof(((struct allocator_sample *)0)->member[0]),        \
	.copy_name = order_of, IF(struct run_verdict, allocator.exercised)

static const struct field run_fields[] = {
	FIELD(struct run_verdict, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct run_verdict, repetition, AS_NUMBER, .name = "rep"),
	FIELD(struct run_verdict, allocator_good, AS_BOOL, .name = "good"),
	FIELD(struct run_verdict, allocator.census.free_pages, AS_NUMBER, .name = "free_pages"),
	FIELD(struct run_verdict, allocator.census.managed_pages, AS_NUMBER,
	      .name = "managed_pages"),
	FIELD(struct run_verdict, allocator.expected_free_pages, AS_NUMBER,
	      .name = "expected_free_pages", .meaning = "from the map and the reservations"),
	FIELD(struct run_verdict, allocator.pageblocks, AS_NUMBER, .name = "pageblocks",
	      .meaning = "of 2 MiB, that have a type"),
	FIELD(struct run_verdict, allocator.expected_pageblocks, AS_NUMBER,
	      .name = "expected_pageblocks", .meaning = "that hold any RAM"),
	FIELD(struct run_verdict, allocator.census.lazy_blocks, AS_NUMBER, .name = "lazy_blocks",
	      .meaning = "not initialised but for their first page"),
	FIELD(struct run_verdict, allocator.census.faults, AS_NUMBER, .name = "list_faults"),
	FIELD(struct run_verdict, allocator.census.first_bad_pfn, AS_NUMBER,
	      IF(struct run_verdict, allocator.census.faults), .unless_all_ones = true,
	      .name = "bad_pfn", .meaning = "the first one with a fault in the lists"),
	FIELD(struct run_verdict, allocator.poison_reads, AS_NUMBER, .name = "poison_reads",
	      .meaning = "merges that read a struct page before it was initialised"),
	FIELD(struct run_verdict, allocator.typed_twice, AS_NUMBER, .name = "typed_twice"),
	FIELD(struct run_verdict, allocator.double_frees, AS_NUMBER, .name = "double_frees"),
	FIELD(struct run_verdict, allocator.census.blocks[0], AS_NUMBER, .name = "order%s_blocks",
	      .copies = ORDER_COUNT, .stride = sizeof(uint64_t), .meaning = "free"),
	FIELD(struct run_verdict, allocator.taken_pages[0], AS_NUMBER,
	      .name = "order%s_taken_pages", EXERCISED(taken_pages),
	      .meaning = "when everything was allocated by blocks of this order"),
	FIELD(struct run_verdict, allocator.taken_twice[0], AS_NUMBER,
	      .name = "order%s_taken_twice", EXERCISED(taken_twice),
	      .meaning = "of these, pages that were handed out before"),
	FIELD(struct run_verdict, allocator.restored[0], AS_BOOL, .name = "order%s_restored",
	      EXERCISED(restored), .meaning = "afterwards the lists were as before"),
};
const struct record_type init_allocator_record =
	RECORD_TYPE("allocator", "one run of experiment init", run_fields);

/* Faults as lines, then every run as a record. */
static void verdict_line(const struct report *report, const struct init_results *results,
			 const struct init_summary *summary)
{
	if (!results->verified && summary->allocators_good == results->run_count)
		report_line(report, "No fault of the page allocator, but the experiment ended "
				    "early: \"-\" was not looked at.");
	else
		report_line(report,
			    "%u of %u runs: free = managed = expected, pageblocks typed once, no "
			    "poison read, lists sound",
			    summary->allocators_good, results->run_count);
	report_line(report, "Taken: after each policy's first run all memory is allocated and "
			    "given back, up to 64 GiB of it.");
}

static void faults_of_runs(const struct report *report, const struct init_results *results,
			   const struct init_summary *summary)
{
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!summary->verdicts[i].timed_out)
			report_allocator_faults(report, &summary->verdicts[i]);
}

void report_allocator(struct report *report, const struct init_results *results,
		      const struct init_summary *summary)
{
	if (results->init_only) {
		report_heading(report, "page allocator: not used; descriptors of %u bytes are only "
			       "initialised", results->page_size);
		return;
	}
	allocator_table(report, summary);
	faults_of_runs(report, results, summary);
	verdict_line(report, results, summary);
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!summary->verdicts[i].timed_out)
			field_record(&report->records, &init_allocator_record,
				     &summary->verdicts[i]);
}

/* ---- growth --------------------------------------------------------------------------------- */

static const struct field growth_fields[] = {
	FIELD(struct init_growth, policy, AS_WORD, POLICY_WORDS, .name = "policy"),
	FIELD(struct init_growth, allocated_blocks, AS_NUMBER, .name = "allocated_blocks",
	      .meaning = "of 4 MiB, until every node had grown"),
	FIELD(struct init_growth, grown_pages, AS_NUMBER, .name = "grown_pages",
	      .meaning = "initialised for them"),
	FIELD(struct init_growth, good, AS_BOOL, .name = "good"),
};
const struct record_type init_growth_record =
	RECORD_TYPE("growth", "the run in which the nodes were grown before the workers start",
		    growth_fields);

void report_growth(struct report *report, const struct init_growth *growth)
{
	if (!growth->done)
		return;
	report_heading(report, "growth of every node before the workers start, policy %s",
		       policy_name(growth->policy));
	report_line(report, "%llu blocks of 4 MiB allocated; %llu pages initialised for them: %s",
		    (unsigned long long)growth->allocated_blocks,
		    (unsigned long long)growth->grown_pages,
		    growth->good ? "all checks passed" : "FAULT: a check failed");
	field_record(&report->records, &init_growth_record, growth);
}
