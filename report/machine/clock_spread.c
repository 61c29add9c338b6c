/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/clock_spread.h"

#include "lab/summary/clock_spread.h"
#include "lib/format.h"
#include "report/text.h"

/* On real machines the bound is a fraction of a microsecond, under an emulator milliseconds. */
static const char *time_of(const struct report *report, char to[REPORT_CELL], uint64_t cycles)
{
	enum { NS_SHOWN_MAX = 10000 };
	uint64_t ns = report_ns(report, cycles);
	char ms[REPORT_CELL - 4];

	if (ns < NS_SHOWN_MAX) {
		format(to, REPORT_CELL, "%llu ns", (unsigned long long)ns);
		return to;
	}
	format_ratio(ms, ns, 1000000, 3);
	format(to, REPORT_CELL, "%s ms", ms);
	return to;
}

void report_clocks(const struct report *report, const struct topology *topology)
{
	struct clock_spread spread = clock_spread(topology);
	char time[REPORT_CELL];

	if (!spread.cpus)
		return;
	report_wrapped(report,
		       "time stamp counters: %u other %s, each within %llu cycles (%s) of the boot "
		       "CPU (upper bound)",
		       spread.cpus, spread.cpus == 1 ? "CPU" : "CPUs",
		       (unsigned long long)spread.most_cycles,
		       time_of(report, time, spread.most_cycles));
	if (spread.drifting)
		report_line(report,
			    "time stamp counters: %u of them do not keep pace with the boot CPU's",
			    spread.drifting);
}
