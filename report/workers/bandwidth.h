/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `bandwidth`. */
#include "lab/workers/bandwidth.h"
#include "report/report.h"

/* Experiment `bandwidth`: sibling table, node matrix, and what firmware claims beside it. */
void report_bandwidth(struct report *report, const struct bandwidth_results *results,
		      const struct topology *topology);
