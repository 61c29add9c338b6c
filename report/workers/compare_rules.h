/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The comparison of all numbers of workers: lab/workers/compare_rules.h. */
#include "lab/workers/compare_rules.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type compared_record, comparison_record;

/* Every number of workers with the time that it gave; the samples as records. */
void report_comparison(struct report *report, const struct compare_results *results,
		       const struct topology *topology);
