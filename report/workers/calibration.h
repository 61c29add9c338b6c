/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The calibration: what one core does on each node, and the search for the knee. */
#include "lab/workers/calibrate.h"
#include "report/report.h"

/* The single-core figures, the curves, and what they cost. */
void report_calibration(struct report *report, const struct calibration *calibration,
			const struct topology *topology);
