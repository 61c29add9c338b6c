/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What disturbed the runs. The raw numbers of experiment `init` are fields of the run samples. */
#include "lab/summary/init.h"
#include "report/report.h"

/* What took cycles away from the runs, as far as these CPUs can tell. */
void report_disturbance(const struct report *report, const struct init_summary *summary);

/* What the boot CPU counted from `before` to `after` an experiment on the page allocator. */
void report_disturbed(const struct report *report, const struct disturbance *before,
		      const struct disturbance *after);
