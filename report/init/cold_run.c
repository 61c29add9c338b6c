/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/cold_run.h"

#include "lib/format.h"
#include "report/text.h"

void report_cold_run(const struct report *report, const struct init_summary *summary)
{
	const struct run_sample *cold = summary->cold;
	char ms[REPORT_CELL], ratio[REPORT_CELL];

	if (!cold)
		return;
	report_ms(report, ms, cold->cycles);
	if (summary->cold_warm_cycles)
		report_line(report,
			    "Cold run (%s, memmap untouched since boot): %s ms, %s x its warm "
			    "median; not in the table.",
			    policy_name(cold->policy), ms,
			    format_ratio(ratio, cold->cycles, summary->cold_warm_cycles, 2));
	else
		report_line(report,
			    "Cold run (%s, memmap untouched since boot): %s ms; no warm one.",
			    policy_name(cold->policy), ms);
}
