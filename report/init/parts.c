/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run is made of besides its clock: waking, the boot CPU's early part, two passes. */
#include "report/init/parts.h"
#include "report/init/summary.h"
#include "report/table.h"
#include "report/text.h"

static uint64_t wake_cycles(const struct run_sample *run)
{
	return run->wake_cycles;
}

static uint64_t early_cycles(const struct run_sample *run)
{
	return run->early_cycles;
}

static uint64_t early_free_cycles(const struct run_sample *run)
{
	return run->early_free_cycles;
}

static uint64_t first_pass_cycles(const struct run_sample *run)
{
	return run->first_pass_cycles;
}

static uint64_t second_pass_cycles(const struct run_sample *run)
{
	return elapsed(run->first_pass_cycles, run->cycles);
}

static void early_rows(struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "policy", "", -10 },
		{ "workers", "all nodes", 9 },
		{ "waking", "median ms", 10 },
		{ "waking", "max ms", 10 },
		{ "early part", "pages", 12 },
		{ "initialise", "median ms", 10 },
		{ "", "ns/page", 8 },
		{ "free", "median ms", 10 },
		{ "", "ns/page", 8 },
	};
	struct table table;

	table_begin(&table, report, columns, 9);
	for (uint32_t i = 0; i < results->policy_count; i++) {
		enum policy policy = results->policies[i];
		const struct run_sample *run = summary_first_run(results, policy);
		struct summary wake = summarise_field(report, results, policy, wake_cycles);
		struct summary early = summarise_field(report, results, policy, early_cycles);
		struct summary freed = summarise_field(report, results, policy, early_free_cycles);
		uint64_t pages = run ? run->early_pages : 0;

		if (results->init_only)
			freed.count = 0;
		table_text(&table, policy_name(policy));
		table_u64(&table, run ? run->workers : 0);
		table_ms_of(&table, &wake, wake.median);
		table_ms_of(&table, &wake, wake.max);
		table_u64(&table, pages);
		table_ms_of(&table, &early, early.median);
		table_ratio(&table, report_ns(report, early.median), early.count ? pages : 0, 2);
		table_ms_of(&table, &freed, freed.median);
		table_ratio(&table, report_ns(report, freed.median), freed.count ? pages : 0, 2);
	}
}

/* Policy ktask: both passes are inside the clock. */
static void passes_line(struct report *report, const struct init_results *results,
			enum policy policy)
{
	char first[REPORT_CELL], second[REPORT_CELL];
	struct summary initialise, release;

	initialise = summarise_field(report, results, policy, first_pass_cycles);
	release = summarise_field(report, results, policy, second_pass_cycles);
	if (!initialise.median)
		return;
	report_line(report,
		    "Inside the clock, %s: first pass (initialise) %s ms, second (free) %s ms: "
		    "medians.",
		    policy_name(policy), report_ms(report, first, initialise.median),
		    report_ms(report, second, release.median));
}

void report_parts(struct report *report, const struct init_results *results)
{
	report_heading(report, "outside that clock: waking the workers; the boot CPU's early part");
	early_rows(report, results);
	for (uint32_t i = 0; i < results->policy_count; i++)
		passes_line(report, results, results->policies[i]);
}

void report_part_fields(struct report *report, const struct init_results *results,
			enum policy policy)
{
	static const struct {
		const char *name;
		uint64_t (*field)(const struct run_sample *run);
	} fields[] = {
		{ "wake_median_cycles", wake_cycles },
		{ "early_median_cycles", early_cycles },
		{ "early_free_median_cycles", early_free_cycles },
		{ "first_pass_median_cycles", first_pass_cycles },
	};
	const struct run_sample *cold = summary_cold_run(results);

	for (uint32_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		record_u64(&report->records, fields[i].name,
			   summarise_field(report, results, policy, fields[i].field).median);
	if (cold && cold->policy == policy)
		record_u64(&report->records, "cold_cycles", cold->cycles);
}
