/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `init`: its samples, and the table of the policies. */
#include "report/report.h"

/* Experiment `init`: every raw number as records; on the console one line per run where verbose. */
void report_init_samples(struct report *report, const struct init_results *results,
			 const struct topology *topology);

/* The summaries of experiment `init`, tables and records. */
void report_init_results(struct report *report, const struct init_results *results,
			 const struct topology *topology);
