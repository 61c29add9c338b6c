/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `bandwidth`. */
#include "lab/workers/bandwidth.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type bandwidth_stream_record, unmeasured_record, matrix_record;

/* Experiment `bandwidth`: sibling table, node matrix, and what firmware claims beside it. */
void report_bandwidth(struct report *report, const struct bandwidth_results *results,
		      const struct topology *topology);
