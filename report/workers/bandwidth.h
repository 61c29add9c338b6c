/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `bandwidth`. */
#include "report/workers/workers.h"

/* Experiment `bandwidth`: sibling table, node matrix, and what firmware claims beside it. */
void report_bandwidth(struct report *report, const struct bandwidth_results *results,
		      const struct topology *topology);
