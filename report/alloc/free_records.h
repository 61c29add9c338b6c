/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Every raw number of the experiment `free`, and its sums. */
#include "report/report.h"
#include "lab/alloc/free_run.h"

/* Every sample and every row as a record. */
void report_free_records(struct report *report, const struct free_results *results);
