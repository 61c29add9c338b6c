/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/progress.h"

#include "report/text.h"

enum { PROGRESS_EVERY_S = 2 };

/* Rounded to the nearest second. */
static unsigned long long seconds(const struct report *report, uint64_t cycles)
{
	return (report_ns(report, cycles) + 500000000) / 1000000000;
}

void report_progress(struct report *report, const char *what, uint32_t done, uint32_t total,
		     uint64_t now_tsc)
{
	uint64_t taken;

	if (!done)
		report->progress_start_tsc = report->progress_shown_tsc = now_tsc;
	if (!done || !report->tsc_hz ||
	    elapsed(report->progress_shown_tsc, now_tsc) / PROGRESS_EVERY_S < report->tsc_hz)
		return;
	report->progress_shown_tsc = now_tsc;
	taken = elapsed(report->progress_start_tsc, now_tsc);
	report_line(report, "running: %.32s, run %u of %u, %llu s, about %llu s left", what,
		    done + 1, total, seconds(report, taken),
		    seconds(report, mul_div_u64(taken, elapsed(done, total), done)));
}
