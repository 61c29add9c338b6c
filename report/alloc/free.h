/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Experiment `free`: a table per mapping and fragmentation, the published figures, the verdict,
 * the records.
 * Also of an experiment that a fault ended: of the rows that had a run until then. */
#include "report/report.h"
#include "lab/alloc/free.h"

void report_free(struct report *report, const struct free_results *results);
