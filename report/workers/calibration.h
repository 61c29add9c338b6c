/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The calibration: what one core does on each node, and the search for the knee. */
#include "lab/workers/calibration.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type calibration_record, curve_record, search_step_record,
	search_record;

/* The single-core figures, the curves, and what they cost. */
void report_calibration(struct report *report, const struct calibration *calibration,
			const struct topology *topology);
