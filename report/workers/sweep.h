/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `sweep`: the steps of both axes, and the knee of every node. */
#include "lab/summary/sweep.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type sweep_sample_record, sweep_run_record, sweep_node_record,
	knee_record;

/* Experiment `sweep`: which of the options it does not follow, samples, tables of both axes, the
 * knee of every node. */
void report_sweep(struct report *report, const struct sweep_results *results,
		  const struct sweep_summary *summary, const struct options *options,
		  const struct topology *topology);
