/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The store kernels: which there are, how fast they were, which are used. */
#include "lab/init/stores.h"
#include "report/report.h"

/* Which store kernels there are, which is used and why, on which kind of core. */
void report_stores(struct report *report, const struct store_trials *trials,
		   const struct topology *topology);

/* After the runs: which to use. */
void report_best_stores(const struct report *report, const struct store_trials *trials);
