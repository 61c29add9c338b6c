/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/allocator.h"

#include "lib/format.h"
#include "mm/buddy/buddy_census.h"
#include "report/init/parts.h"
#include "report/table.h"
#include "report/text.h"

enum { EXERCISES = 2 };
static const uint32_t exercise_order[EXERCISES] = { 0, ORDER_MAX };

static bool exercise_is_good(const struct allocator_sample *sample, uint32_t which)
{
	return sample->taken_pages[which] == sample->expected_free_pages &&
	       !sample->taken_twice[which] && sample->restored[which];
}

static bool totals_are_good(const struct allocator_sample *sample)
{
	return sample->census.free_pages == sample->expected_free_pages &&
	       sample->census.managed_pages == sample->expected_free_pages;
}

bool report_allocator_good(const struct run_sample *run)
{
	const struct allocator_sample *sample = &run->allocator;

	if (run->timed_out || sample->census.faults || !totals_are_good(sample) ||
	    sample->pageblocks != sample->expected_pageblocks || sample->typed_twice ||
	    sample->poison_reads || sample->double_frees)
		return false;
	return !sample->exercised || (exercise_is_good(sample, 0) && exercise_is_good(sample, 1));
}

struct policy_runs {
	uint32_t runs, good;
	const struct run_sample
		*shown; /* a good one that was exercised, as far as there is one */
};

static struct policy_runs count_policy(const struct init_results *results, enum policy policy)
{
	struct policy_runs found = { 0 };

	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];

		if (run->policy != policy)
			continue;
		found.runs++;
		if (!report_allocator_good(run))
			continue;
		found.good++;
		if (!found.shown || (run->allocator.exercised && !found.shown->allocator.exercised))
			found.shown = run;
	}
	return found;
}

static void number_cells(struct table *table, const struct allocator_sample *sample)
{
	table_u64(table, sample->census.free_pages);
	table_u64(table, sample->census.managed_pages);
	table_u64(table, sample->expected_free_pages);
	table_u64(table, sample->pageblocks);
	table_u64(table, sample->expected_pageblocks);
	for (uint32_t i = 0; i < EXERCISES; i++) {
		if (sample->exercised)
			table_u64(table, sample->taken_pages[i]);
		else
			table_text(table, "-");
	}
}

static void policy_row(struct table *table, enum policy policy, const struct policy_runs *found)
{
	char label[REPORT_CELL];

	table_text(table, policy_name(policy));
	format(label, sizeof(label), "%u/%u", found->good, found->runs);
	table_text(table, label);
	if (found->shown)
		number_cells(table, &found->shown->allocator);
	else
		for (int i = 0; i < 7; i++)
			table_text(table, "-");
}

static void allocator_table(const struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "policy", "", -6 },	     { "good", "runs", 7 },
		{ "free", "pages", 12 },     { "managed", "pages", 12 },
		{ "expected", "pages", 12 }, { "2M blocks", "typed", 9 },
		{ "2M blocks", "with RAM", 9 }, { "pages taken", "by 4 KiB", 12 },
		{ "pages taken", "by 4 MiB", 12 },
	};
	struct table table;

	report_heading(report, "page allocator after each run: numbers of a good run per policy");
	table_begin(&table, report, columns, 9);
	for (uint32_t i = 0; i < results->policy_count; i++) {
		struct policy_runs found = count_policy(results, results->policies[i]);

		policy_row(&table, results->policies[i], &found);
	}
}

/* The beginning of a line that names a fault. */
static const char *fault_of(char to[REPORT_CELL + 16], const struct run_sample *run)
{
	format(to, REPORT_CELL + 16, "FAULT: %s, run %u:", policy_name(run->policy),
	       run->repetition);
	return to;
}

static void explain_exercise(const struct report *report, const struct run_sample *run,
			     uint32_t which)
{
	const struct allocator_sample *sample = &run->allocator;
	char fault[REPORT_CELL + 16];

	if (!sample->exercised || exercise_is_good(sample, which))
		return;
	report_line(report, "%s order %u: %llu pages handed out, %llu of them twice; lists %s",
		    fault_of(fault, run), exercise_order[which],
		    (unsigned long long)sample->taken_pages[which],
		    (unsigned long long)sample->taken_twice[which],
		    sample->restored[which] ? "restored" : "not as before");
}

static void explain_lists(const struct report *report, const struct run_sample *run)
{
	const struct allocator_sample *sample = &run->allocator;
	char fault[REPORT_CELL + 16];

	if (sample->census.faults && sample->census.first_bad_pfn != BUDDY_NONE)
		report_line(report, "%s %llu faults in the free lists, the first at pfn 0x%llx",
			    fault_of(fault, run), (unsigned long long)sample->census.faults,
			    (unsigned long long)sample->census.first_bad_pfn);
	else if (sample->census.faults)
		report_line(report, "%s %llu faults in the free lists", fault_of(fault, run),
			    (unsigned long long)sample->census.faults);
	if (!totals_are_good(sample))
		report_line(report, "%s %llu pages free, %llu managed, %llu expected",
			    fault_of(fault, run), (unsigned long long)sample->census.free_pages,
			    (unsigned long long)sample->census.managed_pages,
			    (unsigned long long)sample->expected_free_pages);
}

