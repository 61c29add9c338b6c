/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How many workers? What each rule says of each node, what it rests on, and what it gave. */
#include "lab/summary/how_many.h"
#include "lab/workers/calibration.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type rule_record, rule_all_record;

/* "How many workers?": what each rule says, what it rests on and what it gave. */
void report_how_many(struct report *report, const struct worker_verdict *verdict,
		     const struct calibration *calibration);
