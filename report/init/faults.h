/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What is wrong with a run, one line per fault. */
#include "lab/summary/verification.h"
#include "report/report.h"

/* With its struct pages and claims. */
void report_memmap_faults(const struct report *report, const struct run_verdict *verdict);

/* With its page allocator. */
void report_allocator_faults(const struct report *report, const struct run_verdict *verdict);

/* With the run that ended an experiment: both. `init_only`: no page allocator was used. */
void report_failed_run(const struct report *report, const struct run_sample *run,
		       const struct verify_totals *expected, bool init_only);
