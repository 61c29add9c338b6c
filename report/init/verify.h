/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the oracle found after each run of the experiment `init`. */
#include "report/init/parts.h"
#include "report/report.h"

/* What is wrong with a run's struct pages and claims, one line per fault. */
void report_explain_run(const struct report *report, const struct run_sample *run,
			const struct verify_totals *expected);

/* What verification found. */
void report_init_verification(struct report *report, const struct init_results *results);
