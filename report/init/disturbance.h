/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What disturbed the runs. The raw numbers of experiment `init` are fields of the run samples. */
#include "report/init/parts.h"
#include "report/report.h"

/* Whatever took cycles away from the runs, as far as this CPU can tell. */
void report_disturbance(struct report *report, const struct init_results *results);

/* What the boot CPU counted from `before` to `after` an experiment on the page allocator. */
void report_disturbed(const struct report *report, const struct disturbance *before,
		      const struct disturbance *after);
