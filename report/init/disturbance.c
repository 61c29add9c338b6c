/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/disturbance.h"

#include "lib/format.h"
#include "report/init/parts.h"
#include "report/table.h"
#include "report/text.h"

/* Over the runs of one policy, the cold one included. */
struct disturbed {
	uint32_t runs, smi_known, smi_hit; /* runs with a counter; runs in which it moved */
	uint64_t smi;
	struct summary permille; /* actual of nominal frequency, of the runs that know it */
};

static struct disturbed sum_up(struct report *report, const struct init_results *results,
			       enum policy policy)
{
	struct disturbed sum = { .runs = 0 };
	uint32_t count = 0;

	for (uint32_t i = 0; i < results->run_count; i++) {
		const struct run_sample *run = &results->runs[i];

		if (run->policy != policy || run->timed_out)
			continue;
		sum.runs++;
		if (run->smi != DISTURBANCE_UNKNOWN) {
			sum.smi_known++;
			sum.smi_hit += run->smi != 0;
			sum.smi += run->smi;
		}
		if (run->aperf != DISTURBANCE_UNKNOWN && run->mperf != DISTURBANCE_UNKNOWN &&
		    run->mperf && count < REPEAT_MAX)
			report->samples[count++] = mul_div_u64(run->aperf, 1000, run->mperf);
	}
	sum.permille = stats_summary(report->samples, count);
	return sum;
}

static void permille_cell(struct table *table, const struct summary *of, uint64_t permille)
{
	table_ratio(table, permille, of->count ? 10 : 0, 1);
}

static void policy_row(struct table *table, enum policy policy, const struct disturbed *sum)
{
	table_text(table, policy_name(policy));
	table_u64(table, sum->runs);
	if (sum->smi_known) {
		table_u64(table, sum->smi);
		table_u64(table, sum->smi_hit);
	} else {
		table_text(table, "-");
		table_text(table, "-");
	}
	permille_cell(table, &sum->permille, sum->permille.min);
	permille_cell(table, &sum->permille, sum->permille.median);
	permille_cell(table, &sum->permille, sum->permille.max);
}

static void policies_table(struct report *report, const struct init_results *results)
{
	static const struct column columns[] = {
		{ "policy", "", -10 },
		{ "runs", "", 5 },
		{ "SMIs", "in all", 12 },
		{ "runs", "with any", 9 },
		{ "frequency min", "% of nominal", 14 },
		{ "median", "% of nominal", 13 },
		{ "max", "% of nominal", 13 },
	};
	struct table table;

	table_begin(&table, report, columns, 7);
	for (uint32_t i = 0; i < results->policy_count; i++) {
		struct disturbed sum = sum_up(report, results, results->policies[i]);

		policy_row(&table, results->policies[i], &sum);
	}
}

void report_disturbance(struct report *report, const struct init_results *results)
{
	bool any = false;

	for (uint32_t i = 0; i < results->policy_count; i++) {
		struct disturbed sum = sum_up(report, results, results->policies[i]);

		any |= sum.smi_known || sum.permille.count;
	}
	report_heading(report, "what disturbed the runs: the TSC is %s",
		       report->tsc_invariant ? "invariant"
					     : "NOT invariant, its pace may change with the "
					       "frequency");
	if (any)
		policies_table(report, results);
	else
		report_line(report, "This CPU counts neither SMIs nor actual and nominal cycles "
				    "(APERF, MPERF).");
}

/* 0: one of the two is not counted, or stood still. */
static uint64_t permille_of_nominal(const struct disturbance *before,
				    const struct disturbance *after)
{
	if (before->aperf == DISTURBANCE_UNKNOWN || before->mperf == DISTURBANCE_UNKNOWN ||
	    after->mperf <= before->mperf)
		return 0;
	return mul_div_u64(after->aperf - before->aperf, 1000, after->mperf - before->mperf);
}

void report_disturbed(const struct report *report, const struct disturbance *before,
		      const struct disturbance *after)
{
	uint64_t permille = permille_of_nominal(before, after);
	char percent[REPORT_CELL];

	if (before->smi != DISTURBANCE_UNKNOWN)
		report_line(report, "SMIs on the boot CPU meanwhile: %llu.",
			    (unsigned long long)(after->smi - before->smi));
	if (permille)
		report_line(report, "Frequency of the boot CPU meanwhile: %s %% of nominal.",
			    format_ratio(percent, permille, 10, 1));
	if (before->smi == DISTURBANCE_UNKNOWN && !permille)
		report_line(report, "This CPU counts neither SMIs nor actual and nominal cycles "
				    "(APERF, MPERF).");
}
