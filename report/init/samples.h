/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Every raw number of the experiment `init`. */
#include "lab/init/init_run.h"
#include "report/report.h"

/* As records; on the console one line per run where verbose. */
void report_init_samples(struct report *report, const struct init_results *results);
