/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/disturbance.h"

#include "lab/summary/thresholds.h"
#include "lib/format.h"
#include "report/field.h"
#include "report/init/words.h"
#include "report/text.h"

static const struct field disturbed_fields[] = {
	FIELD(struct init_disturbed, policy, AS_WORD, POLICY_WORDS, .title = "policy",
	      .width = -10),
	FIELD(struct init_disturbed, runs, AS_NUMBER, .title = "runs", .width = 5),
	FIELD(struct init_disturbed, smi, AS_NUMBER, IF(struct init_disturbed, smi_known),
	      .title = "SMIs", .unit = "in all", .width = 12),
	FIELD(struct init_disturbed, smi_hit, AS_NUMBER, IF(struct init_disturbed, smi_known),
	      .title = "runs", .unit = "with any", .width = 9),
	FIELD(struct init_disturbed, permille.min, AS_SCALED, .scale = 10, .decimals = 1,
	      IF(struct init_disturbed, permille.count), .title = "frequency min",
	      .unit = "% of nominal", .width = 14),
	FIELD(struct init_disturbed, permille.median, AS_SCALED, .scale = 10, .decimals = 1,
	      IF(struct init_disturbed, permille.count), .title = "median",
	      .unit = "% of nominal", .width = 13),
	FIELD(struct init_disturbed, permille.max, AS_SCALED, .scale = 10, .decimals = 1,
	      IF(struct init_disturbed, permille.count), .title = "max", .unit = "% of nominal",
	      .width = 13),
};

static void nothing_counted(const struct report *report)
{
	report_line(report, "This CPU counts neither SMIs nor actual and nominal cycles (APERF, "
			    "MPERF).");
}

static void disturbed_table(const struct report *report, const struct init_summary *summary)
{
	struct field_table table;

	field_table_begin(&table, report, FIELDS(disturbed_fields));
	for (uint32_t i = 0; i < summary->policy_count; i++)
		field_table_row(&table, &summary->policies[i].disturbed);
}

static void stalled_lines(const struct report *report, const struct init_summary *summary)
{
	char ms[REPORT_CELL];

	for (uint32_t i = 0; i < summary->policy_count; i++) {
		const struct init_disturbed *of = &summary->policies[i].disturbed;

		if (of->stalled)
			report_wrapped(report,
				       "%s: %u of %u runs took %u times the median or more, up to "
				       "%s ms above it: the machine stood still, or something else "
				       "had its CPUs.",
				       policy_name(of->policy), of->stalled, of->runs,
				       THRESHOLD_STALL_FACTOR,
				       report_ms(report, ms, of->stalled_cycles));
	}
}

void report_disturbance(const struct report *report, const struct init_summary *summary)
{
	report_heading(report, "what disturbed the runs: the TSC is %s",
		       report->tsc_invariant ? "invariant"
					     : "NOT invariant, its pace may change with the "
					       "frequency");
	if (summary->disturbance_known)
		disturbed_table(report, summary);
	else
		nothing_counted(report);
	stalled_lines(report, summary);
}

void report_disturbed(const struct report *report, const struct disturbance *before,
		      const struct disturbance *after)
{
	struct cpu_disturbed cpu = cpu_disturbed(before, after);
	char percent[REPORT_CELL];

	if (cpu.smi_known)
		report_line(report, "SMIs on the boot CPU meanwhile: %llu.",
			    (unsigned long long)cpu.smi);
	if (cpu.permille)
		report_line(report, "Frequency of the boot CPU meanwhile: %s %% of nominal.",
			    format_ratio(percent, cpu.permille, 10, 1));
	if (!cpu.smi_known && !cpu.permille)
		nothing_counted(report);
}
