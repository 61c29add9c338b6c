/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `init`: everything that is told of it. */
#include "lab/summary/init.h"
#include "report/report.h"

/* Plans, samples, times, verification: in this order, tables and records. */
void report_init(struct report *report, const struct init_results *results,
		 const struct init_summary *summary, const struct topology *topology);
