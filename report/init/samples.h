/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Every raw number of the experiment `init`. */
#include "lab/init/init.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type init_run_record, init_node_record, init_cpu_record;

/* As records; on the console one line per run where verbose. */
void report_init_samples(struct report *report, const struct init_results *results);