void report_explain_allocator(const struct report *report, const struct run_sample *run)
{
	const struct allocator_sample *sample = &run->allocator;
	char fault[REPORT_CELL + 16];

	explain_lists(report, run);
	if (sample->pageblocks != sample->expected_pageblocks || sample->typed_twice)
		report_line(report, "%s %llu of %llu pageblocks typed, %llu typed twice",
			    fault_of(fault, run), (unsigned long long)sample->pageblocks,
			    (unsigned long long)sample->expected_pageblocks,
			    (unsigned long long)sample->typed_twice);
	if (sample->poison_reads)
		report_line(report, "%s %llu merges read a struct page before it was initialised",
			    fault_of(fault, run), (unsigned long long)sample->poison_reads);
	if (sample->double_frees)
		report_line(report, "%s %llu pages freed that were free", fault_of(fault, run),
			    (unsigned long long)sample->double_frees);
	for (uint32_t i = 0; i < EXERCISES; i++)
		explain_exercise(report, run, i);
}

static void blocks_fields(struct record_stream *records, const struct buddy_census *census)
{
	char name[REPORT_CELL];

	for (uint32_t order = 0; order < ORDER_COUNT; order++) {
		format(name, sizeof(name), "order%u_blocks", order);
		record_u64(records, name, census->blocks[order]);
	}
}

static void exercise_fields(struct record_stream *records,
			    const struct allocator_sample *sample)
{
	char name[REPORT_CELL];

	for (uint32_t i = 0; i < EXERCISES && sample->exercised; i++) {
		format(name, sizeof(name), "order%u_taken_pages", exercise_order[i]);
		record_u64(records, name, sample->taken_pages[i]);
		format(name, sizeof(name), "order%u_taken_twice", exercise_order[i]);
		record_u64(records, name, sample->taken_twice[i]);
		format(name, sizeof(name), "order%u_restored", exercise_order[i]);
		record_bool(records, name, sample->restored[i]);
	}
}

static void allocator_record(struct record_stream *records, const struct run_sample *run)
{
	const struct allocator_sample *sample = &run->allocator;
	const struct buddy_census *census = &sample->census;

	record_begin(records, "allocator");
	record_text(records, "policy", policy_name(run->policy));
	record_u64(records, "rep", run->repetition);
	record_bool(records, "good", report_allocator_good(run));
	record_u64(records, "free_pages", census->free_pages);
	record_u64(records, "managed_pages", census->managed_pages);
	record_u64(records, "expected_free_pages", sample->expected_free_pages);
	record_u64(records, "pageblocks", sample->pageblocks);
	record_u64(records, "expected_pageblocks", sample->expected_pageblocks);
	record_u64(records, "lazy_blocks", census->lazy_blocks);
	record_u64(records, "list_faults", census->faults);
	if (census->faults && census->first_bad_pfn != BUDDY_NONE)
		record_u64(records, "bad_pfn", census->first_bad_pfn);
	record_u64(records, "poison_reads", sample->poison_reads);
	record_u64(records, "typed_twice", sample->typed_twice);
	record_u64(records, "double_frees", sample->double_frees);
	blocks_fields(records, census);
	exercise_fields(records, sample);
	record_end(records);
}

void report_allocator(struct report *report, const struct init_results *results)
{
	uint32_t good = 0;

	if (results->init_only) {
		report_heading(report, "page allocator: not used; descriptors of %u bytes are only "
			       "initialised", results->page_size);
		return;
	}
	allocator_table(report, results);
	for (uint32_t i = 0; i < results->run_count; i++) {
		good += report_allocator_good(&results->runs[i]);
		if (!results->runs[i].timed_out && !report_allocator_good(&results->runs[i]))
			report_explain_allocator(report, &results->runs[i]);
	}
	if (!results->verified && good == results->run_count)
		report_line(report, "No fault of the page allocator, but the experiment ended "
				    "early: \"-\" was not looked at.");
	else
		report_line(report,
			    "%u of %u runs: free = managed = expected, pageblocks typed once, no "
			    "poison read, lists sound",
			    good, results->run_count);
	report_line(report, "Taken: after each policy's first run all memory is allocated and "
			    "given back, "
			    "up to 64 GiB of it.");
	for (uint32_t i = 0; i < results->run_count; i++)
		if (!results->runs[i].timed_out)
			allocator_record(&report->records, &results->runs[i]);
}

void report_growth(struct report *report, const struct init_growth *growth)
{
	struct record_stream *records = &report->records;

	if (!growth->done)
		return;
	report_heading(report, "growth of every node before the workers start, policy %s",
		       policy_name(growth->policy));
	report_line(report, "%llu blocks of 4 MiB allocated; %llu pages initialised for them: %s",
		    (unsigned long long)growth->allocated_blocks,
		    (unsigned long long)growth->grown_pages,
		    growth->good ? "all checks passed" : "FAULT: a check failed");
	record_begin(records, "growth");
	record_text(records, "policy", policy_name(growth->policy));
	record_u64(records, "allocated_blocks", growth->allocated_blocks);
	record_u64(records, "grown_pages", growth->grown_pages);
	record_bool(records, "good", growth->good);
	record_end(records);
}
