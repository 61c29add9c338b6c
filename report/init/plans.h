/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The plans by which the memmap is initialised. */
#include "lab/init/init.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type init_plan_record, init_lent_record;

/* Who initialises what under every policy. */
void report_plans(struct report *report, const struct init_results *results,
		  const struct topology *topology);
